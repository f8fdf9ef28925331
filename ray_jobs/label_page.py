"""The labels of one debate in a form that a person wants to read: explanations, and the values found."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from ray_jobs.case_panel import case_panel, plain
from ray_jobs.debate_page import WIDTH, taken
from ray_jobs.log import Row
from ray_jobs.turn_lines import COLOURS


def label_page(case: Row, ended: Row, labels: Sequence[Row], turns: Sequence[Row]) -> RenderableType:
    """The page of one labelling, from its rows of `debates` and `judgments`, and the `turns` labelled."""
    said = {(turn["round"], turn["seat"]): turn["explanation"] for turn in turns}
    ordered = sorted(labels, key=lambda row: (row["source_round"], row["source_seat"]))
    page = Group(
        case_panel(case, ended),
        Rule(f"stage {ended['stage']}", style="dim"),
        *(_labelled(row, said[row["source_round"], row["source_seat"]]) for row in ordered),
        *([] if labels else [Text("No explanation was there to be labelled.", style="bold")]),
        Rule(style="dim"),
        Text(f"of debate {ended['source_debate']} · {taken('labels', ended)}", style="dim"),
    )
    return Constrain(page, WIDTH)


def _labelled(row: Row, said: str) -> RenderableType:
    colour = COLOURS[(int(row["source_seat"].removeprefix("seat")) - 1) % len(COLOURS)]
    place = f"round {row['source_round']} · {row['source_seat']}"
    line = Text.assemble(
        (f"{place} · {row['judge']}, pass {row['pass']}  ", colour), (_found(row), f"bold {colour}")
    )
    return Padding(Group(line, Padding(Text(plain(said)), (0, 0, 0, 2))), (0, 0, 1, 0))


def _found(row: Row) -> str:
    if row["judged_labels"] is None:
        return f"({row['status']})"
    return plain(", ".join(row["judged_labels"])) or "none of the values"
