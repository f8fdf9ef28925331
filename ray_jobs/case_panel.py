"""A case in a form that a person wants to read, with the design of what was played of it below."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from analysis.naming import label
from protocols.answer_format import LETTERS
from ray_jobs.log import Row


def case_panel(case: Row, design: Row) -> Panel:
    """The case, its options as they were listed with the right one marked, and the design of the row."""
    story: list[RenderableType] = [Text(plain(case["text"]))]
    if case.get("options"):
        story += [Text(), *_options(case, design)]
    title = Text(plain(case["title"] or case["case_id"]), style="bold")
    return Panel(Group(*story, Text(f"\n{_named(design)}", style="dim")), title=title, title_align="left")


def right_letter(case: Row, design: Row) -> str | None:
    """The letter of the right option where the debate or judgment lists it; None where none is known."""
    options = case.get("options") or ()
    right = [letter for letter, number in _listed(case, design) if options[number - 1] == case.get("truth")]
    return right[0] if right else None


def plain(text: str) -> str:
    """The text without control characters, line ends and tabs apart; other spaces are plain ones."""
    spaced = (" " if mark.isspace() and mark not in "\n\t" else mark for mark in text)
    return "".join(mark for mark in spaced if mark in "\n\t" or mark.isprintable())


def _options(case: Row, design: Row) -> Iterator[Text]:
    right = right_letter(case, design)
    for letter, number in _listed(case, design):
        line = Text(f"{letter}  {plain(case['options'][number - 1])}")
        yield line.append("  ← right", style="bold green") if letter == right else line
    if right is None:
        yield Text("The right answer is not known.", style="dim")


def _listed(case: Row, design: Row) -> list[tuple[str, int]]:
    """The letters with the numbers of the options that they stand for."""
    listing = design.get("listing")
    numbers = [*map(int, listing.split("-"))] if listing else range(1, len(case.get("options") or ()) + 1)
    return list(zip(LETTERS, numbers, strict=False))


def _named(design: Row) -> str:
    """The design in words: protocol and parameters, who sat there in which order, and what was exchanged."""
    variant = design.get("variant") or "{}"
    parts = [
        design["protocol"],
        label({"variant": variant}) if variant != "{}" else "",
        design["panel"],
        f"order {design['order']}",
        f"steering {design['steering']}",
        "stances exchanged" if design.get("stance_swap") else "",
        f"options listed {design['listing']}" if design.get("listing") else "",
    ]
    return " · ".join(filter(None, parts))
