"""Shapes and words of a figure, as the text of SVG."""

from __future__ import annotations

from html import escape
from textwrap import wrap

LETTER = 0.52
"""How wide a letter is on average, in sizes of its font."""


def tag(name: str, *content: str, **attributes: object) -> str:
    """An element. Names of attributes are written with _ for -, and `kind` for class; content is markup."""
    said = "".join(
        f' {"class" if key == "kind" else key.replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
    )
    inner = "".join(content)
    return f"<{name}{said}>{inner}</{name}>" if inner else f"<{name}{said}/>"


def words(x: float, y: float, said: str, kind: str = "", anchor: str = "start") -> str:
    """Text on the base line `y`: it begins, ends or has its middle at `x`."""
    return tag("text", escape(said), kind=f"t {kind}".strip(), x=x, y=y, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A line from one point to another."""
    return tag("line", kind=kind, x1=x1, y1=y1, x2=x2, y2=y2)


def tooltip(said: str) -> str:
    """What a mark says when one rests on it, to be put into its element."""
    return tag("title", escape(said))


def broken(said: str, width: float, size: float) -> list[str]:
    """A text in lines about `width` wide in a font of this size, broken after commas where it can be.

    A word that is longer has a line of its own.
    """
    room = int(width / (LETTER * size))
    lines: list[str] = []
    for part in said.split(", "):
        longer = f"{lines[-1]}, {part}" if lines else part
        if lines and len(longer) <= room:
            lines[-1] = longer
        else:
            lines = [*lines[:-1], *(f"{last}," for last in lines[-1:])]
            lines += wrap(part, room, break_long_words=False, break_on_hyphens=False)
    return lines


def _value(value: object) -> str:
    """A value of an attribute; coordinates have two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else escape(str(value))
