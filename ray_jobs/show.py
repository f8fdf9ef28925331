"""`moot show`: a run's result, or one of its debates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pyarrow.compute as pc
from rich.console import Console

from analysis.render import render
from analysis.schema import schema
from analysis.summary import summarise
from analysis.tables import parts
from analysis.tally import CONDITION
from ray_jobs.connection import connected
from ray_jobs.debate_page import debate_page
from ray_jobs.located import ExperimentError
from ray_jobs.log import Row
from ray_jobs.parts import read_parts
from ray_jobs.standing import Standing
from ray_jobs.store import Store


def show_run(run: str, by: Sequence[str] | None, console: Console) -> None:
    """Prints the measures of a run by these design columns (None: by all), and names a debate to read."""
    summary = summarise(run, connect=partial(connected, None), by=CONDITION if by is None else by)
    for part in filter(None, [_unfinished(Store(run)), render(summary)]):
        console.print(part)
    example = _example(Store(run))
    if example is not None:
        console.print(f"A debate to read: moot show {run} {example}", highlight=False, soft_wrap=True)


def _unfinished(store: Store) -> str:
    """A warning when not all that is planned is finished."""
    finished = Standing.of(store).finished
    if finished.all():
        return ""
    return (
        f"[yellow]{finished.sum():,} of {len(finished):,} planned debates are finished.[/] Debates that agree"
        " early end first, so until all are, the shares below lean towards early consensus.\n"
    )


def show_debate(run: str, beginning: str, console: Console) -> None:
    """Prints the one debate whose id begins so.

    Raises `RunNotFound`, or `ExperimentError` when none or several begin so.
    """
    parts(run, "debates")
    store = Store(run)
    debate = find_debate(store, beginning)
    turns = _rows(store, "turns", "debate_id", debate["debate_id"])
    (case,) = _rows(store, "cases", "case_id", debate["case_id"])
    console.print(debate_page(case, debate, turns))


def find_debate(store: Store, beginning: str) -> Row:
    """The row of `debates` of the one debate whose id begins so."""
    found: list[Row] = [
        row
        for part in read_parts(store, "debates", schema("debates").names)
        for row in part.filter(pc.starts_with(part["debate_id"], beginning)).to_pylist()
    ]
    if not found:
        raise ExperimentError(f"{store.uri}: no finished debate has an id that begins with '{beginning}'")
    if len(found) > 1:
        some = ", ".join(row["debate_id"] for row in found[:5])
        raise ExperimentError(
            f"{store.uri}: {len(found)} debates have ids that begin with '{beginning}': {some};"
            " give more of the id"
        )
    (debate,) = found
    return debate


def _example(store: Store) -> str | None:
    """The id of the debate that took most rounds, of those the one with the smallest id."""
    longest: list[tuple[int, str]] = []
    for part in read_parts(store, "debates", ["rounds", "debate_id"]):
        ranked = zip(part["rounds"].to_pylist(), part["debate_id"].to_pylist(), strict=True)
        longest += [min(((-rounds, debate_id) for rounds, debate_id in ranked), default=(0, ""))]
    return min(longest)[1] if longest else None


def _rows(store: Store, table: str, column: str, value: str) -> list[Row]:
    found = read_parts(store, table, schema(table).names)
    return [row for part in found for row in part.filter(pc.equal(part[column], value)).to_pylist()]
