"""Protocols and arms against each other, by hand."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.contingency_tables import mcnemar

from analysis.oversight import balance, differences, pooled
from analysis.oversight.arms import usual
from tests.analysis.oversight.played import Played

pytestmark = pytest.mark.long

RESOLVED = '{"after":"solo","turns":5}'


def against_debate(
    *decisions: tuple[str, str, str],
    source: str | None = None,
    judge: str = "judge",
    made: Played | None = None,
) -> Played:
    """Instances with a judgment of a resolution and of a debate in both ways; "" for none."""
    made = made or Played()
    for number, (resolved, *swaps) in enumerate(decisions):
        case = f"{source} {number}"
        made.question(case, source=source)
        opened = made.openings(case, "AB" if number % 2 == 0 else "BA")
        if resolved:
            made.judged(made.resolution(opened, "A A", variant=RESOLVED), resolved, judge)
        for swap, decision in enumerate(swaps):
            if decision:
                debate = made.debate(opened, "debate", variant='{"turns":3}', stance_swap=bool(swap))
                made.judged(debate, decision, judge)
    return made


def pair(
    frame: pd.DataFrame, value: str = "disagreement_resolution", against: str = "debate"
) -> dict[Hashable, Any]:
    [row] = frame[(frame["value"] == value) & (frame["against"] == against)].to_dict("records")
    return row


def test_the_difference_is_the_mean_over_instances_complete_in_both() -> None:
    made = against_debate(("A", "A", "B"), ("A", "B", "B"), ("B", "A", ""), ("A", "", ""), ("", "A", "A"))
    row = pair(differences.protocols(made.study))
    assert row["estimate"] == pytest.approx((0.5 + 1 - 1) / 3)
    assert (row["numerator"], row["against_numerator"], row["denominator"]) == (2, 1.5, 3)
    assert row["cases"] == 3
    assert row["low"] <= row["estimate"] <= row["high"]


def test_binary_scores_are_tested_by_mcnemar() -> None:
    made = against_debate(*[("A", "B", "")] * 5, ("B", "A", ""), ("A", "A", ""))
    row = pair(differences.protocols(made.study))
    assert (row["gained"], row["lost"], row["test"]) == (5, 1, "McNemar, exact")
    assert row["p"] == mcnemar([[1, 5], [1, 0]], exact=True).pvalue


def test_the_interval_is_of_10000_draws_of_instances() -> None:
    made = against_debate(*[("A", "B", "")] * 4, *[("B", "A", "")] * 2, *[("A", "A", "")] * 6)
    row = pair(differences.protocols(made.study))
    moved = np.array([1] * 4 + [-1] * 2 + [0] * 6)
    dice = np.random.default_rng(0)
    drawn = dice.choice(moved, (20_000, 12)).mean(axis=1)
    assert (row["low"], row["high"]) == pytest.approx(np.percentile(drawn, [2.5, 97.5]), abs=0.09)


def test_repetitions_are_instances_of_one_case() -> None:
    made = Played()
    for case, repetition, resolved, debated in (("c", 1, "A", "B"), ("c", 2, "A", "A"), ("d", 1, "B", "B")):
        opened = made.openings(case, repetition=repetition)
        made.judged(made.resolution(opened, "A A"), resolved)
        made.judged(made.debate(opened, "debate"), debated)
    by_case = pair(differences.protocols(made.study))
    by_instance = pair(differences.protocols(made.study, drawn="instance"))
    assert (by_case["denominator"], by_case["cases"], by_instance["cases"]) == (3, 2, 3)
    assert by_case["estimate"] == by_instance["estimate"] == pytest.approx(1 / 3)
    assert (by_case["test"], by_instance["test"]) == ("t of the difference, by case", "McNemar, exact")


def test_the_naive_judge_is_set_against_judges_whatever_they_see() -> None:
    made = against_debate(("A", "B", ""), ("A", "A", ""))
    for debate in [row["debate_id"] for row in made.rows["debates"] if row["protocol"] == "solo"]:
        made.judged(debate, "B", sees="nothing")
    made.failed("None 0", "solo", "judge")
    told = differences.protocols(made.study)
    assert list(zip(told["value"], told["against"], strict=True)) == [
        ("debate", "naive judge"),
        ("disagreement_resolution", "naive judge"),
        ("disagreement_resolution", "debate"),
    ]
    assert pair(told, against="naive judge")["estimate"] == 1
    assert told["failed"].tolist() == [1, 1, 0]
    assert set(told["sees"]) == {"transcript"}


def test_without_an_instance_in_both_there_is_no_difference() -> None:
    row = pair(differences.protocols(against_debate(("A", "", ""), ("", "A", "A")).study))
    assert row["estimate"] != row["estimate"]
    assert row["reason"] == "no case with both"


def test_one_instance_has_no_interval() -> None:
    assert (
        pair(differences.protocols(against_debate(("A", "B", "")).study))["reason"]
        == "one case only: no interval"
    )


def test_the_usual_arm_departs_least_and_is_not_steered() -> None:
    made = Played()
    opened = made.openings("c")
    for variant in ('{"history":"full","turns":5}', '{"history":"last","turns":2}', '{"turns":5}'):
        made.judged(made.resolution(opened, "A A", variant=variant), "A")
    made.judged(made.resolution(opened, "A A", steering="sycophantic+sycophantic"), "A")
    assert usual(made.study.judged)["variant"].tolist() == ['{"turns":5}']


def test_ablations_stand_against_the_usual_arm() -> None:
    made = Played()
    variants = {
        '{"history":"last","turns":5}': ("A", "A"),
        '{"history":"full","turns":5}': ("A", "B"),
        '{"best_of_n":{"n":4},"history":"last","turns":5}': ("B", "B"),
    }
    for number in range(2):
        opened = made.openings(f"c{number}")
        for variant, decisions in variants.items():
            made.judged(made.resolution(opened, "A A", variant=variant), decisions[number])
        steered = made.openings(f"c{number}", steering="vanilla+sycophantic")
        debate = made.resolution(
            steered, "A A", variant='{"history":"last","turns":5}', steering="vanilla+sycophantic"
        )
        made.judged(debate, "B")
    told = differences.ablations(made.study)
    assert dict(zip(told["value"], told["estimate"], strict=True)) == {
        "best of n (n 4)": -1,
        "history full": -0.5,
        "vanilla + sycophantic": -1,
    }
    assert set(told["against"]) == {"vanilla"}
    assert told["numerator"].tolist() == [0, 1, 0]
    assert told["against_numerator"].tolist() == [2, 2, 2]


def test_conditions_are_summed_up_unweighted_and_by_random_effects() -> None:
    made = against_debate(*[("A", "B", "")] * 3, ("A", "A", ""), source="x")
    against_debate(*[("A", "B", "")] * 2, *[("B", "B", "")] * 6, source="y", made=made)
    against_debate(("A", "A", ""), ("A", "A", ""), source="z", made=made)
    row = pair(pooled.summary(made.study))
    assert row["estimate"] == pytest.approx((0.75 + 0.25 + 0) / 3)
    assert (row["denominator"], row["in_random"], row["cases"]) == (3, 2, 14)
    weights = np.array([4 * 3 / 0.75, 8 * 7 / 1.5])  # n (n - 1) / sum of squares around the mean
    moved = np.array([0.75, 0.25])
    fixed = weights @ moved / weights.sum()
    q = weights @ (moved - fixed) ** 2
    tau2 = (q - 1) / (weights.sum() - (weights**2).sum() / weights.sum())
    assert (row["q"], row["tau2"]) == pytest.approx((q, tau2))
    random = 1 / (1 / weights + tau2)
    assert row["random"] == pytest.approx(random @ moved / random.sum())
    assert row["random_high"] - row["random"] == pytest.approx(1.959964 / np.sqrt(random.sum()))


def test_the_sweep_is_by_judge_over_data_sets() -> None:
    made = against_debate(("A", "B", ""), ("A", "A", ""), source="x")
    against_debate(("A", "A", ""), source="y", made=made)
    against_debate(("B", "A", ""), source="w", judge="other", made=made)
    told = pooled.sweep(made.study).set_index("judge")
    assert told["estimate"].to_dict() == {"judge": 0.25, "other": -1}
    assert told["denominator"].to_dict() == {"judge": 2, "other": 1}


def test_balance_is_the_mean_of_both_strata() -> None:
    made = against_debate(
        *(("A", "A", ""), ("A", "B", ""), ("B", "A", ""), ("B", "B", ""), ("A", "B", ""), ("", "A", ""))
    )  # even numbers: the first consultant is right; odd: the second
    row = pair(balance.estimate(made.study))
    assert (row["first_right"], row["second_right"], row["denominator"]) == (3, 2, 5)
    assert row["value_accuracy"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert row["against_accuracy"] == pytest.approx((2 / 3 + 0) / 2)
    assert row["estimate"] == pytest.approx(0.25)


def test_draws_of_balance_are_seeded_and_come_out_at_the_expectation() -> None:
    made = against_debate(
        *(("A", "A", ""), ("A", "B", ""), ("B", "A", ""), ("B", "B", ""), ("A", "B", ""), ("A", "A", ""))[:5]
    )
    drawn = balance.draws(made.study, 200)
    assert drawn["instances"].eq(4).all()
    assert set(drawn["difference"]) <= {-0.25, 0.0, 0.25, 0.5}
    row = pair(balance.estimate(made.study))
    assert drawn["difference"].mean() == pytest.approx(row["estimate"], abs=0.06)
    assert row["drawn"] == drawn["difference"].iloc[0]
    assert drawn[drawn["draw"] <= 5].reset_index(drop=True).equals(balance.draws(made.study, 5))


def test_instances_of_no_stratum_are_counted() -> None:
    made = Played()
    for case, said in (("c", "AB"), ("d", "BC"), ("e", "AA")):
        opened = made.openings(case, said)
        made.judged(made.resolution(opened, "A A"), "A")
        made.judged(made.debate(opened, "debate"), "A")
    row = pair(balance.estimate(made.study))
    assert (row["outside"], row["denominator"], row["reason"]) == (2, 1, balance.EMPTY)
    assert row["estimate"] != row["estimate"]


def test_without_judgments_there_are_no_rows() -> None:
    empty = Played().study
    frames = [differences.protocols(empty), differences.ablations(empty), pooled.summary(empty)]
    frames += [pooled.sweep(empty), balance.estimate(empty), balance.draws(empty, 2)]
    assert all(frame.empty for frame in frames)


def test_no_transformer_and_no_steering_is_plain_however_many_parameters_differ() -> None:
    made = Played()
    opened = made.openings("c")
    for variant in ('{"best_of_n":{"n":4}}', '{"turns":2,"words":60}', '{"critiqued":{"critic":"a"}}'):
        made.judged(made.debate(opened, "debate", variant=variant), "A")
    assert usual(made.study.judged)["variant"].tolist() == ['{"turns":2,"words":60}']
    told = differences.ablations(made.study)
    assert told["value"].tolist() == [
        "best of n (n 4), turns 3, words 0",
        "critiqued (critic a), turns 3, words 0",
    ]


def test_of_plain_forms_the_order_of_parameters_decides() -> None:
    """Not how many there are: form comes before turns and words."""
    made = Played()
    opened = made.openings("c")
    for variant in ('{"form":"alternating"}', '{"turns":2,"words":60}'):
        made.judged(made.debate(opened, "debate", variant=variant), "A")
    assert usual(made.study.judged)["variant"].tolist() == ['{"turns":2,"words":60}']


def test_a_protocol_without_a_plain_form_is_compared_under_the_names_of_its_forms() -> None:
    made = Played()
    opened = made.openings("c")
    made.judged(made.debate(opened, "debate", variant='{"best_of_n":{"n":4}}'), "B")
    made.judged(made.resolution(opened, "A A", variant=RESOLVED), "A")
    row = pair(differences.protocols(made.study), against="debate, best of n (n 4)")
    assert row["estimate"] == 1
    assert differences.ablations(made.study).empty


def test_consultancies_of_both_seats_are_one_protocol() -> None:
    """Seat 1 is judged rightly in both directions, seat 2 in neither: the mean is 1/2."""
    made = Played()
    opened = made.openings("c")
    for consultant, decision in (("{}", "A"), ('{"consultant":2}', "B")):
        for swap in (False, True):
            debate = made.debate(opened, "consultancy", variant=consultant, stance_swap=swap)
            made.judged(debate, decision)
    made.judged(made.resolution(opened, "A A", variant=RESOLVED), "A")
    assert pair(differences.protocols(made.study), against="consultancy")["estimate"] == 0.5
    assert differences.ablations(made.study).empty


def test_resolutions_judged_by_positions_are_set_against_transcripts_of_other_protocols() -> None:
    made = Played()
    for case in ("c", "d"):
        opened = made.openings(case)
        for protocol in ("debate", "double_consultancy"):
            made.judged(made.debate(opened, protocol), "B")
        made.judged(made.resolution(opened, "A A", variant=RESOLVED), "A", sees="positions")
    told = differences.protocols(made.study)
    assert told[["sees", "value", "against", "estimate"]].to_dict("split")["data"] == [
        [differences.ACROSS, "disagreement_resolution", "double_consultancy", 1.0],
        [differences.ACROSS, "disagreement_resolution", "debate", 1.0],
        ["transcript", "debate", "double_consultancy", 0.0],
    ]


def test_what_failed_of_either_side_is_counted_across_what_judges_see() -> None:
    made = Played()
    opened = made.openings("c")
    made.judged(made.debate(opened, "debate"), "?")
    made.judged(made.resolution(opened, "A A", variant=RESOLVED), "A", sees="positions")
    made.failed("c", "disagreement_resolution", "judge", variant=RESOLVED)
    row = pair(differences.protocols(made.study))
    assert (row["sees"], row["unreadable"], row["failed"]) == (differences.ACROSS, 1, 1)


def test_a_data_set_of_one_question_leaves_the_mean_over_data_sets_without_an_interval() -> None:
    made = against_debate(("A", "B", ""), ("A", "A", ""), ("B", "A", ""), source="x")
    against_debate(("A", "B", ""), source="y", made=made)
    for told in (pooled.sweep(made.study), pooled.summary(made.study)):
        row = pair(told)
        assert row["estimate"] == 0.5
        assert np.isnan(row["low"])
        assert np.isnan(row["high"])
        assert row["reason"] == pooled.ONE_EACH


def test_where_all_cases_move_alike_there_is_no_interval() -> None:
    row = pair(pooled.summary(against_debate(("A", "B", ""), ("A", "B", ""), source="x").study))
    assert row["estimate"] == 1
    assert np.isnan(row["low"])
    assert row["reason"] == pooled.ALIKE


def test_a_stratum_of_one_case_leaves_no_interval() -> None:
    row = pair(balance.estimate(against_debate(("A", "B", ""), ("A", "B", ""), ("A", "A", "")).study))
    assert row["estimate"] == 0.75
    assert np.isnan(row["low"])
    assert row["reason"] == balance.ONE_EACH


def test_the_data_set_stands_before_the_subject() -> None:
    made = against_debate(("A", "B", ""), source="GPQA / Physics / Optics")
    against_debate(("A", "A", ""), source="GPQA / Chemistry", made=made)
    told = differences.protocols(made.study, ["source"])
    assert (told["source"].tolist(), told["cases"].tolist()) == (["GPQA"], [2])
    assert differences.protocols(made.study, ["subject"])["subject"].tolist() == [
        "Chemistry",
        "Physics / Optics",
    ]
