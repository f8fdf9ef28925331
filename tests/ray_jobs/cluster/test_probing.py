"""Each remote model is asked for one token, once, and what comes of it is told."""

import socket
from urllib.request import urlopen

import pytest

from ray_jobs.cluster import probing
from ray_jobs.cluster.probing import probe_findings
from serving.blocks import SimulatedBlock
from serving.remote import models
from serving.remote_block import RemoteBlock
from serving.serve_block import Place, ServeBlock
from tests.ray_jobs.faulty import faulty


def remote(url: str, model: str = "far", key: str | None = None) -> RemoteBlock:
    return RemoteBlock(backend="openai", model=model, base_url=url, key=key)


def asked(url: str) -> int:
    with urlopen(f"{url.removesuffix('/v1')}/count") as answer:
        return int(answer.read())


def test_a_model_is_asked_once_however_many_names_it_has() -> None:
    with faulty({}) as url:
        blocks = {
            "a": remote(url),
            "b": remote(url),
            "c": remote(url, "other"),
            "d": SimulatedBlock(backend="simulated"),
        }
        both, other = probe_findings(blocks)
        assert asked(url) == 2
    assert (both.level, both.what) == ("ok", "model 'a' and 'b'")
    assert url in both.found
    assert (other.level, other.what) == ("ok", "model 'c'")


def served(url: str, **place: str) -> ServeBlock:
    return ServeBlock(backend="serve", model="tiny", serve=Place(url=url, **place))


def test_a_served_model_at_an_address_is_asked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody is, and where somebody never answers; of what a run deploys nothing is known yet."""
    monkeypatch.setattr(models, "PATIENCE", 0.2)
    own = ServeBlock(backend="serve", model="tiny")
    with socket.create_server(("127.0.0.1", 0)) as mute:
        silent = f"http://127.0.0.1:{mute.getsockname()[1]}/v1"
        gone, hung = probe_findings({"a": served("http://127.0.0.1:1/v1"), "b": served(silent), "own": own})
    assert (gone.level, gone.what, hung.level) == ("fail", "model 'a'", "fail")
    assert "no list of models comes from http://127.0.0.1:1/v1/models" in gone.found
    assert f"{silent}/models (no answer); check that the server runs" in hung.found


def test_what_a_model_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_KEY", raising=False)
    with faulty({"bad_key": 1.0}) as url:
        refused, keyless = probe_findings({"a": remote(url), "b": remote(url, key="NO_KEY")})
    assert refused.level == keyless.level == "fail"
    assert "NO_KEY" in keyless.found


def test_a_model_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "PATIENCE_SECONDS", 0.3)
    with faulty({"hang": 1.0}) as url:
        [silent] = probe_findings({"a": remote(url)})
    assert silent.level == "fail"
    assert f"no token from {url} within 0 s" in silent.found
