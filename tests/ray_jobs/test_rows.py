"""What is written down of a debate: nothing of a reply is lost, and outcomes are what was said."""

from dataclasses import replace
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analysis.schema import schema
from protocols.answer_format import AnswerFormat
from protocols.case import Case, Seat
from protocols.dialogue import Ask, Message, Reply, Sampling
from protocols.reading import Reading
from protocols.record import Record
from protocols.transcript import Transcript, Turn
from ray_jobs.log import Row
from ray_jobs.rows import debate_row, record, reply_row, turn_rows

TEXT = st.text()  # all of Unicode but lone surrogates, NUL included
COUNTS = st.none() | st.integers(0, 2**62)
SECONDS = st.floats(0, 1e6)
REPLIES = st.builds(
    Reply,
    text=TEXT,
    finish_reason=st.sampled_from(["stop", "length", "content_filter"]),
    reasoning=TEXT,
    model=TEXT,
    provider=TEXT,
    prompt_tokens=COUNTS,
    cached_tokens=COUNTS,
    completion_tokens=COUNTS,
    logprobs=st.none() | TEXT,
    seed_sent=st.booleans(),
    seconds=SECONDS,
    wait_seconds=SECONDS,
    attempts=st.integers(1, 100),
    cost_usd=st.none() | SECONDS,
    time=st.integers(0, 2**32 * 1_000_000).map(lambda microseconds: microseconds / 1e6),
)
BLOCK: dict[str, str | None] = {"backend": "simulated", "model": "m", "revision": None, "base_url": None}


def ask_of(text: str) -> Ask:
    return Ask(
        seat="seat2",
        model="m",
        messages=(Message("system", text), Message("user", "And?"), Message("assistant", "")),
        sampling=Sampling(0.7, 9, 0.5, (("top_k", 3),)),
        answer_format=AnswerFormat("json"),
        seed=2**31 - 1,
        round=2,
        position=1,
        prompt_hash="p",
    )


def through_arrow(row: Row) -> Row:
    """The row after a log segment."""
    batch = pa.RecordBatch.from_pylist([row], schema("replies"))
    sink = BytesIO()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    [back] = pa.ipc.open_stream(sink.getvalue()).read_all().to_pylist()
    return dict(back)


def through_parquet(row: Row) -> Row:
    """The row after a part."""
    sink = BytesIO()
    pq.write_table(pa.Table.from_pylist([row], schema("replies")), sink, compression="zstd")
    [back] = pq.read_table(pa.BufferReader(sink.getvalue())).to_pylist()
    return dict(back)


@given(reply=REPLIES, said=TEXT)
@example(reply=Reply("\0 and \U0010ffff"), said="\0")
@example(reply=Reply("long " * 200_000), said="x" * 1_000_000)
def test_a_record_is_the_same_after_the_log_and_the_table(reply: Reply, said: str) -> None:
    written = Record.of(3, 1, ask_of(said), BLOCK, reply)
    row = reply_row({"debate_id": "d", "answer_format": "json"}, ask_of(said), written, "claim")
    assert set(row) <= set(schema("replies").names)
    assert record(through_arrow(row)) == written
    assert record(through_parquet(through_arrow(row))) == written


def transcript_of(*rounds: str) -> tuple[Case, Transcript]:
    """A debate in which each letter of a round is one seat's verdict, '-' an unreadable turn.

    Seats of the panel speak in reverse.
    """
    order = [f"seat{number}" for number in range(len(rounds[0]), 0, -1)]
    readings = {
        "n": Reading("ok", "NTA", "So.", ""),
        "y": Reading("ok", "YTA", "So.", ""),
        "-": Reading("missing", None, "So.", ""),
    }
    steps = tuple(
        tuple(
            Turn(number, position, seat, "m", readings[mark], text=mark, shown=mark)
            for position, (seat, mark) in enumerate(zip(order, reversed(said), strict=True), start=1)
        )
        for number, said in enumerate(rounds, start=1)
    )
    seats = tuple(Seat(seat, "Agent 1", "m", "") for seat in order)
    return Case("c", "Text.", seats), Transcript(steps)


@pytest.mark.parametrize(
    ("rounds", "outcome", "label", "first", "finals"),
    [
        (["n"], "verdict", None, None, ["NTA"]),
        (["-"], "unreadable", None, None, [None]),
        (["nn"], "consensus", "NTA", 1, ["NTA", "NTA"]),
        (["ny", "yy"], "consensus", "YTA", 2, ["YTA", "YTA"]),
        (["ny", "yn"], "no_consensus", None, None, ["YTA", "NTA"]),
        (["n-", "--"], "no_consensus", None, None, [None, None]),
        (["nny", "nyy", "n-n"], "no_consensus", None, None, ["NTA", None, "NTA"]),
        (["nn", "yn", "yy"], "consensus", "YTA", 1, ["YTA", "YTA"]),
        (["nn", "ny"], "no_consensus", None, None, ["NTA", "YTA"]),
        (["nyyyyyyyyyy"], "no_consensus", None, None, ["NTA", *["YTA"] * 10]),
    ],
)
def test_the_outcome_of_a_debate(
    rounds: list[str], outcome: str, label: str | None, first: int | None, finals: list[str | None]
) -> None:
    """Final labels go by the panel, not by who spoke first; only the last round makes a consensus."""
    case, transcript = transcript_of(*rounds)
    row = debate_row({"debate_id": "d"}, case, transcript, [], None)
    found = (row["outcome"], row["consensus_label"], row["consensus_round"], row["final_labels"])
    assert found == (outcome, label, first, finals)
    assert (row["rounds"], row["status"]) == (len(rounds), "finished")


@pytest.mark.parametrize(
    ("rounds", "standing", "outcome", "finals"),
    [
        (["ny"], "verdict", "verdict", ["NTA", None]),
        (["nn"], "verdict", "verdict", ["NTA", None]),
        (["n-"], "verdict", "verdict", ["NTA", None]),
        (["-y"], "unreadable", "unreadable", [None, None]),
    ],
)
def test_a_seat_that_is_silent_is_not_counted(
    rounds: list[str], standing: str, outcome: str, finals: list[str | None]
) -> None:
    case, transcript = transcript_of(*rounds)
    row = debate_row({}, case, replace(transcript, silent=("seat2",)), [], "NTA")
    assert (row["standing"], row["outcome"], row["final_labels"]) == (standing, outcome, finals)
    assert row["consensus_label"] is None


def test_a_sum_with_an_unknown_part_is_unknown() -> None:
    reply = Reply("", prompt_tokens=5, completion_tokens=2, cost_usd=0.5)
    replies = [
        reply_row({}, ask_of(""), Record.of(0, slot, ask_of(""), BLOCK, each), "claim")
        for slot, each in enumerate([reply, replace(reply, completion_tokens=None, cost_usd=0.25)])
    ]
    row = debate_row({}, *transcript_of("nn"), replies, None)
    assert (row["calls"], row["prompt_tokens"], row["cost_usd"]) == (2, 10, 0.75)
    assert (row["cached_tokens"], row["completion_tokens"]) == (None, None)


def test_every_turn_has_its_row() -> None:
    _, transcript = transcript_of("n-", "yn")
    rows = turn_rows({"debate_id": "d"}, transcript)
    assert [(row["round"], row["position"], row["seat"], row["label"], row["status"]) for row in rows] == [
        (1, 1, "seat2", None, "missing"),
        (1, 2, "seat1", "NTA", "ok"),
        (2, 1, "seat2", "NTA", "ok"),
        (2, 2, "seat1", "YTA", "ok"),
    ]
    assert set(rows[0]) <= set(schema("turns").names)
