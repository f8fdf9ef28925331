"""One debate or judgment that failed, in a form to read: the case, what was said, what happened."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from ray_jobs.case_panel import case_panel, plain
from ray_jobs.debate_page import WIDTH
from ray_jobs.log import Row
from ray_jobs.whose import unnamed, whose


def failure_page(case: Row, failure: Row, logged: Sequence[Row]) -> RenderableType:
    """The page of its last failure, from its row of `failures` and the replies that the log has of it."""
    page = Group(
        case_panel(case, failure),
        Rule(f"stage {failure['stage']}: failed", style="dim"),
        *map(_said, logged),
        _failure(failure),
    )
    return Constrain(page, WIDTH)


def _said(row: Row) -> RenderableType:
    head = Text(f"round {row['round']} · {row['seat']} · {row['model']}", style="cyan")
    said = Text(plain(row["text"]) or "(nothing)")
    return Padding(Group(head, Padding(said, (0, 0, 0, 2))), (0, 0, 1, 0))


def _failure(failure: Row) -> Text:
    if failure["seat"] is None:
        return _failed(f"the protocol: {failure['error_class']}", failure, "")
    model = whose(failure["seat"], failure["message"]) or "a model that is not named"
    tries = "1 attempt" if failure["attempts"] == 1 else f"{failure['attempts']} attempts"
    took = f"{tries}, {failure['wait_seconds'] or 0.0:.1f} s waited"
    return _failed(f"{failure['seat']}, {model}: {failure['error_class']}", failure, f"{took} · ")


def _failed(what: str, failure: Row, took: str) -> Text:
    when = f"{failure['time']:%Y-%m-%d %H:%M:%S} UTC"
    return Text.assemble(
        (what, "bold red"),
        f"\n{plain(unnamed(failure['message']))}\n",
        (f"{took}{when} · debate {failure['debate_id']}", "dim"),
    )
