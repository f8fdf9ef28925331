"""Measures of drawn studies: laws that hold for all, whatever the order of rows and parts."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.oversight import accuracy, actions, adoption, agreement, beliefs, decomposition, exits
from analysis.oversight.catalogue import OVERSIGHT, Measure, oversight_measures
from analysis.oversight.reading import read
from analysis.oversight.study import study
from tests.analysis.oversight.played import Played

TURNS = ("A", "B", "C", "?", "!C", "!D", "Ah", "Bl", "Am")
VARIANTS = ('{"history":"last","turns":5}', '{"history":"full","turns":5}')
MODES = ("consensus", "swapped", "turn_limit")


def draw(seed: int, cases: int = 12, truths: tuple[str | None, ...] = ("one", "one", "two", None)) -> Played:
    """A study in which anything may be."""
    dice = random.Random(seed)
    made = Played()
    for number in range(cases):
        case = f"c{number:04}"
        made.question(case, dice.choice(truths), dice.choice(("x", "y")))
        for repetition in range(1, dice.choice((2, 3))):
            listing = dice.choice(("1-2-3-4", "4-2-1-3"))
            opened = made.openings(
                case, dice.choice(("AB", "BA", "BC", "A?")), True, repetition=repetition, listing=listing
            )
            made.judged(opened, dice.choice("ABC?"), sees="nothing")
            for debate in _debates(made, opened, dice):
                for judge in ("weak", "strong"):
                    answers = dice.choice((("option", "ABCD?"), ("winner", ("1", "2", "neither", "?"))))
                    if dice.random() < 0.9:
                        made.judged(debate, dice.choice(answers[1]), judge, answers=answers[0])
                    else:
                        made.failed(case, made.debates[debate][0]["protocol"], judge)
    return made


def _debates(made: Played, opened: str, dice: random.Random) -> list[str]:
    found = []
    for protocol in ("double_consultancy", "debate", "debate", "disagreement_resolution"):
        swap = len(found) == 2
        turns = [f"{dice.choice(TURNS)} {dice.choice(TURNS)}" for _ in range(dice.randrange(1, 4))]
        own = (
            {"exit_mode": dice.choice(MODES), "variant": dice.choice(VARIANTS)}
            if protocol[:2] == "di"
            else {}
        )
        final = dice.choice(("AA", "AB", "BA", "BB", "CB", "A?"))
        if dice.random() < 0.9:
            found.append(made.debate(opened, protocol, final, turns, stance_swap=swap, **own))
        else:
            made.failed(made.debates[opened][0]["case_id"], protocol, stance_swap=swap)
    return found


@pytest.mark.parametrize("measure", OVERSIGHT, ids=lambda measure: measure.name)
def test_rows_and_parts_may_come_in_any_order(measure: Measure) -> None:
    made = draw(1)
    found = measure.estimate(study(made.tables()))
    assert len(found)
    for reverse, parts in ((True, 1), (False, 3), (True, 5)):
        again = measure.estimate(study(made.tables(reverse, parts)))
        pd.testing.assert_frame_equal(found, again, check_exact=True)


@pytest.mark.parametrize("measure", OVERSIGHT, ids=lambda measure: measure.name)
def test_what_is_null_has_a_reason_and_what_is_not_lies_in_its_interval(measure: Measure) -> None:
    found = measure.estimate(draw(2).study)
    assert (found.loc[found["estimate"].isna(), "reason"] != "").all()
    known = found[found["low"].notna()]
    assert len(known)
    assert (known["low"] <= known["high"]).all()


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10_000))
def test_parts_sum_to_the_accuracy(seed: int) -> None:
    found = draw(seed, 5).study
    whole = accuracy.estimate(found)
    keys = ["protocol", "variant", "panel", "steering", "judge", "sees", "answers"]
    seen = whole[(whole["sees"] != "nothing") & (whole["denominator"] > 0)].set_index(keys)["estimate"]
    ways = decomposition.estimate(found).groupby(keys)["estimate"].sum()
    pd.testing.assert_series_equal(ways, seen, check_names=False)
    ends = exits.right(found)
    by_end = ends[ends["denominator"] > 0].groupby(keys)["estimate"].sum()
    resolved = seen[seen.index.get_level_values("protocol") == "disagreement_resolution"]
    pd.testing.assert_series_equal(by_end, resolved, check_names=False)
    factors = decomposition.factors(found)
    assert factors["composed"].to_numpy() == pytest.approx(factors["accuracy"].to_numpy(), abs=1e-12)


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10_000))
def test_shares_sum_to_one_or_are_null(seed: int) -> None:
    found = draw(seed, 5).study
    for frame, last in ((actions.estimate(found), "action"), (exits.estimate(found), "exit_mode")):
        keys = list(frame.columns[: frame.columns.get_loc(last)])
        sums = frame.groupby(keys, observed=True)["estimate"].sum(min_count=1).dropna()
        assert sums.to_numpy() == pytest.approx(1.0)


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10_000))
def test_who_keeps_the_rule_is_wrong_at_most_four_times_beta(seed: int) -> None:
    told = beliefs.estimate(draw(seed, 5).study)
    assert told.loc[told["among"] == "by the rule", "holds"].dropna().all()


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10_000))
def test_agreement_never_falls(seed: int) -> None:
    told = agreement.estimate(draw(seed, 5).study)
    assert told["estimate"].dropna().is_monotonic_increasing


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10_000))
def test_every_judgment_of_two_answers_is_of_an_agreement_or_a_disagreement(seed: int) -> None:
    found = draw(seed, 5).study
    told = adoption.estimate(found)
    counted = told[told["what"] != "right side"]
    seen = found.judged[found.judged["sees"] != "nothing"]
    unanswered = told.loc[told["what"] == "agreement", "unanswered"].sum()
    assert counted["denominator"].sum() + unanswered == len(seen)


def test_a_run_is_read_from_its_tables(tmp_path: Path) -> None:
    made = draw(3, 6)
    run = made.write(tmp_path / "run")
    told = oversight_measures(run)
    for measure in OVERSIGHT:
        pd.testing.assert_frame_equal(told[measure.name], measure.estimate(made.study))


def test_judgments_of_debates_that_are_not_there_yet_wait(tmp_path: Path) -> None:
    made = Played()
    debate = made.debate(made.openings("c"), "debate")
    made.judged(debate, "A")
    made.rows["debates"] = [row for row in made.rows["debates"] if row["debate_id"] != debate]
    assert study(read(made.write(tmp_path / "run"))).judged.empty


def test_thousands_of_questions_take_seconds() -> None:
    """2,000 questions, 4 protocols (debate twice), 2 judges; the bound is loose, for slow machines."""
    made = Played()
    dice = random.Random(0)
    for number in range(2000):
        case = f"c{number:04}"
        made.rows["cases"].append({"case_id": case, "options": ["one", "two"], "truth": "one", "source": "x"})
        opened = made.openings(case, dice.choice(("AB", "BA")), True, listing="1-2")
        for place, protocol in enumerate(
            ("consultancy", "double_consultancy", "debate", "debate", "disagreement_resolution")
        ):
            own = (
                {"exit_mode": "turn_limit", "variant": '{"turns":5}'}
                if place == 4
                else {"stance_swap": place == 3}
            )
            debate = made.debate(opened, protocol, "AB", ["Ah Bl", "Am Bm"], **own)
            for judge in ("weak", "strong"):
                made.judged(debate, dice.choice("AB"), judge)
    tables = made.tables()
    start = time.perf_counter()
    found = study(tables)
    for measure in OVERSIGHT:
        measure.estimate(found)
    assert time.perf_counter() - start < 30
