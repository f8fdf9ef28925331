"""The courses of debates: written into tallies and read from them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from analysis import outcomes
from analysis.course_tally import count
from analysis.courses import SILENT, UNREADABLE, read
from analysis.tally import merge
from analysis.turns import COLUMNS, frame
from tests.analysis.counting import coursed, said, tallied, two_seats
from tests.analysis.synthetic import Debate, draw, table


def test_a_course_is_written_as_rounds_of_verdicts() -> None:
    [row] = count(frame(table([two_seats("N?", "NY")], "turns").select(COLUMNS))).to_pylist()
    assert json.loads(row["item"]) == [["NTA", None], ["NTA", "YTA"]]
    assert (row["seat"], row["model"], row["count"]) == ("seat 1+seat 2", "alpha+beta", 1)


def test_seats_stand_in_the_order_in_which_they_speak() -> None:
    turns = table([two_seats("NY")], "turns")
    at = turns.column_names.index("position")
    second_first = turns.set_column(at, "position", pa.array([2, 1]))
    found = read(merge([count(frame(second_first.select(COLUMNS)))]))
    assert found.seatings == ((("seat 2", "seat 1"), ("beta", "alpha")),)
    assert [found.vocabulary[code] for code in found.verdicts[0, 0]] == ["YTA", "NTA"]
    assert found.slots.set_index("seat").loc["seat 1", "predecessor"] == "beta"


def test_what_is_past_the_end_of_a_course_is_silent() -> None:
    three = Debate("t", "synchronous", ("a", "b", "c"), None, "default", said("NN?"))
    found = coursed([three, two_seats("NY", "NN")])
    assert found.verdicts.shape == (2, 2, 3)
    by_length = {len(found.seatings[row.seating][0]): row.course for row in found.rows.itertuples()}
    assert found.verdicts[by_length[3]].tolist() == [[0, 0, UNREADABLE], 3 * [SILENT]]
    assert found.verdicts[by_length[2]].tolist() == [[0, 1, SILENT], [0, 0, SILENT]]
    assert outcomes.turns(found.verdicts)[[by_length[3], by_length[2]]].tolist() == [3, 4]


def test_debates_of_one_course_and_case_are_one_row() -> None:
    again = [replace(two_seats("NY", "NN"), id=str(number)) for number in range(5)]
    assert coursed(again).rows["count"].tolist() == [5]


@pytest.mark.parametrize("seed", range(3))
def test_no_turn_is_lost(seed: int) -> None:
    debates = [debate for debate in draw(seed, 80) if not debate.error]
    found = coursed(debates)
    taken = outcomes.turns(found.verdicts)[found.rows["course"]] @ found.rows["count"]
    assert taken == sum(len(turns) for debate in debates for turns in debate.said)
    unreadable = (found.verdicts == UNREADABLE).sum(axis=(1, 2))[found.rows["course"]] @ found.rows["count"]
    assert unreadable == sum(
        one.label is None for debate in debates for turns in debate.said for one in turns
    )


def test_without_debates_there_are_no_courses() -> None:
    nothing = read(tallied([]))
    assert nothing.rows.empty
    assert nothing.slots.empty
    assert outcomes.consensus_round(nothing.verdicts).tolist() == []


def test_questions_have_the_answers_that_were_given() -> None:
    asked = Debate("q", "solo", ("a",), None, "default", ((replace(said("N")[0][0], label="B"),),))
    assert coursed([asked]).vocabulary == ("B",)
    assert np.array_equal(coursed([asked]).verdicts, [[[0]]])


def resolution(*rounds: str) -> Debate:
    """A disagreement resolution that begins with the openings of its first round."""
    return replace(two_seats(*rounds), protocol="disagreement_resolution")


def test_where_a_disagreement_is_resolved_an_answer_stands_until_another_is_admitted() -> None:
    """In round 2 both write ESH, which neither held; in round 3 one cannot be read, the other adopts."""
    found = coursed([resolution("NY", "ee", "?N")])
    assert [[found.vocabulary[code] for code in said] for said in found.verdicts[0]] == [
        ["NTA", "YTA"],
        ["NTA", "YTA"],
        ["NTA", "NTA"],
    ]
    assert outcomes.consensus_round(found.verdicts).tolist() == [3]


def test_an_answer_outside_is_none_before_there_is_one_and_none_of_other_debates_is_left() -> None:
    found = coursed([resolution("?Y", "eY")])
    assert found.verdicts[0, :, 0].tolist() == [UNREADABLE, UNREADABLE]
    assert outcomes.consensus_round(coursed([two_seats("NY", "?Y")]).verdicts).tolist() == [0]


def test_debates_that_go_on_from_others_are_not_among_those_that_begin() -> None:
    later = replace(two_seats("NN"), id="later", variant='{"after":"solo"}')
    failed = [replace(one, id=f"failed {one.id}", error="Lost", said=()) for one in (two_seats(), later)]
    found = coursed([two_seats("NY"), later, *failed]).begun
    assert found.rows["variant"].tolist() == ["{}"]
    assert found.failed["variant"].tolist() == ["{}"]
