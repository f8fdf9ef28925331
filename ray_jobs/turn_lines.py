"""One turn in a form to read: who speaks for what, what is stated beside it, and what it was made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ray_jobs.case_panel import plain
from ray_jobs.log import Row

COLOURS = ("cyan", "magenta", "green", "yellow", "blue")

RULES = {
    "outside": "answers what neither side held",
    "left_stance": "states another answer than it argues for",
    "over_limit": "is longer than the limit, and was cut there",
}
"""What a turn did that broke a rule, by the column `violation`."""

KINDS = {"candidate": "draft", "preference": "choice of a draft", "critique": "critique"}
"""What a turn is made of beside what is said, by the column `kind` of replies."""


def turn_lines(turn: Row, number: str, stands: str | None, made_of: Sequence[Row] = ()) -> RenderableType:
    """A turn of the agent of this `number`, of whose seat `stands` is the answer before it.

    `made_of` are the replies that were drafts of it, choices between them, or critiques.
    """
    colour = COLOURS[_place(turn) % len(COLOURS)]
    label = turn["label"] or f"({turn['status']})"
    line = Text.assemble(
        (f"Agent {number} · {turn['seat']} · {turn['model']}  ", colour),
        (label, f"bold reverse {colour}"),
    )
    if admitted(turn) and stands and turn["label"] != stands:
        line.append(f"  changed from {stands}", style="bold")
    if turn.get("violation") == "outside" and stands:
        line.append(f"  {stands} stands", style="bold")
    said = plain(turn["explanation"] if turn["label"] else turn["shown"]) or "(no explanation)"
    stated = [Padding(Text(one, style="dim"), (0, 0, 0, 2)) for one in _stated(turn)]
    return Padding(
        Group(*map(_made_of, made_of), line, *stated, Padding(Text(said), (0, 0, 0, 2))), (0, 0, 1, 0)
    )


def admitted(turn: Row) -> bool:
    """Whether its label is one that its seat holds from then on."""
    return bool(turn["label"]) and turn.get("violation") != "outside"


def _stated(turn: Row) -> Iterator[str]:
    """What was stated beside label and text, and which rule was broken."""
    action, claimed = turn.get("action"), turn.get("stated_action")
    confidence = turn.get("confidence")
    parts = [
        f"{_part(turn)} {turn['stance']}" if turn.get("stance") else "",
        f"confidence {confidence:g}" if confidence is not None else "",
        f"action {action}" if action else "",
        f"stated action {claimed}" if claimed and claimed != action else "",
    ]
    if any(parts):
        yield " · ".join(filter(None, parts))
    if turn.get("violation"):
        yield f"breaks a rule ({turn['violation']}): {RULES[turn['violation']]}"
    if turn.get("crux"):
        yield f"crux: {plain(turn['crux'])}"


def _part(turn: Row) -> str:
    """Whether the stance is a confederate's, in words."""
    return "confederate, planted" if turn.get("planted") else "argues for"


def _made_of(reply: Row) -> RenderableType:
    head = Text(f"{KINDS[reply['kind']]} · {reply['seat']} · {reply['model']}", style="dim italic")
    said = Text(plain(reply["text"]).strip() or "(nothing)", style="dim")
    return Padding(Group(head, Padding(said, (0, 0, 0, 2))), (0, 0, 1, 4))


def _place(turn: Row) -> int:
    return int(turn["seat"].removeprefix("seat")) - 1
