"""Models of the Hugging Face hub, fetched once to each node.

Whoever starts an engine fetches the model's snapshot before, holding a lock in the hub's cache: of all
replicas on a node, which share its cache, one downloads, and the others then find everything there. A
snapshot that is there is not asked for again; should it lack a part, its engine fetches that.
Folders, and machines on which the hub is switched off (HF_HUB_OFFLINE), are left alone.
"""

from __future__ import annotations

from pathlib import Path

from serving.catalogue import HUB_NAME, missing_from, resolve
from serving.errors import ModelError

TOKENIZER = ["tokenizer*", "*.jinja", "special_tokens_map.json", "config.json"]
OTHER_FORMS = ["original/*", "consolidated*", "*.gguf", "*.onnx", "*.h5", "*.msgpack", "*.pth"]
PICKLED = ["*.bin", "*.pt"]  # the same weights once more, where there are safetensors


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
            if _cached(name, revision):
                return
            files = HfApi().list_repo_files(name, revision=revision)
            tensors = any(file.endswith(".safetensors") for file in files)
            unwanted = [*OTHER_FORMS, *(PICKLED if tensors else [])]
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


def _cached(name: str, revision: str | None) -> bool:
    """Whether a snapshot with weights is on this node."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        folder = snapshot_download(name, revision=revision, local_files_only=True)
    except LocalEntryNotFoundError:
        return False
    return missing_from(Path(folder)) is None


def _not_had(model: str, endpoint: str, error: Exception) -> str:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return (
        f"model '{model}' cannot be fetched from {endpoint}: {reason} Check the name and the revision, that"
        " this node reaches the hub, and for gated models HF_TOKEN in its environment; or name a folder"
    )
