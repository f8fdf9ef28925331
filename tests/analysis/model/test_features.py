"""The rows of the likelihood against debates counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.model.convention import DEFAULT, PAPER, Convention
from analysis.model.features import UnknownLabel, rows_of
from tests.analysis.model.debates import debate, simulated, told

THREE = debate("d", "round_robin", ("a", "b", "c"), "NYN", "NYE", "YYE")


def test_synchronous_seats_hear_the_last_round_only() -> None:
    rows = rows_of(debate("d", "synchronous", ("a", "b"), "NY", "YY"))
    assert told(rows) == [
        ("a", 1, "NTA", "", "", ""),
        ("b", 1, "YTA", "", "", ""),
        ("a", 2, "YTA", "NTA 1", "YTA 1", ""),
        ("b", 2, "YTA", "YTA 1", "NTA 1", ""),
    ]


def test_in_turn_earlier_speakers_of_the_round_are_heard_too() -> None:
    assert told(rows_of(THREE))[:6] == [
        ("a", 1, "NTA", "", "", ""),
        ("b", 1, "YTA", "", "", "NTA 1"),
        ("c", 1, "NTA", "", "", "NTA 1 YTA 1"),
        ("a", 2, "NTA", "NTA 1", "NTA 1 YTA 1", ""),
        ("b", 2, "YTA", "YTA 1", "NTA 2", "NTA 1"),
        ("c", 2, "ESH", "NTA 1", "NTA 1 YTA 1", "NTA 1 YTA 1"),
    ]


@pytest.mark.parametrize(
    ("convention", "prev", "within"),
    [
        (DEFAULT, "YTA 1 ESH 1", ""),
        (PAPER, "NTA 1 YTA 2 ESH 1", ""),
        (Convention(prev_of="all"), "NTA 1 YTA 1 ESH 1", ""),
        (Convention(prev_of="all", window="cumulative"), "NTA 3 YTA 2 ESH 1", ""),
        (Convention(scale="share"), "YTA 0.5 ESH 0.5", ""),
        (Convention(window="cumulative", scale="share"), "NTA 0.25 YTA 0.5 ESH 0.25", ""),
    ],
)
def test_conventions_of_the_first_speaker_in_round_three(
    convention: Convention, prev: str, within: str
) -> None:
    assert told(rows_of(THREE, convention))[6] == ("a", 3, "YTA", "NTA 1", prev, within)


def test_shares_within_the_round_are_of_those_who_spoke() -> None:
    assert told(rows_of(THREE, Convention(scale="share")))[5][5] == "NTA 0.5 YTA 0.5"


def test_in_a_self_debate_the_other_seat_is_another() -> None:
    rows = rows_of(debate("d", "synchronous", ("a", "a"), "NY", "NN"))
    later = {row[3:5] for row in told(rows) if row[1] == 2}
    assert later == {("NTA 1", "YTA 1"), ("YTA 1", "NTA 1")}


def test_an_unreadable_verdict_is_no_row_and_no_history() -> None:
    rows = rows_of(debate("d", "synchronous", ("a", "b"), "?Y", "NY"))
    assert told(rows) == [
        ("b", 1, "YTA", "", "", ""),
        ("a", 2, "NTA", "", "YTA 1", ""),
        ("b", 2, "YTA", "YTA 1", "", ""),
    ]


def test_an_unreadable_verdict_may_cost_its_debate() -> None:
    turns = pd.concat(
        [debate("d", "synchronous", ("a", "b"), "?Y", "NY"), debate("e", "synchronous", ("a", "b"), "NN")]
    )
    rows = rows_of(turns.reset_index(drop=True), Convention(unreadable="debate"))
    assert [row[2] for row in told(rows)] == ["NTA", "NTA"]


def test_what_a_debate_goes_on_from_is_history_and_counts_once() -> None:
    first = debate("d", "synchronous", ("a", "b"), "NY")
    second = debate("e", "synchronous", ("a", "b"), "NY", "YY", opening=1, stage="longer")
    rows = rows_of(pd.concat([first, second], ignore_index=True))
    assert told(rows) == told(rows_of(debate("d", "synchronous", ("a", "b"), "NY", "YY")))


def test_rows_do_not_depend_on_the_order_of_turns_or_their_types() -> None:
    turns = simulated(5)
    plain = turns.sample(frac=1, random_state=0).astype(
        dict.fromkeys(("debate_id", "case_id", "stage", "protocol", "seat", "model", "label"), "str")
    )
    one, other = (sorted(told(rows_of(each))) for each in (turns, plain))
    assert one == other


def test_labels_of_a_question_may_be_given() -> None:
    turns = debate("d", "synchronous", ("a", "b"), "NY").replace({"label": {"NTA": "A", "YTA": "B"}})
    assert rows_of(turns, labels=("A", "B")).x.shape == (3, 2, 2)
    with pytest.raises(UnknownLabel, match="debate d has the label 'A', expected one of NTA, YTA"):
        rows_of(turns)


def test_nothing_readable_is_refused() -> None:
    with pytest.raises(ValueError, match="no turn has a readable label"):
        rows_of(debate("d", "synchronous", ("a", "b"), "??"))


def test_with_the_last_round_all_seats_only_move_inertia() -> None:
    turns = simulated(5)
    others, everyone = rows_of(turns), rows_of(turns, replace(DEFAULT, prev_of="all"))
    assert np.array_equal(everyone.x[1], others.x[1] + others.x[0])


def test_in_hybrid_speakers_hear_each_other_from_round_2_on() -> None:
    rows = told(rows_of(debate("1", "hybrid", ("a", "b"), "NY", "NY")))
    assert [row[-1] for row in rows] == ["", "", "", "NTA 1"]
