"""Readings, totals and failures against plain counts."""

from __future__ import annotations

import math

import pandas as pd
import pyarrow as pa
import pytest

from analysis import failures, readings, totals
from analysis.schema import schema as schema_of
from analysis.summary import COUNTED
from analysis.tally import merge
from analysis.turns import COLUMNS, frame
from tests.analysis.counting import tallied, two_seats
from tests.analysis.synthetic import draw, judge, rows, table


@pytest.mark.parametrize("seed", range(3))
def test_readings_equal_the_plain_count(seed: int) -> None:
    """Of turns said in the debate itself: those of the one it goes on from count there."""
    debates = judge(draw(seed, 80), seed)
    turns = [turn for turn in rows(debates, "turns") if not turn["opening"]]
    assert len(turns) < len(rows(debates, "turns"))
    found = readings.estimate(tallied(debates))
    for row in found.itertuples():
        own = [turn["status"] for turn in turns if turn["model"] == row.model]
        assert (row.numerator, row.denominator) == (own.count(row.status), len(own))
    assert found["numerator"].sum() == len(turns)


@pytest.mark.parametrize(("text", "of_beta"), [('"text":"I am sure.",', None), ("", 2)])
def test_what_a_confederate_reads_out_was_read_from_nobody(text: str, of_beta: int | None) -> None:
    """Without a text the model of the seat is asked for the explanation, and that is a reading."""
    variant = f'{{"planted":{{"seats":[2],{text}"verdict":"drawn"}}}}'
    turns = [
        {**turn, "variant": variant, "seat": turn["seat"].replace(" ", "")}
        for turn in rows([two_seats("NY", "NY")], "turns")
    ]
    made = pa.Table.from_pylist(turns, schema_of("turns")).select(COLUMNS)
    found = readings.estimate(readings.count(frame(made)))
    assert dict(zip(found["model"], found["denominator"], strict=True)) == {
        "alpha": 2,
        **({"beta": of_beta} if of_beta else {}),
    }


def test_totals_are_sums_and_null_where_a_term_is_unknown() -> None:
    debates = judge(draw(5, 80), 5)
    replies, played = rows(debates, "replies"), [debate for debate in debates if not debate.error]
    judged = [one for debate in debates for one in debate.judged]
    [total] = totals.estimate(tallied(debates)).to_dict("records")
    assert (total["debates"], total["failed"]) == (len(played), len(debates) - len(played))
    assert total["judgments"] == sum(not one.error for one in judged)
    assert total["failed_judgments"] == sum(bool(one.error) for one in judged) > 0
    assert total["cases"] == len({debate.case for debate in played})
    assert (total["calls"], total["prompt_tokens"]) == (len(replies), 100 * len(replies))
    assert (total["cached_tokens"], total["completion_tokens"]) == (40 * len(replies), 7 * len(replies))
    assert pd.isna(total["cost_usd"]), "a refused reply has no known price here"


def test_costs_are_added_exactly_by_model() -> None:
    debates = judge(draw(6, 80, unreadable=0), 6, unreadable=0)
    replies = rows(debates, "replies")
    for row in totals.estimate_models(tallied(debates)).itertuples():
        own = [reply["cost_usd"] for reply in replies if reply["model"] == row.model]
        assert row.calls == len(own)
        assert row.cost_usd == pytest.approx(math.fsum(own), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_replies_cut_off_are_counted_whether_or_not_they_could_be_read(seed: int) -> None:
    debates = draw(seed, 80)
    replies = rows(debates, "replies")
    for row in totals.estimate_models(tallied(debates)).itertuples():
        own = [reply["finish_reason"] == "length" for reply in replies if reply["model"] == row.model]
        assert (row.cut_off, row.cut_off_share) == (sum(own), pytest.approx(sum(own) / len(own)))


def test_where_a_reply_does_not_say_how_it_ended_nothing_is_said_of_cuts() -> None:
    columns, counted = COUNTED["replies"]
    replies = table([two_seats("NN")], "replies").select(columns)
    unsaid = replies.set_column(
        replies.column_names.index("finish_reason"), "finish_reason", pa.array(["length", None])
    )
    found = totals.estimate_models(merge([counted(unsaid)])).set_index("model")
    assert found.loc["alpha", ["cut_off", "cut_off_share"]].tolist() == [1, 1.0]
    assert found.loc["beta", ["cut_off", "cut_off_share"]].isna().all()


def test_failed_debates_and_judgments_are_counted_by_error_class() -> None:
    debates = judge(draw(7, 80, failing=0.5), 7)
    errors = [debate.error for debate in debates if debate.error]
    judged = [one.error for debate in debates for one in debate.judged if one.error]
    found = failures.estimate(tallied(debates)).set_index("error_class")
    assert found["debates"].to_dict() == {error: errors.count(error) for error in errors}
    assert found["judgments"].to_dict() == {error: judged.count(error) for error in errors}


def test_of_each_model_and_class_it_is_told_what_was_said_most_often() -> None:
    """In one line and in brief, whatever parts there are."""

    def failure(id: str, message: str, seat: str = "seat1") -> dict[str, object]:
        return {"debate_id": id, "error_class": "auth", "message": message, "seat": seat}

    parts = [
        [failure("1", "model 'm': no\x1b key"), failure("2", "model 'm': first")],
        [failure("3", "model 'm': no\n  key"), failure("4", "judge 'j': " + "x" * 200, "judge")],
        [failure("5", "nobody named")],
    ]
    columns, counted = COUNTED["failures"]
    schema = pa.schema([schema_of("failures").field(name) for name in columns])
    tallies = merge([counted(pa.Table.from_pylist(rows, schema)) for rows in parts])
    told = failures.estimate(tallies)[["model", "said", "debates", "judgments"]].values.tolist()
    assert told == [["m", "no key", 3, 0], ["", "nobody named", 1, 0], ["j", "x" * 100, 0, 1]]


def test_of_nothing_there_are_no_shares_and_zero_totals() -> None:
    tallies = tallied([])
    [total] = totals.estimate(tallies).to_dict("records")
    assert (total["debates"], total["cases"], total["failed"], total["calls"]) == (0, 0, 0, 0)
    assert (total["judgments"], total["failed_judgments"]) == (0, 0)
    assert readings.estimate(tallies).empty
    assert totals.estimate_models(tallies).empty
    assert failures.estimate(tallies).empty
