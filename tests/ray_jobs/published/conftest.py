"""What all tests of published runs need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def _unsettled() -> Iterator[None]:
    """No other process wants the run: nothing is waited for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ray_jobs.lease.SETTLE_SECONDS", {True: 0.0, False: 0.0})
        yield
