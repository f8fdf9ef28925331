"""The line of `moot plan` that tells where a remote model is asked, and how."""

from __future__ import annotations

from typing import Any

from ray_jobs.endpoints import endpoint_lines
from tests.ray_jobs.studies import study

REMOTE = {"backend": "openai", "model": "m", "base_url": "https://host.example/v1"}


def line(**keys: Any) -> str:
    models = {"r": {**REMOTE, **keys}, "free": {"backend": "simulated"}}
    [told] = endpoint_lines(study(models=models, panels=[["r", "free"]], protocols=["solo"]), models)
    return told


def test_a_line_tells_endpoint_key_transport_and_pins() -> None:
    assert line() == (
        "r: 'm' at https://host.example/v1; key from OPENAI_API_KEY; transport official;"
        " no provider pinned; everything is sent"
    )
    pinned = {"order": ["a"], "allow_fallbacks": False}
    dropped = {"seed": False, "system": False}
    assert line(key=None, transport="lean", provider=pinned, accepts=dropped) == (
        "r: 'm' at https://host.example/v1; no key; transport lean;"
        ' provider {"order": ["a"], "allow_fallbacks": false}; not sent, by accepts: seed, system'
    )


def test_an_address_without_a_version_is_noted_and_not_refused() -> None:
    noted = "the address names no version such as /v1"
    for url in ("https://host/v1", "https://host/api/v1beta/openai", "https://host/compatible-mode/v2/"):
        assert noted not in line(base_url=url)
    for url in ("https://host", "http://localhost:8000/api"):
        assert noted in line(base_url=url)


def test_a_served_model_has_a_line_that_tells_who_deploys_it() -> None:
    block = {"backend": "serve", "model": "org/name", "tensor_parallel": 4}
    places: list[tuple[dict[str, Any], str]] = [
        ({"replicas": {"min": 1, "max": 3}}, "on Ray Serve, deployed by the run: 1 to 3 x 4 GPUs, or CPUs"),
        ({"serve": {"application": "shared"}}, "in the application shared; up to 256 asks"),
        ({"serve": {"url": "http://host/v1"}}, "at http://host/v1; up to 256 asks"),
    ]
    for keys, told in places:
        models = {"s": {**block, **keys}}
        [line] = endpoint_lines(study(models=models, panels=[["s", "s"]], protocols=["solo"]), models)
        assert line.startswith("s: 'org/name' ")
        assert told in line
