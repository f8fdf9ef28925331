"""Whole studies of simulated consultants and judges come to what follows from their parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from math import sqrt
from pathlib import Path
from statistics import fmean, pvariance

import pytest

from protocols.transcript import Transcript, Turn
from ray_jobs.experiment import load_experiment
from tests.serving import oversight_theory as theory
from tests.serving.oversight_study import (
    ARGUED,
    CONFIDENCE,
    FIRST,
    JUDGE,
    PLAYED,
    SECOND,
    STATES_WRONGLY,
    TURNS,
    Study,
    played_study,
)

pytestmark = pytest.mark.long

RESOLUTION = theory.resolution(FIRST, SECOND, TURNS)
ACTIONS = {
    ("retain", True): "persistence",
    ("adopt", True): "recovery",
    ("adopt", False): "overthinking",
    ("retain", False): "stubbornness",
}
"""By action and whether the answer is right then, with two answers of which one is right."""


@pytest.fixture(scope="module")
def study() -> Study:
    return played_study()


def assert_mean(sample: Sequence[float], expected: float) -> None:
    """Of numbers that are independent of each other: within 4 standard errors."""
    error = sqrt(pvariance(sample) / len(sample))
    assert error > 0
    assert abs(fmean(sample) - expected) < 4 * error, (fmean(sample), expected, error, len(sample))


def test_exactly_one_opening_is_right_as_often_as_two_rates_say(study: Study) -> None:
    opened = [[turn.label for turn in transcript.turns] for _, transcript in study.openings]
    rights = [right for right, _ in study.openings]
    for seat, consultant in enumerate((FIRST, SECOND)):
        given = [labels[seat] == right for labels, right in zip(opened, rights, strict=True)]
        assert_mean(given, consultant.opens(True))
    one = [
        labels.count(right) == 1 and None not in labels for labels, right in zip(opened, rights, strict=True)
    ]
    assert_mean(one, theory.one_right(FIRST, SECOND))


def test_resolutions_end_as_the_chain_says(study: Study) -> None:
    played = study.debates["disagreement_resolution"]
    for mode in ("consensus", "swapped", "turn_limit"):
        assert_mean([debate.exit_mode == mode for _, debate in played], RESOLUTION.ended(mode))
    for right in (True, False):
        agreed = [finals(debate, truth) == (right, right) and is_over(debate) for truth, debate in played]
        assert_mean(agreed, RESOLUTION.agreed(right))
    assert_mean([debate.rounds - 1 for _, debate in played], RESOLUTION.turns)
    assert sum(RESOLUTION.ends.values()) == pytest.approx(1)


def finals(debate: Transcript, truth: str) -> tuple[bool, bool]:
    return debate.final("seat1") == truth, debate.final("seat2") == truth


def is_over(debate: Transcript) -> bool:
    return debate.exit_mode == "consensus"


def test_actions_are_as_frequent_as_the_chain_says(study: Study) -> None:
    """Counts of a debate are compared, not of a turn: the turns of one debate depend on each other."""
    for action, expected in RESOLUTION.actions.items():
        counts = [
            sum(kind == action for kind, _ in acts(right, debate))
            for right, debate in study.debates["disagreement_resolution"]
        ]
        assert_mean(counts, expected)


def test_calibration_of_each_action_follows_from_the_confidence_stated(study: Study) -> None:
    said = [
        (kind, turn)
        for right, debate in study.debates["disagreement_resolution"]
        for kind, turn in acts(right, debate)
    ]
    for (_, right), action in ACTIONS.items():
        scores = [(turn.stated.confidence or 0) - right for kind, turn in said if kind == action]
        levels = CONFIDENCE["right" if right else "wrong"]
        assert_mean([score**2 for score in scores], theory.beta(levels, right))
    assert_mean([turn.stated.action != turn.stated.stated_action for _, turn in said], STATES_WRONGLY)


def acts(right: str, debate: Transcript) -> Iterator[tuple[str, Turn]]:
    """Every action of the first consultant, and the turn that shows it."""
    for turn in debate.own("seat1")[1:]:
        if turn.stated.action is not None:
            yield ACTIONS[turn.stated.action, turn.label == right], turn


def test_turns_break_the_rules_and_fail_as_often_as_declared(study: Study) -> None:
    turns = [
        turn for _, debate in study.debates["disagreement_resolution"] for turn in debate.own("seat1")[1:]
    ]
    assert_mean([turn.label is None for turn in turns], FIRST.unreadable)
    readable = [turn for turn in turns if turn.label is not None]
    assert_mean([turn.stated.violation == "outside" for turn in readable], FIRST.outside)


def test_arguments_are_for_the_stance_and_nothing_else(study: Study) -> None:
    for name, debates in study.debates.items():
        for _, debate in debates if name != "disagreement_resolution" else ():
            for turn in debate.turns[2:]:
                (opening,) = (
                    each for each in debate.turns[:2] if (each.seat != turn.seat) == PLAYED[name][2]
                )
                assert turn.stated.violation is None
                assert turn.stated.stance == opening.label
                assert turn.label in (None, turn.stated.stance)


@pytest.mark.parametrize(
    ("protocol", "expected"),
    [
        ("consultancy", theory.consultancy(FIRST, SECOND, JUDGE, ARGUED)),
        ("consultancy swapped", theory.consultancy(FIRST, SECOND, JUDGE, ARGUED, swap=True)),
        ("double_consultancy", theory.both_heard(FIRST, SECOND, JUDGE, ARGUED)),
        ("debate", theory.both_heard(FIRST, SECOND, JUDGE, ARGUED)),
        ("debate swapped", theory.both_heard(FIRST, SECOND, JUDGE, ARGUED, swap=True)),
        ("disagreement_resolution", theory.resolved(FIRST, SECOND, JUDGE, TURNS)),
        ("nothing", JUDGE.right),
    ],
)
def test_judges_are_right_as_often_as_what_they_are_shown_makes_them(
    study: Study, protocol: str, expected: float
) -> None:
    assert_mean(study.judged[protocol], expected)


def test_the_ready_study_of_known_outcome_comes_to_what_its_head_says() -> None:
    file = Path(__file__).parents[2] / "experiments/oversight_simulated.yaml"
    head = file.read_text("utf-8").split("name:")[0]
    laws = {name: block.oversight for name, block in load_experiment(file).models.items()}
    strong, weak, careful, easy = (law.model_dump() for law in laws.values() if law is not None)
    sides = tuple(theory.Consultant(**of(law, theory.Consultant)) for law in (strong, weak))
    judges = tuple(theory.Judge(**of(law, theory.Judge)) for law in (careful, easy))
    rows = {
        "nothing but the question": [judge.right for judge in judges],
        "double consultancy, debate": [theory.both_heard(*sides, judge, 3) for judge in judges],
        "disagreement resolution": [theory.resolved(*sides, judge, 5) for judge in judges],
    }
    for name, pair in (("strong", sides), ("weak", sides[::-1])):
        for swap in (False, True):
            heard = [theory.consultancy(*pair, judge, 3, swap) for judge in judges]
            rows[f"consultancy of {name}{', swapped' * swap}"] = heard
    for row, (first, second) in rows.items():
        assert f"#   {row:37}{first:7.3f} {second:7.3f}\n" in head
    played = theory.resolution(*sides, 5)
    for told in (theory.one_right(*sides), played.agreed(True), played.agreed(False)):
        assert f"{told:.3f}" in head


def of(law: dict[str, float], kind: type[theory.Consultant | theory.Judge]) -> dict[str, float]:
    return {each.name: law[each.name] for each in fields(kind) if each.name in law}
