"""What consultants do turn by turn, by hand: actions, calibration, beliefs, exits, agreement."""

from __future__ import annotations

import pytest

from analysis.oversight import actions, agreement, beliefs, calibration, exits, losses
from analysis.oversight.moves import moves, standing
from tests.analysis.oversight.played import Played

pytestmark = pytest.mark.long


def one(*turns: str, said: str = "AB", **design: object) -> Played:
    """One resolution."""
    made = Played()
    made.resolution(made.openings("c", said), *turns, **design)
    return made


def kinds(made: Played) -> list[tuple[str, int, str]]:
    rows = moves(made.study)
    return list(zip(rows["seat"], rows["t"], rows["kind"], strict=True))


def test_the_four_actions() -> None:
    assert kinds(one("A B", "B B")) == [
        ("seat1", 1, "persistence"),
        ("seat2", 1, "stubbornness"),
        ("seat1", 2, "overthinking"),
        ("seat2", 2, "stubbornness"),
    ]
    assert ("seat2", 1, "recovery") in kinds(one("A A"))


def test_both_switching_swaps_the_answers_and_the_dialogue_goes_on() -> None:
    made = one("B A", "B B")
    assert kinds(made) == [
        ("seat1", 1, "overthinking"),
        ("seat2", 1, "recovery"),
        ("seat1", 2, "stubbornness"),
        ("seat2", 2, "overthinking"),
    ]
    assert standing(made.study)[0].tolist() == [[1, 2], [2, 1], [2, 2]]


def test_a_violation_is_counted_apart_and_leaves_the_answer_standing() -> None:
    made = one("!C B", "A B", "?  B")
    assert kinds(made)[0] == ("seat1", 1, "violation")
    assert ("seat1", 2, "persistence") in kinds(made)
    assert kinds(made)[4] == ("seat1", 3, "unreadable")
    assert standing(made.study)[0].tolist() == [[1, 2]] * 4
    told = actions.estimate(made.study)
    first = told[(told["level"] == "seat") & (told["seat"] == "seat1")]
    assert first["denominator"].tolist() == [1] * 4
    assert first["estimate"].tolist() == [1, 0, 0, 0]
    assert (first["violation"].iloc[0], first["unreadable"].iloc[0]) == (1, 1)


def test_where_nobody_is_right_or_nobody_knows_turns_are_counted_apart() -> None:
    made = one("B C", said="BC")
    made.question("d", truth=None)
    made.resolution(made.openings("d"), "A A")
    told = actions.estimate(made.study)
    assert told["estimate"].isna().all()
    assert set(told["reason"]) == {actions.EMPTY}
    assert told["neither_right"].tolist() == told["truth_unknown"].tolist() == [1] * len(told)


def test_after_they_agree_there_is_nothing_to_do() -> None:
    assert kinds(one("A A", "A A"))[2:] == [("seat1", 2, "agreed before"), ("seat2", 2, "agreed before")]


def test_shares_are_by_seat_and_by_model_where_one_sits_twice() -> None:
    told = actions.estimate(one("A B", "A A", panel="alpha+alpha").study).set_index(
        ["level", "seat", "action"]
    )
    assert told.loc[("model", "", "persistence"), "numerator"] == 2
    assert told.loc[("model", "", "persistence"), "denominator"] == 4
    assert told.loc[("seat", "seat1", "persistence"), "estimate"] == 1
    assert told.loc[("seat", "seat2", "recovery"), "estimate"] == 0.5


def test_shares_sum_to_one() -> None:
    told = actions.estimate(one("A B", "B A", "?  A", "!C B").study)
    assert told.groupby(["level", "model", "seat"], observed=True)["estimate"].sum().tolist() == [1.0] * 4


def test_calibration_of_each_action_in_both_definitions() -> None:
    told = calibration.estimate(one("Ah Bh", "Al Bm", "A  Ah").study)
    own = told[told["level"] == "seat"].set_index(["model", "action", "score"])
    right = (0.25**2 + 0.75**2) / 2
    assert own.loc[("alpha", "persistence", "chosen"), "estimate"] == right
    assert own.loc[("alpha", "persistence", "converted"), "estimate"] == right
    assert own.loc[("alpha", "persistence", "chosen"), ["denominator", "unconfident"]].tolist() == [2, 1]
    assert own.loc[("beta", "stubbornness", "chosen"), "estimate"] == (0.75**2 + 0.5**2) / 2
    assert own.loc[("beta", "stubbornness", "converted"), "estimate"] == (0.25**2 + 0.5**2) / 2
    assert own.loc[("beta", "recovery", "chosen"), "estimate"] == 0.0625


def test_an_action_without_any_confidence_is_null_with_a_reason() -> None:
    told = calibration.estimate(one("A B").study)
    assert told["estimate"].isna().all()
    assert set(told["reason"]) == {calibration.EMPTY}
    assert set(told["unconfident"]) == {1}


def test_beliefs_of_the_last_answers_and_the_bound_on_being_wrong() -> None:
    made = one("Ah Bh", "Ah Bl")
    made.resolution(made.openings("d"), "Am A")
    told = beliefs.estimate(made.study)
    own = told[told["level"] == "seat"].set_index(["model", "among"])
    assert own.loc[("alpha", "all"), "estimate"] == (0.25**2 + 0.5**2) / 2
    assert own.loc[("alpha", "by the rule"), "denominator"] == 2
    assert own.loc[("beta", "all"), ["wrong", "bound", "unconfident"]].tolist() == [1, 4 * 0.25**2, 1]
    assert not own.loc[("beta", "all"), "holds"]  # confidence .25 in B says that A is right: no such rule
    assert own.loc[("beta", "by the rule"), "reason"] == beliefs.EMPTY
    assert own["holds"].isna().tolist() == [False, False, False, True]


def test_a_last_turn_that_broke_a_rule_has_no_belief() -> None:
    told = beliefs.estimate(one("Ah Bh", "!Ch Bh").study).set_index(["level", "model", "among"])
    assert told.loc[("seat", "alpha", "all"), "denominator"] == 0
    assert told.loc[("seat", "alpha", "all"), "unconfident"] == 1


def test_exit_modes_and_agreement_by_turn() -> None:
    made = one("A A", exit_mode="consensus")
    for number, (turns, mode) in enumerate(
        ((("A B", "A A"), "consensus"), (("A B",) * 4 + ("B A",), "swapped"), (("A B",) * 5, "turn_limit"))
    ):
        made.resolution(made.openings(f"d{number}"), *turns, exit_mode=mode)
    made.failed("c", "disagreement_resolution", variant='{"turns":5}')
    told = exits.estimate(made.study)
    assert told["estimate"].tolist() == [0.5, 0.25, 0.25]
    assert told["failed"].tolist() == [1, 1, 1]
    by_turn = agreement.estimate(made.study)
    assert by_turn["turn"].tolist() == [1, 2, 3, 4, 5]
    assert by_turn["estimate"].tolist() == [0.25, 0.5, 0.5, 0.5, 0.5]


def test_accuracy_is_the_sum_over_the_ways_to_end() -> None:
    made = Played()
    for number, (mode, decision) in enumerate(
        (("consensus", "A"), ("consensus", "B"), ("swapped", "A"), ("turn_limit", "?"), ("turn_limit", "A"))
    ):
        made.judged(made.resolution(made.openings(f"c{number}"), "A B", exit_mode=mode), decision)
    told = exits.right(made.study)
    assert told["estimate"].tolist() == [0.2, 0.2, 0.2]
    assert told["estimate"].sum() == pytest.approx(0.6)


def test_rules_broken_and_turns_not_read_by_protocol() -> None:
    made = one("!C B", "?  B")
    opened = made.openings("d", "?B")
    made.debate(opened, "debate", turns=["A B"])
    told = losses.violations(made.study, ["protocol"]).set_index(["protocol", "seat", "kind"])
    assert told.loc[
        ("disagreement_resolution", "seat1", "outside"), ["numerator", "denominator"]
    ].tolist() == [1, 2]
    assert told.loc[("disagreement_resolution", "seat1", "unreadable"), "estimate"] == 0.5
    assert told.loc[("solo", "seat1", "unreadable"), ["numerator", "denominator"]].tolist() == [1, 2]
    assert told.loc[("debate", "seat1", "outside"), "estimate"] == 0


def test_failures_by_protocol() -> None:
    made = one("A A")
    made.judged(made.rows["debates"][1]["debate_id"], "A")
    made.failed("c", "disagreement_resolution", variant='{"turns":5}')
    made.failed("c", "disagreement_resolution", "judge", variant='{"turns":5}')
    told = losses.failures(made.study, ["protocol"]).set_index(["protocol", "what"])
    assert told["estimate"].to_dict() == {
        ("disagreement_resolution", "debates"): 0.5,
        ("disagreement_resolution", "judgments"): 0.5,
        ("solo", "debates"): 0,
    }


def test_without_resolutions_there_are_no_rows() -> None:
    empty = Played().study
    frames = [actions.estimate(empty), calibration.estimate(empty), beliefs.estimate(empty)]
    frames += [exits.estimate(empty), exits.right(empty), agreement.estimate(empty)]
    frames += [losses.failures(empty), losses.violations(empty)]
    assert all(frame.empty for frame in frames)


def after_more_rounds(said: str, *turns: str, inherited: int) -> Played:
    """A resolution that goes on from a longer debate: so many of its first rounds are not its own."""
    made = one(*turns, said=said)
    id = made.rows["debates"][-1]["debate_id"]
    for row in made.rows["turns"]:
        row["opening"] = row["opening"] or (row["debate_id"] == id and row["round"] <= inherited)
    return made


@pytest.mark.parametrize("last", ["?", "!C", "!D"])
def test_what_stood_before_a_resolution_stands_whatever_its_last_round_was(last: str) -> None:
    made = after_more_rounds("BA", "A B", f"{last} B", "A A", inherited=3)
    assert standing(made.study)[0].tolist() == [[1, 2], [1, 1]]
    assert kinds(made) == [("seat1", 1, "persistence"), ("seat2", 1, "recovery")]


@pytest.mark.parametrize("said", ["?B", "A?", "??"])
def test_without_an_answer_nobody_differs(said: str) -> None:
    """Giving a first answer is neither to come to the right one nor to keep to a wrong one."""
    made = one("A A", "A B", said=said)
    assert [kind for _, t, kind in kinds(made) if t == 1] == ["unanswered"] * 2
    told = actions.estimate(made.study)
    assert set(told["unanswered"]) == {1}
    assert told["denominator"].sum() == 0


@pytest.mark.parametrize("variant", ["{}", '{"after":"solo"}', '{"history":"full"}'])
def test_agreement_goes_on_to_the_usual_last_turn_where_the_parameters_name_none(variant: str) -> None:
    """However few turns were played, and however many another condition may take."""
    made = one("A A", variant=variant)
    made.resolution(made.openings("d"), *["A B"] * 7, exit_mode="turn_limit", variant='{"turns":7}')
    by_turn = agreement.estimate(made.study)
    assert by_turn[by_turn["variant"] == variant]["turn"].tolist() == [1, 2, 3, 4, 5]
    assert by_turn[by_turn["variant"] != variant]["turn"].tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_resolutions_without_any_answer_have_their_row_so_that_shares_sum_to_1() -> None:
    made = Played()
    made.judged(made.resolution(made.openings("c"), "A A"), "A")
    silent = made.resolution(made.openings("d", "??"), final="??", exit_mode=None)
    made.judged(silent, "A")
    for told in (exits.estimate(made.study), exits.right(made.study)):
        assert told["exit_mode"].tolist() == [*exits.MODES, exits.UNANSWERED]
        assert told["estimate"].tolist() == [0.5, 0, 0, 0.5]
