"""Words and colours of a page."""

from __future__ import annotations

import string

from analysis.money import dollars
from protocols.answer_format import VERDICTS

NONE = "–"
"""What stands where there is nothing."""

HUES = ("h1", "h2", "h4", "h5", "h6")
"""Classes of the colours of labels, by the place of the label: those of the figures of the report."""


def hue(label: str | None) -> str:
    """The class of a label's colour. Beyond five colours they come again, with the label in them."""
    known = VERDICTS if label in VERDICTS else tuple(string.ascii_uppercase)
    return HUES[known.index(label) % len(HUES)] if label in known else "h0"


def count(number: float | None) -> str:
    """A whole number with commas."""
    return NONE if number is None else f"{int(number):,}"


def index(number: float) -> str:
    """A number from -1 to 1 with three decimals and a true minus; not a number stands for none."""
    return NONE if number != number else f"{number:.3f}".replace("-", "−")


def money(usd: float | None) -> str:
    """An amount in dollars."""
    return NONE if usd is None else dollars(usd)


def parameters(variant: str | None) -> str:
    """The parameters of a protocol in words."""
    from analysis.naming import label  # which brings pandas along, that most pages do without

    return label({"variant": variant or ""})


def said(name: str | None) -> str:
    """A name of the tables as a reader meets it."""
    return (name or NONE).replace("_", " ")
