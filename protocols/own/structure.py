"""A protocol by the name that stands in the column `protocol`: a built-in one, or one of somebody's own."""

from __future__ import annotations

from collections.abc import Callable

from protocols import PROTOCOLS
from protocols.dialogue import Dialogue
from protocols.own.module import source_of
from protocols.own.played import own_protocol
from protocols.own.source import SEP
from protocols.transcript import Transcript


def structure(name: str) -> Callable[..., Dialogue[Transcript]]:
    """The protocol of this name: a key of `PROTOCOLS`, or `function@hash`.

    Raises `SourceError` for one of neither kind.
    """
    return PROTOCOLS[name] if name in PROTOCOLS else own_protocol(name)


def is_own(name: str) -> bool:
    """Whether it is the name of a protocol whose source has been imported in this process."""
    return SEP in name and source_of(name.partition(SEP)[2]) is not None


def is_known(name: str) -> bool:
    """Whether there is a protocol of this name here."""
    return name in PROTOCOLS or is_own(name)
