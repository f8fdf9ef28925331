"""The catalogue: preparing is all or nothing and once only; a model's name is resolved or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from serving import catalogue
from serving.catalogue import missing_from, models_folder, prepare, resolve
from serving.errors import ModelError


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of models."""
    monkeypatch.setenv("MOOT_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


def write_model(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (folder / name).write_text("{}")


def test_prepared_models_lie_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_MODELS", "/models")
    assert models_folder() == Path("/models")
    monkeypatch.delenv("MOOT_MODELS")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert models_folder() == Path("/cache/moot/models")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert models_folder() == Path.home() / ".cache/moot/models"


def test_preparing_twice_builds_once(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Path] = []

    def build(folder: Path) -> None:
        built.append(folder)
        write_model(folder)

    monkeypatch.setitem(catalogue.CATALOGUE, "tiny", build)
    assert prepare("tiny") == prepare("tiny") == models / "tiny"
    assert len(built) == 1
    assert resolve("tiny") == str(models / "tiny")


def test_a_preparation_that_fails_leaves_nothing(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(folder: Path) -> None:
        (folder / "config.json").write_text("{}")
        raise ModelError("the package is not installed")

    monkeypatch.setitem(catalogue.CATALOGUE, "tiny", fail)
    with pytest.raises(ModelError, match="not installed"):
        prepare("tiny")
    assert list(models.iterdir()) == []


def test_a_damaged_folder_is_built_again(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_model(models / "tiny")
    (models / "tiny" / "model.safetensors").unlink()
    monkeypatch.setitem(catalogue.CATALOGUE, "tiny", write_model)
    assert missing_from(prepare("tiny")) is None


def test_a_catalogue_model_that_is_not_prepared_names_the_command(models: Path) -> None:
    with pytest.raises(ModelError, match="run: moot models prepare smollm2"):
        resolve("smollm2")


def test_an_unknown_name_is_not_prepared(models: Path) -> None:
    with pytest.raises(ModelError, match="no model 'gigantic' in the catalogue; it has: smollm2, tiny"):
        prepare("gigantic")


def test_a_model_folder_is_resolved_to_its_absolute_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_model(tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    assert resolve("./mine") == resolve("mine") == str(tmp_path / "mine")


@pytest.mark.parametrize("name", ["org/name", "Qwen/Qwen3-0.6B", "meta-llama/Llama-3.1-8B-Instruct"])
def test_a_hugging_face_name_stands(name: str) -> None:
    assert resolve(name) == name


@pytest.mark.parametrize("name", ["./nowhere", "~/nowhere", "/nowhere/model", "a/b/c", "org/"])
def test_a_path_to_nowhere_is_refused(name: str) -> None:
    with pytest.raises(ModelError, match="no such folder; expected a catalogue name"):
        resolve(name)


def test_a_bare_unknown_word_is_refused() -> None:
    with pytest.raises(ModelError, match="model 'smollm': unknown name; expected a catalogue name"):
        resolve("smollm")


@pytest.mark.parametrize(
    ("name", "content", "missing"),
    [
        ("config.json", None, "config.json is missing"),
        ("config.json", "{", "config.json is not JSON"),
        ("config.json", "[]", "config.json holds no object"),
        ("tokenizer.json", None, "a tokenizer is missing"),
        ("model.safetensors", None, "weights are missing"),
    ],
)
def test_a_folder_that_is_no_model_is_refused_by_what_it_lacks(
    name: str, content: str | None, missing: str, tmp_path: Path
) -> None:
    write_model(tmp_path / "mine")
    (tmp_path / "mine" / name).unlink()
    if content is not None:
        (tmp_path / "mine" / name).write_text(content)
    with pytest.raises(ModelError, match=missing):
        resolve(str(tmp_path / "mine"))


def test_a_file_is_no_model_folder(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_text("")
    with pytest.raises(ModelError, match="it is no folder"):
        resolve(str(tmp_path / "model.gguf"))


def test_the_prepared_models_are_whole(tiny: Path, smollm2: Path) -> None:
    for folder in (tiny, smollm2):
        assert missing_from(folder) is None
        settings = json.loads((folder / "config.json").read_text())
        assert settings["model_type"] == "llama"
        assert settings["max_position_embeddings"] == 8192
