"""From a published debate to the rows of a run's tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import blake2b

from protocols.case import Case, Seat
from protocols.label import Labelled
from protocols.transcript import Transcript
from ray_jobs.design import Cell
from ray_jobs.listing import right_label
from ray_jobs.log import Row
from ray_jobs.parts import Rows
from ray_jobs.published.row_lists import Published, UnusableRow
from ray_jobs.rows import SUMS, debate_rows, label_rows


def imported_rows(
    design: Row, cell: Cell, debate: Published, transcript: Transcript, claim: str, truth: str | None
) -> Rows:
    """All rows of a debate; there is a reply for every message, of which no more is known than its text.

    `truth` is that of its case, as in the table of cases.
    """
    seats = tuple(
        Seat(f"seat{number}", f"Agent {number}", model, "")
        for number, model in enumerate(cell.panel, start=1)
    )
    replies = [
        _reply(design, step, slot, transcript, debate, claim)
        for step, turns in enumerate(transcript.steps)
        for slot, turn in enumerate(turns)
        if turn.text
    ]
    case = Case(design["case_id"], "", seats)
    right = right_label(case.answer_format, truth)
    return debate_rows(design, case, transcript, replies, right=right)


def _reply(design: Row, step: int, slot: int, transcript: Transcript, debate: Published, claim: str) -> Row:
    turn = transcript.steps[step][slot]
    return {
        **design,
        **dict.fromkeys(SUMS),
        "step": step,
        "slot": slot,
        "kind": "turn",
        "round": turn.round,
        "position": turn.position,
        "seat": turn.seat,
        "model": turn.model,
        "model_answered": debate.agents[turn.position - 1].name,
        "text": turn.text,
        "claim": claim,
    }


def unusable_rows(design: Row, place: str, error: UnusableRow) -> Rows:
    """The row of `failures` for a debate whose row cannot be used."""
    told = {"error_class": type(error).__name__, "message": f"{place}: {error}", "attempts": 0}
    return {"failures": [{**design, **told, "time": datetime.now(UTC)}]}


def values_rows(design: Row, judge: str, labelled: Sequence[Labelled]) -> Rows:
    """The rows of the values that the published `judge` found in a debate, under an id of their own."""
    unit = "\x1f".join([judge, design["debate_id"]])
    own = {"stage": judge, "debate_id": blake2b(unit.encode(), digest_size=8).hexdigest(), "seed": None}
    source = {
        "source_debate": design["debate_id"],
        "kind": "label",
        "judge": judge,
        "pass": 1,
        "sees": "explanation",
    }
    rows = label_rows({**design, **own}, source, labelled, ())
    return {table: of_table for table, of_table in rows.items() if of_table}
