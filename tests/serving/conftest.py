"""What the tests of serving share: real model folders, prepared once and kept, and a way to write asks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Facts, Message, Sampling
from serving.blocks import ModelBlock
from serving.catalogue import prepare

BLOCKS: TypeAdapter[ModelBlock] = TypeAdapter(ModelBlock)


@pytest.fixture(scope="session")
def tiny() -> Path:
    """The folder of the catalogue's tiny model."""
    return prepare("tiny")


@pytest.fixture(scope="session")
def smollm2() -> Path:
    """The folder of the catalogue's smollm2."""
    return prepare("smollm2")


@pytest.fixture
def read_block() -> Callable[..., ModelBlock]:
    """Reads a block as an experiment file would hold it."""
    return lambda **block: BLOCKS.validate_python(block)


@pytest.fixture
def write_ask() -> Callable[..., Ask]:
    """Writes an ask about one short case; arguments replace its parts."""

    def write(user: str = "Who is at fault?", **parts: object) -> Ask:
        messages = (Message("system", "You judge everyday conflicts."), Message("user", user))
        ask = {
            "messages": messages,
            "sampling": Sampling(),
            "answer_format": AnswerFormat(),
            "facts": Facts(),
        }
        return Ask(**({"seat": "s1", "model": "m"} | ask | parts))  # type: ignore[arg-type]

    return write
