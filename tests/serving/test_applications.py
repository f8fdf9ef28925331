"""Applications of Ray Serve: what is refused before Ray is asked, and where agents find a server."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from serving import applications
from serving.applications import EVERYWHERE, LOOPBACK, address, deploy, reachable, refuse_taken
from serving.errors import ModelError


@pytest.mark.parametrize(
    "work",
    [lambda: deploy({}, on_cpu=True), lambda: address("a"), lambda: refuse_taken(["a"])],
    ids=["deploy", "address", "refuse_taken"],
)
def test_without_ray_serve_one_message_says_what_to_install(
    work: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(applications, "find_spec", lambda _: None)
    with pytest.raises(
        ModelError, match=r"Ray Serve is not installed here, .* 'ray\[serve\]', on every node"
    ):
        work()


def test_a_server_on_every_address_is_asked_at_that_of_a_node() -> None:
    assert reachable(EVERYWHERE, ["10.0.0.1", "10.0.0.2"]) == "10.0.0.1"
    assert reachable("10.0.0.9", ["10.0.0.1", "10.0.0.2"]) == "10.0.0.9"
    assert reachable(LOOPBACK, ["10.0.0.1"]) == LOOPBACK


def test_a_server_that_agents_on_other_nodes_cannot_reach_is_refused() -> None:
    with pytest.raises(ModelError, match=r"start it with 'serve start --http-host 0\.0\.0\.0'"):
        reachable(LOOPBACK, ["10.0.0.1", "10.0.0.2"])
