"""From a played debate to the rows of its tables, and from a logged row back to a record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from protocols.case import Case
from protocols.dialogue import Ask, Message, Reply
from protocols.fingerprint import plain
from protocols.judge import Judgment
from protocols.label import Labelled
from protocols.record import Record
from protocols.stopping import consensus_label
from protocols.transcript import Transcript
from ray_jobs.log import Row
from ray_jobs.parts import Rows

SAME_NAME = (
    "text reasoning finish_reason provider prompt_tokens cached_tokens completion_tokens logprobs"
    " seed_sent seconds wait_seconds attempts cost_usd"
).split()
SUMS = ("prompt_tokens", "cached_tokens", "completion_tokens", "cost_usd")


def reply_row(design: Row, ask: Ask, record: Record, claim: str) -> Row:
    """One row of `replies`: a record, and what its ask tells beyond it."""
    reply = record.reply
    return {
        **design,
        **{name: getattr(reply, name) for name in SAME_NAME},
        "step": record.step,
        "slot": record.slot,
        "kind": ask.kind,
        "round": ask.round,
        "position": ask.position,
        "seat": ask.seat,
        "model": ask.model,
        "model_answered": reply.model,
        "prompt_hash": ask.prompt_hash,
        "fingerprint": record.fingerprint,
        "messages": [{"role": message.role, "content": message.content} for message in record.messages],
        "sampling": record.sampling,
        "ask_seed": record.seed,
        "time": moment(reply.time),
        "claim": claim,
    }


def record(row: Row) -> Record:
    """The record that a row of `replies` keeps."""
    return Record(
        step=row["step"],
        slot=row["slot"],
        seat=row["seat"],
        fingerprint=row["fingerprint"],
        messages=tuple(Message(message["role"], message["content"]) for message in row["messages"]),
        sampling=row["sampling"],
        answer_format=row["answer_format"],
        seed=row["ask_seed"],
        reply=Reply(
            **{name: row[name] for name in SAME_NAME},
            model=row["model_answered"],
            time=row["time"].timestamp(),
        ),
    )


def debate_rows(
    design: Row,
    case: Case,
    transcript: Transcript,
    replies: Sequence[Row],
    source: str | None = None,
    right: str | None = None,
) -> Rows:
    """All rows of one finished debate; `source` is the one that it goes on from, `right` the right label."""
    return {
        "replies": list(replies),
        "turns": turn_rows(design, transcript),
        "debates": [{**debate_row(design, case, transcript, replies, right), "source_debate": source}],
    }


def judgment_rows(design: Row, source: Row, judgment: Judgment, replies: Sequence[Row]) -> Rows:
    """All rows of one judgment; `source` tells who judged what."""
    judged = {
        **design,
        **source,
        "source_round": judgment.round,
        "decision": judgment.reading.label,
        "status": judgment.reading.status,
    }
    return _judged(design, source, [judged], replies)


def label_rows(design: Row, source: Row, labelled: Sequence[Labelled], replies: Sequence[Row]) -> Rows:
    """All rows of the labels that one debate was given in one pass; `source` tells who labelled what."""
    rows = [
        {
            **design,
            **source,
            "source_round": each.round,
            "source_seat": each.seat,
            "judged_labels": None if each.reading.values is None else list(each.reading.values),
            "status": each.reading.status,
        }
        for each in labelled
    ]
    return _judged(design, source, rows, replies)


def _judged(design: Row, source: Row, judgments: list[Row], replies: Sequence[Row]) -> Rows:
    ended = {
        "source_debate": source["source_debate"],
        "outcome": "judgment",
        "standing": "judgment",
        **_totals(replies),
    }
    return {"replies": list(replies), "judgments": judgments, "debates": [{**design, **ended}]}


def turn_rows(design: Row, transcript: Transcript) -> list[Row]:
    """The rows of `turns` of one debate."""
    return [
        {
            **design,
            "round": turn.round,
            "position": turn.position,
            "seat": turn.seat,
            "model": turn.model,
            "label": turn.label,
            "status": turn.reading.status,
            "explanation": turn.reading.explanation,
            "shown": turn.shown,
            **plain(turn.stated),
            "opening": place < transcript.openings,
        }
        for place, turn in enumerate(transcript.turns)
    ]


def debate_row(
    design: Row, case: Case, transcript: Transcript, replies: Sequence[Row], right: str | None
) -> Row:
    """The row of `debates` of one finished debate.

    Only what all seats hold in the end makes a consensus; where they vote the decision stands in its place.
    """
    finals = [transcript.final(seat.name) for seat in case.panel]
    speaking = [seat.name for seat in case.panel if seat.name not in transcript.silent]
    standing = standing_of([transcript.final(name) for name in speaking], right)
    agreed = standing == "agree"
    outcome = standing if len(speaking) < 2 else "consensus" if agreed else "no_consensus"
    label, first = (finals[0], _first_consensus(transcript)) if agreed else (None, None)
    if transcript.voted:
        label, first = transcript.decision, None
        outcome = standing = "unreadable" if label is None else "verdict"
    return {
        **design,
        "rounds": transcript.rounds,
        "outcome": outcome,
        "standing": standing,
        "consensus_label": label,
        "consensus_round": first,
        "final_labels": finals,
        "exit_mode": transcript.exit_mode,
        **_totals(replies),
    }


def standing_of(finals: Sequence[str | None], right: str | None) -> str:
    """How the last labels of the seats that spoke stand to each other, and to the right one if known."""
    if None in finals:
        return "unreadable"
    if len(finals) == 1:
        return "verdict"
    if len(set(finals)) == 1:
        return "agree"
    return "one_right" if finals.count(right) == 1 else "disagree"


def moment(seconds: float) -> datetime:
    """A time as the tables keep it: UTC, to the microsecond."""
    return datetime.fromtimestamp(seconds, UTC)


def _totals(replies: Sequence[Row]) -> Row:
    sums = {name: _sum(row[name] for row in replies) for name in SUMS}
    return {"calls": len(replies), **sums, "status": "finished"}


def _first_consensus(transcript: Transcript) -> int | None:
    if transcript.exit_mode:
        return transcript.rounds
    rounds = range(1, transcript.rounds + 1)
    return next((round for round in rounds if consensus_label(transcript, round)), None)


def _sum(values: Iterable[float | None]) -> float | None:
    found = list(values)
    known = [value for value in found if value is not None]
    return sum(known) if len(known) == len(found) else None
