"""Named models that moot builds itself, and what a model's name in an experiment stands for."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from serving.errors import ModelError
from serving.smollm2 import build_smollm2
from serving.tiny_model import build_tiny

CATALOGUE: dict[str, Callable[[Path], None]] = {"smollm2": build_smollm2, "tiny": build_tiny}

WEIGHTS = ("*.safetensors", "*.bin", "*.pt", "*.gguf")
TOKENIZERS = ("tokenizer.json", "tokenizer.model", "vocab.json", "tekken.json")
HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


def models_folder() -> Path:
    """Where prepared models lie: $MOOT_MODELS, else moot/models in $XDG_CACHE_HOME or ~/.cache."""
    if chosen := os.environ.get("MOOT_MODELS"):
        return Path(chosen).expanduser().absolute()
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "moot" / "models"


def prepare(name: str) -> Path:
    """Builds a model of the catalogue unless it is there, and returns its folder.

    The folder appears as a whole or not at all. Raises `ModelError` for an unknown name, or where what
    the model is built from is not installed.
    """
    if name not in CATALOGUE:
        raise ModelError(f"no model '{name}' in the catalogue; it has: {', '.join(CATALOGUE)}")
    target = models_folder() / name
    if target.is_dir() and not missing_from(target):
        return target
    models_folder().mkdir(parents=True, exist_ok=True)
    building = target.with_name(f".{name}-{uuid4().hex}")
    building.mkdir()
    try:
        CATALOGUE[name](building)
        _move(building, target)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return target


def resolve(model: str) -> str:
    """What the engine is to load: an absolute folder, or a Hugging Face name as it stands.

    Raises `ModelError` for a catalogue name that is not prepared, a folder that holds no model, and a
    word that is none of the three.
    """
    if model in CATALOGUE:
        folder = models_folder() / model
        if missing_from(folder):
            raise ModelError(f"model '{model}' is not prepared in {folder}; run: moot models prepare {model}")
        return str(folder)
    path = Path(model).expanduser()
    if path.exists():
        if missing := missing_from(path):
            raise ModelError(f"'{model}' is no model folder: {missing}")
        return str(path.absolute())
    if HUB_NAME.fullmatch(model):
        return model
    expected = f"a catalogue name ({', '.join(CATALOGUE)}), a folder, or a Hugging Face name 'org/name'"
    found = "no such folder" if _looks_like_path(model) else "unknown name"
    raise ModelError(f"model '{model}': {found}; expected {expected}")


def missing_from(folder: Path) -> str | None:
    """What keeps `folder` from being a model in the form of Hugging Face, in words; None where it is one."""
    if not folder.is_dir():
        return "it is no folder"
    config = folder / "config.json"
    if not config.is_file():
        return "config.json is missing"
    try:
        settings = json.loads(config.read_text("utf-8"))
    except ValueError as error:
        return f"config.json is not JSON ({error})"
    if not isinstance(settings, dict):
        return "config.json holds no object"
    if not any((folder / name).is_file() for name in TOKENIZERS):
        return f"a tokenizer is missing (one of {', '.join(TOKENIZERS)})"
    if not any(next(folder.glob(pattern), None) for pattern in WEIGHTS):
        return f"weights are missing (one of {', '.join(WEIGHTS)})"
    return None


def _looks_like_path(model: str) -> bool:
    return model.startswith((".", "~", "/")) or model.count("/") > 1 or model.endswith("/")


def _move(building: Path, target: Path) -> None:
    """Puts the finished folder in place; a folder that another process finished meanwhile stays."""
    if target.exists():
        if not missing_from(target):
            return
        shutil.rmtree(target)
    building.rename(target)
