"""`moot show`: a run's result, or one of its debates or judgments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from shlex import quote

import pyarrow.compute as pc
from rich.console import Console, RenderableType
from rich.text import Text

from analysis.oversight.glance import glance
from analysis.render import render
from analysis.schema import schema
from analysis.summary import summarise
from analysis.tables import parts
from analysis.tally import CONDITION
from ray_jobs.claims import refuse_labels
from ray_jobs.connection import connected
from ray_jobs.debate_page import debate_page
from ray_jobs.failure_page import failure_page
from ray_jobs.judgment_page import judgment_page
from ray_jobs.label_page import label_page
from ray_jobs.located import ExperimentError
from ray_jobs.log import Row
from ray_jobs.open_log import OpenLog
from ray_jobs.parts import read_parts
from ray_jobs.store import Store
from ray_jobs.studied import studied
from ray_jobs.unfinished import unfinished


def show_run(run: str, by: Sequence[str] | None, console: Console) -> None:
    """Prints the measures of a run by these design columns (None: by all), and names a debate to read."""
    refuse_labels(run)
    summary = summarise(run, connect=partial(connected, None), by=CONDITION if by is None else by)
    for said in unfinished(Store(run)):
        console.print(Text(said, style="yellow"), end="\n\n")
    console.print(render(summary))
    if _asks_questions(Store(run)):
        console.print(glance(studied(run)))
    for kind, example in (("debate", _example(Store(run))), ("judgment", _judgment(Store(run)))):
        if example is not None:
            line = f"A {kind} to read: moot show {quote(run)} {example}"
            console.print(line, highlight=False, soft_wrap=True, markup=False)


def show_debate(run: str, beginning: str, console: Console) -> None:
    """Prints the one debate or judgment whose id begins so; of one that failed, its last failure.

    Raises `RunNotFound`, or `ExperimentError` when none or several begin so.
    """
    refuse_labels(run)
    parts(run, "debates")
    store = Store(run)
    ended = find_debate(store, beginning)
    if "error_class" in ended:
        (case,) = _rows(store, "cases", "case_id", ended["case_id"])
        console.print(failure_page(case, ended, OpenLog(store).rows(ended["debate_id"])))
        return
    (case,) = _rows(store, "cases", "case_id", ended["case_id"])
    if ended["outcome"] == "judgment":
        console.print(_judgment_page(store, case, ended))
    else:
        turns, replies = (
            _rows(store, table, "debate_id", ended["debate_id"]) for table in ("turns", "replies")
        )
        console.print(debate_page(case, ended, turns, replies))


def _judgment_page(store: Store, case: Row, ended: Row) -> RenderableType:
    """The page of a judgment, or of the labels of a debate."""
    judgments, replies = (
        _rows(store, table, "debate_id", ended["debate_id"]) for table in ("judgments", "replies")
    )
    if {row["kind"] for row in judgments} == {"judge"}:
        return judgment_page(case, ended, judgments[0], replies[0])
    turns = _rows(store, "turns", "debate_id", ended["source_debate"])
    return label_page(case, ended, judgments, turns)


def find_debate(store: Store, beginning: str) -> Row:
    """The row of `debates` of the one debate or judgment whose id begins so; else its last of `failures`."""
    failures = {row["debate_id"]: row for row in _beginning(store, "failures", beginning)}
    finished = {row["debate_id"]: row for row in _beginning(store, "debates", beginning)}
    found = list((failures | finished).values())
    if not found:
        raise ExperimentError(
            f"{store.uri}: no debate that finished or failed has an id that begins with '{beginning}'"
        )
    if len(found) > 1:
        some = ", ".join(row["debate_id"] for row in found[:5])
        raise ExperimentError(
            f"{store.uri}: {len(found)} debates have ids that begin with '{beginning}': {some};"
            " give more of the id"
        )
    (debate,) = found
    return debate


def _beginning(store: Store, table: str, beginning: str) -> Iterator[Row]:
    """The rows of a table whose debate has an id that begins so."""
    for part in read_parts(store, table, schema(table).names):
        yield from part.filter(pc.starts_with(part["debate_id"], beginning)).to_pylist()


def _asks_questions(store: Store) -> bool:
    """Whether any case has options, so that there is somebody to be right."""
    return any(part["options"].null_count < len(part) for part in read_parts(store, "cases", ["options"]))


def _example(store: Store) -> str | None:
    """The id of the debate that took most rounds, of those the one with the smallest id."""
    longest: list[tuple[int, str]] = []
    for part in read_parts(store, "debates", ["rounds", "debate_id"]):
        debates = part.filter(pc.is_valid(part["rounds"]))  # a judgment has none
        ranked = zip(debates["rounds"].to_pylist(), debates["debate_id"].to_pylist(), strict=True)
        longest += sorted((-rounds, debate_id) for rounds, debate_id in ranked)[:1]
    return min(longest)[1] if longest else None


def _judgment(store: Store) -> str | None:
    """The smallest id of a judgment."""
    ids = (pc.min(part["debate_id"]).as_py() for part in read_parts(store, "judgments", ["debate_id"]))
    return min(filter(None, ids), default=None)


def _rows(store: Store, table: str, column: str, value: str) -> list[Row]:
    found = read_parts(store, table, schema(table).names)
    return [row for part in found for row in part.filter(pc.equal(part[column], value)).to_pylist()]
