"""Models that an experiment may name by `from`: blocks as data, with what is to be known of each."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, PositiveInt, TypeAdapter

from serving.blocks import ModelBlock
from serving.gpu_memory import Size, cache_tokens

FROM = "from"
MERGED = ("engine", "sampling", "accepts", "provider")  # by key; everything else is replaced


class Known(BaseModel):
    """One model: its `block`, `context` in tokens, and for people what else is to be known.

    `size` is there for models that run on GPUs of one's own; a `gated` one the hub gives only to
    accounts that have accepted its terms.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    block: dict[str, Any]
    context: PositiveInt
    size: Size | None = None
    gated: bool = False
    reasoning: str = "no"
    chat: str = "not known here"
    source: str

    @property
    def parallelism(self) -> tuple[int, int]:
        """GPUs that share each layer, and groups of them that share the layers."""
        return self.block.get("tensor_parallel", 1), self.block.get("pipeline_parallel", 1)

    @property
    def cache(self) -> int | None:
        """Tokens in the KV cache on GPUs of 80 GB; None of a hosted model."""
        return None if self.size is None else cache_tokens(self.size, *self.parallelism)


@cache
def known_models() -> dict[str, Known]:
    """All of them by name, in the order of the file."""
    rows = yaml.safe_load(files("serving").joinpath("known.yaml").read_text("utf-8"))
    return {name: Known.model_validate(row) for name, row in rows.items()}


@cache
def by_model() -> dict[str, Known]:
    """Those that run on GPUs of one's own by the name that the hub has for them."""
    return {known.block["model"]: known for known in known_models().values() if known.size is not None}


def known_model(name: object) -> Known:
    """The model of that name. Raises `ValueError` where there is none."""
    known = known_models()
    if not isinstance(name, str) or name not in known:
        near = get_close_matches(str(name), known, n=1)
        hint = f" (did you mean '{near[0]}'?)" if near else ""
        raise ValueError(f"a name that moot models list prints{hint}")
    return known[name]


def expanded(given: dict[str, Any]) -> dict[str, Any]:
    """A model as an experiment writes it, with what its `from` stands for put in.

    What stands beside `from` replaces it, key by key, and within `engine`, `sampling`, `accepts` and
    `provider` key by key again. Raises `ValueError` for a name that is not known.
    """
    if FROM not in given:
        return given
    block = dict(known_model(given[FROM]).block)
    for key, value in given.items():
        if key in MERGED and isinstance(value, dict) and isinstance(block.get(key), dict):
            block[key] = {**block[key], **value}
        elif key != FROM:
            block[key] = value
    return block


def block_of(name: str) -> ModelBlock:
    """The block of a known model, checked. Raises `ValueError` for a name that is not known."""
    block: ModelBlock = TypeAdapter[ModelBlock](ModelBlock).validate_python(known_model(name).block)
    return block
