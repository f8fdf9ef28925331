"""An object store for the tests that ask for one."""

from collections.abc import Iterator

import pytest

from tests.ray_jobs.object_store import CREDENTIALS, ObjectServer


@pytest.fixture(scope="session")
def started_server() -> Iterator[ObjectServer]:
    """One server for all tests of this process; each has buckets of its own."""
    started = ObjectServer()
    yield started
    started.close()


@pytest.fixture
def server(started_server: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> ObjectServer:
    """The server, with credentials for it in the environment."""
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    return started_server
