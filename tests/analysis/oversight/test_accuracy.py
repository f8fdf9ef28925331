"""How often judges are right, by hand."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pandas as pd
import pytest

from analysis.oversight import accuracy
from analysis.oversight.options import NONE, OptionError
from tests.analysis.oversight.played import Played

pytestmark = pytest.mark.long


def only(frame: pd.DataFrame) -> dict[Hashable, Any]:
    [row] = frame.to_dict("records")
    return row


def two_ways(*decisions: tuple[str, str]) -> Played:
    """Fixed-stance debates of some cases in both ways of the stances; "" for a judgment that there is not."""
    made = Played()
    for number, pair in enumerate(decisions):
        opened = made.openings(f"c{number}")
        for swap, decision in enumerate(pair):
            debate = made.debate(opened, "debate", "BA" if swap else "AB", stance_swap=bool(swap))
            if decision:
                made.judged(debate, decision)
    return made


def test_a_debate_scores_the_mean_over_its_swaps_then_over_instances() -> None:
    row = only(accuracy.estimate(two_ways(("A", "A"), ("A", "B"), ("B", "B")).study))
    assert (row["numerator"], row["denominator"], row["estimate"]) == (1.5, 3, 0.5)
    assert row["wilson_low"] != row["wilson_low"]  # no proportion of trials


def test_where_one_swap_failed_the_other_is_the_score_and_pooling_differs() -> None:
    made = two_ways(("A", ""), ("B", "B"))
    made.failed("c0", "debate", "judge", stance_swap=True)
    row = only(accuracy.estimate(made.study))
    assert (row["estimate"], row["denominator"], row["failed"]) == (0.5, 2, 1)
    pooled = only(accuracy.estimate(made.study, pooled=True))
    assert (pooled["numerator"], pooled["denominator"]) == (1, 3)


def test_a_failed_debate_is_missing_for_every_judge() -> None:
    made = two_ways(("A", "A"), ("A", "B"))
    made.judged(made.rows["judgments"][0]["source_debate"], "A", "other")
    made.failed("c1", "debate", stance_swap=True)
    assert accuracy.estimate(made.study)["failed"].tolist() == [1, 1]


def test_passes_are_averaged_within_a_transcript() -> None:
    made = two_ways(("A", "B"))
    first = made.rows["judgments"][0]["source_debate"]
    made.judged(first, "B", **{"pass": 2})
    made.judged(first, "B", **{"pass": 3})
    row = only(accuracy.estimate(made.study))
    assert row["estimate"] == pytest.approx((1 / 3 + 0) / 2)


def test_neither_and_unreadable_are_wrong_and_counted() -> None:
    made = Played()
    for number, decision in enumerate(("1", "2", "neither", "?")):
        debate = made.debate(made.openings(f"c{number}"), "debate")
        made.judged(debate, decision, answers="winner")
    row = only(accuracy.estimate(made.study))
    assert (row["numerator"], row["denominator"]) == (1, 4)
    assert (row["neither"], row["unreadable"]) == (1, 1)
    assert row["wilson_low"] == pytest.approx(0.0456, abs=1e-4)


def test_a_winner_is_the_agent_by_its_number_and_its_answer_by_the_last_labels() -> None:
    made = Played()
    debate = made.debate(made.openings("c"), "debate", "BA", stance_swap=True, labels="2-1")
    made.judged(debate, "1", answers="winner")  # agent 1 is the second seat, which argues for A
    assert only(accuracy.estimate(made.study))["estimate"] == 1


def test_a_letter_is_an_option_by_the_listing() -> None:
    made = Played()
    made.question("c", truth="three")
    opened = made.openings("c", "AB", listing="3-1-2-4")
    made.judged(made.debate(opened, "consultancy"), "A")
    assert only(accuracy.estimate(made.study))["estimate"] == 1


def test_a_letter_past_the_listing_is_an_error() -> None:
    made = Played()
    made.judged(made.debate(made.openings("c"), "consultancy"), "E")
    with pytest.raises(OptionError, match=r"'E'.*has 4 places; allowed: A to D"):
        _ = made.study


def test_a_truth_that_is_no_option_is_an_error() -> None:
    made = Played()
    made.question("c", truth="five")
    with pytest.raises(OptionError, match="case 'c': the truth is 'five'"):
        _ = made.study


def test_questions_without_a_truth_are_left_out_and_counted() -> None:
    made = Played()
    made.question("c", truth=None)
    made.judged(made.debate(made.openings("c"), "debate"), "A")
    row = only(accuracy.estimate(made.study))
    assert (row["denominator"], row["unknown"], row["reason"]) == (0, 1, accuracy.EMPTY)
    assert row["estimate"] != row["estimate"]


def test_moral_cases_are_none_of_the_study() -> None:
    made = Played()
    made.rows["cases"].append({"case_id": "c"})
    made.judged(made.openings("c", known=True), "NTA")
    assert len(made.study.judged) == len(made.study.debates) == 0
    assert accuracy.estimate(made.study).empty


def test_naive_judges_and_data_sets_are_told_apart() -> None:
    made = Played()
    for number, (source, decision) in enumerate((("x", "A"), ("x", "B"), ("y", "B"))):
        made.question(f"c{number}", source=source)
        opened = made.openings(f"c{number}")
        made.judged(opened, decision, sees="nothing")
        made.judged(made.debate(opened, "debate"), "A")
    told = accuracy.estimate(made.study, ["protocol", "source"]).set_index(["protocol", "source", "sees"])
    assert told["estimate"].to_dict() == {
        ("debate", "x", "transcript"): 1,
        ("debate", "y", "transcript"): 1,
        ("solo", "x", "nothing"): 0.5,
        ("solo", "y", "nothing"): 0,
    }


def test_consultants_are_right_or_not_and_under_the_filter_sum_to_one() -> None:
    made = Played()
    for number, said in enumerate(("AB", "BA", "AC", "BC", "AA", "A?")):
        made.openings(f"c{number}", said)
    told = accuracy.consultants(made.study).set_index(["model", "among"])
    assert told["estimate"].to_dict() == pytest.approx(
        {
            ("alpha", "all"): 4 / 6,
            ("alpha", "disagreed"): 2 / 4,
            ("alpha", "one right"): 2 / 3,
            ("beta", "all"): 2 / 6,
            ("beta", "disagreed"): 1 / 4,
            ("beta", "one right"): 1 / 3,
        }
    )
    assert told.loc[("beta", "all"), "unreadable"] == 1


def test_a_model_that_sits_twice_is_told_by_seat() -> None:
    made = Played()
    made.openings("c", "AB", panel="alpha+alpha")
    told = accuracy.consultants(made.study)
    assert told[told["among"] == "all"][["seat", "estimate"]].to_numpy().tolist() == [
        ["seat1", 1],
        ["seat2", 0],
    ]


def test_where_there_is_nothing_there_are_no_rows() -> None:
    assert accuracy.estimate(Played().study).empty
    assert accuracy.consultants(Played().study).empty


@pytest.mark.parametrize(
    ("said", "labels", "decision", "chosen"),
    [
        *(("A", "1", "1", 1), ("B", "1", "1", 2), ("A", "1", "neither", NONE), ("?", "1", "1", NONE)),
        *(("AB", "2-1", "1", 2), ("AB", "2-1", "2", 1), ("AB", "", "2", 2)),
        *(("ABC", "2-3-1", "1", 3), ("ABC", "2-3-1", "2", 1), ("ABC", "2-3-1", "3", 2)),
        *(("A?C", "1-2-3", "2", NONE), ("ABCDA", "5-4-3-2-1", "5", 1), ("ABCDA", "5-4-3-2-1", "2", 4)),
    ],
)
def test_the_winner_on_a_panel_of_any_size_stands_for_its_answer(
    said: str, labels: str, decision: str, chosen: int
) -> None:
    made = Played()
    panel = "+".join(["alpha", "beta", "gamma", "delta", "alpha"][: len(said)])
    opened = made.openings("c", said, panel=panel, n_seats=len(said), labels=labels)
    made.judged(opened, decision, answers="winner")
    [row] = made.study.judged.to_dict("records")
    assert (row["chosen"], row["right"]) == (chosen, chosen == 1)
    assert accuracy.estimate(made.study)["numerator"].tolist() == [int(chosen == 1)]


def test_consultancies_are_told_by_who_argues_for_what() -> None:
    made = Played()
    opened = made.openings("c")
    for variant, swap, decision in (("{}", False, "A"), ("{}", True, "B"), ('{"consultant":2}', False, "B")):
        made.judged(made.debate(opened, "consultancy", variant=variant, stance_swap=swap), decision)
    made.failed("c", "consultancy", variant='{"consultant":2}', stance_swap=True)
    told = accuracy.consultancies(made.study)
    assert told[["consultant", "argues_for", "estimate"]].to_dict("split")["data"] == [
        ["seat1", "its own answer", 1.0],
        ["seat1", "the other's", 0.0],
        ["seat2", "its own answer", 0.0],
    ]
    [row] = accuracy.estimate(made.study).to_dict("records")
    assert row["estimate"] == pytest.approx(1 / 3)
    assert (row["variant"], row["failed"]) == ("{}", 1)
