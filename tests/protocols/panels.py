"""Panels for tests: the built-in protocols on the cases that every protocol is tried on."""

from __future__ import annotations

from inspect import signature
from typing import Any

from protocols import PROTOCOLS
from protocols.case import Case
from protocols.dialogue import Dialogue
from protocols.laws.panels import (
    BLOCKS,
    MODELS,
    OPTIONS,
    QUESTION,
    TEXT,
    TITLE,
    Order,
    Played,
    Replier,
    case,
    orderly,
    play_out,
    question,
)
from protocols.play import Play
from protocols.transcript import Transcript

__all__ = [
    "BLOCKS",
    "MODELS",
    "OPTIONS",
    "QUESTION",
    "TEXT",
    "TITLE",
    "Order",
    "Played",
    "Replier",
    "case",
    "dialogue",
    "orderly",
    "play_out",
    "played",
    "question",
]


def dialogue(protocol: str, case: Case, **options: Any) -> Dialogue[Transcript]:
    """The dialogue of `protocol`, given those `options` that it has."""
    structure = PROTOCOLS[protocol]
    options = {"rounds": 4, **options}
    return structure(
        case, **{name: options[name] for name in options if name in signature(structure).parameters}
    )


def played(protocol: str, case: Case, reply_to: Replier = orderly, **options: Any) -> Played:
    """`protocol` played on `case` from beginning to end."""
    return play_out(Play(dialogue(protocol, case, **options), seed=7), reply_to)
