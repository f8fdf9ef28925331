"""`moot status`: how far a run is, seen from its directory alone, while it is played or after a crash."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ray_jobs.bulletin import Bulletin, latest
from ray_jobs.claims import claim_ids
from ray_jobs.ended import Extent
from ray_jobs.ending import ending
from ray_jobs.failed import failed, last_failures, reasons
from ray_jobs.gauge_lines import budget_lines, gate_lines
from ray_jobs.hand_labels import labels_there
from ray_jobs.lease import live_holders
from ray_jobs.open_log import OpenLog
from ray_jobs.plan import Plan
from ray_jobs.standing import Standing
from ray_jobs.store import Store, reach


def show_status(run: str, console: Console) -> None:
    """Prints who plays the run, what has ended by cell, failures by class, and what would be continued.

    Raises `ExperimentError` when `run` is no run directory.
    """
    reach(run)
    store = Store(run)
    if not claim_ids(store) and (by_hand := list(labels_there(store))):
        console.print(f"{store.uri}: {len(by_hand):,} explanations labelled by {by_hand[0]['judge']}")
        return
    standing = Standing.of(store)
    what = "labels by stage, of debates that have ended" if standing.labels else "debates by cell"
    done = set(standing.ended.finished.tolist())
    live, told = bool(live_holders(store)), latest(store)
    newest = claim_ids(store)[-1]
    console.print(
        Group(
            _holder(store, standing),
            *([] if live else _ended(told, newest, standing, len(last_failures(store, done)))),
            *_bulletin(told, live, newest),
            "",
            Text(f"Finished {what}; what ended within the last minute may be missing", "italic"),
            *_of_designs(standing),
            *_stages(standing.plan, standing.further),
            *_beyond(standing),
            *_failures(store, done),
            _log(store, done),
        )
    )


def _holder(store: Store, standing: Standing) -> Text:
    live = live_holders(store)
    if live:
        who = f"is being played by process {live[0].process} on {live[0].host}"
    else:
        who = "is not being played now" if standing.left else "is finished"
    times = "once" if standing.starts == 1 else f"{standing.starts} times"
    fork = f"; a fork of {standing.fork}" if standing.fork else ""
    return Text(f"{store.uri} {who}; started {times}{fork}", style="bold")


def _ended(told: Bulletin | None, newest: str, standing: Standing, failed: int) -> list[Text]:
    """Why it is not being played."""
    stopped = told.stopped if told is not None and told.claim == newest else {}
    return [Text(line) for line in ending(standing.left, failed, stopped)]


def _bulletin(bulletin: Bulletin | None, live: bool, newest: str) -> list[RenderableType]:
    if live and (bulletin is None or bulletin.claim != newest):
        return [Text("starting: nothing has been told of this start yet")]
    if bulletin is None:
        return []
    age = f"told {bulletin.age:.0f} s ago" if live else "told at last"
    left = f" · {bulletin.left}" if live and bulletin.left else ""
    lines = [Text(f"{age}: {bulletin.line}{left}")]
    for name in dict.fromkeys([*bulletin.models, *(gate.model for gate in bulletin.gates)]):
        told = ", ".join(
            f"{value:,.0f} {what}" if what == "calls" else f"{value:,.1f} {what}"
            for what, value in bulletin.models.get(name, {"calls": 0.0}).items()
        )
        lines.append(Text(f"  {name}: {told} since that start"))
        lines += gate_lines(bulletin.gates, name) if live else ()
    lines += budget_lines(bulletin.budget) if bulletin.budget else ()
    lines += [Text(f"  being started again: {each}", style="yellow") for each in bulletin.restarting]
    if live:
        lines += [Text(f"  {each}", style="dim") for each in bulletin.waiting]
    return list(lines)


def _of_designs(standing: Standing) -> list[RenderableType]:
    return [] if standing.labels else [_cells(standing.plan, standing.finished), ""]


def _cells(plan: Plan, finished: npt.NDArray[np.bool_]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("protocol", "panel", "order", "steering", "answer"):
        table.add_column(heading, overflow="fold")
    for heading in ("finished", "of"):
        table.add_column(heading, justify="right")
    by_cell = finished.reshape(-1, len(plan.cells)).sum(axis=0)
    each = len(plan) // len(plan.cells)
    for cell, count in zip(plan.cells, by_cell, strict=True):
        order, steering = "-".join(map(str, cell.order)), "+".join(dict.fromkeys(cell.steering))
        row = (cell.protocol, "+".join(cell.panel), order, steering, cell.answer_format)
        table.add_row(*row, f"{count:,}", f"{each:,}")
    return table


def _stages(plan: Plan, extents: Sequence[Extent]) -> list[RenderableType]:
    if not extents:
        return []
    table = Table(title="Finished by stage", title_justify="left", box=None, pad_edge=False)
    for heading in ("stage", "from", "keep"):
        table.add_column(heading, overflow="fold")
    for heading in ("finished", "of at most"):
        table.add_column(heading, justify="right")
    for each in extents:
        stage = plan.stages[each.stage]
        table.add_row(stage.name, stage.source, stage.keep, f"{each.ended:,}", f"{each.most:,}")
    return [table, ""]


def _beyond(standing: Standing) -> list[Text]:
    if not standing.beyond:
        return []
    return [
        Text(f"{standing.beyond:,} further debates and judgments are there that are not planned (any more)")
    ]


def _failures(store: Store, done: set[int]) -> list[Text]:
    told = failed(store, done)
    if not told:
        return []
    again = "the same command with --retry-failed plays them again"
    first = [Text(f"  {reason}", style="yellow") for reason in reasons(store, done)]
    return [Text(f"Failed: {told}; {again}. The first of each:"), *first]


def _log(store: Store, done: set[int]) -> Text:
    log = OpenLog(store)
    replies = [count for debate, count in log.replies.items() if int(debate, 16) not in done]
    kept = f"{sum(replies):,} replies of {len(replies):,} open debates, which are not asked for again"
    return Text("\n".join([f"In the log: {kept}", *log.torn]))
