"""Models of the Hugging Face hub, fetched once to each node.

Whoever starts an engine fetches the model's snapshot before, holding a lock in the hub's cache: of all
replicas on a node, which share its cache, one downloads, and the others then find everything there. What
is there as a whole is not asked for again.
Folders, and machines on which the hub is switched off (HF_HUB_OFFLINE), are left alone.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from serving.catalogue import HUB_NAME, missing_from, resolve
from serving.errors import ModelError

TOKENIZER = ["tokenizer*", "*.jinja", "special_tokens_map.json", "config.json"]
OTHER_FORMS = ["original/*", "consolidated*", "*.gguf", "*.onnx", "*.h5", "*.msgpack", "*.pth"]
LATEST = [*OTHER_FORMS, "*.bin", "*.pt"]  # where there are safetensors


def fetch(model: str, revision: str | None = None) -> None:
    """Sees to it that the model's snapshot is on this node. Raises `ModelError` where it cannot be had."""
    name = resolve(model)
    if not _on_hub(name):
        return
    from huggingface_hub import HfApi, constants, snapshot_download

    lock = Path(constants.HF_HUB_CACHE) / ".locks" / f"moot--{name.replace('/', '--')}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    from filelock import FileLock

    try:
        with FileLock(lock):
            if cached(name, revision):
                return
            files = HfApi().list_repo_files(name, revision=revision)
            unwanted = LATEST if any(file.endswith(".safetensors") for file in files) else OTHER_FORMS
            snapshot_download(name, revision=revision, ignore_patterns=unwanted)
    except (OSError, ValueError) as error:
        raise ModelError(_not_had(model, constants.ENDPOINT, error)) from None


def tokenizer_folder(model: str, revision: str | None = None) -> Path | None:
    """A folder with the model's tokenizer; None where it cannot be had on this node."""
    name = resolve(model)
    if not HUB_NAME.fullmatch(name):
        return Path(name)
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, revision=revision, allow_patterns=TOKENIZER))
    except (OSError, ValueError):
        return None


def _on_hub(name: str) -> bool:
    """Whether the hub is to be asked for it."""
    if Path(name).is_dir() or not HUB_NAME.fullmatch(name):
        return False
    from huggingface_hub import constants

    return not constants.HF_HUB_OFFLINE


def cached(name: str, revision: str | None) -> bool:
    """Whether the whole snapshot of a model of the hub is on this node, in one form of the weights."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    for unwanted in (LATEST, OTHER_FORMS):
        with suppress(LocalEntryNotFoundError):
            folder = snapshot_download(
                name, revision=revision, ignore_patterns=unwanted, local_files_only=True
            )
            if missing_from(Path(folder)) is None:
                return True
    return False


def _not_had(model: str, endpoint: str, error: Exception) -> str:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return (
        f"model '{model}' cannot be fetched from {endpoint}: {reason} Check the name and the revision, that"
        " this node reaches the hub, and for gated models HF_TOKEN in its environment; or name a folder"
    )
