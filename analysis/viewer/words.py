"""Words and colours of a page."""

from __future__ import annotations

import string

from analysis import naming
from analysis.money import dollars
from analysis.report import stack
from analysis.report.units import NONE
from protocols.answer_format import VERDICTS


def hue(label: str | None) -> str:
    """The class of a label's colour: that of the figures of the report. Beyond five they come again."""
    known = VERDICTS if label in VERDICTS else tuple(string.ascii_uppercase)
    if label not in known:
        return "h0"
    return f"h{stack.VERDICTS[known.index(label) % len(stack.VERDICTS)].removeprefix('f')}"


def money(usd: float | None) -> str:
    """An amount in dollars."""
    return NONE if usd is None else dollars(usd)


def parameters(variant: str | None) -> str:
    """The parameters of a protocol in words."""
    return naming.label({"variant": variant or ""})


def said(name: str | None) -> str:
    """A name of the tables as a reader meets it."""
    return (name or NONE).replace("_", " ")
