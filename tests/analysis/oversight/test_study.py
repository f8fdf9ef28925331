"""Measures of drawn studies: laws that hold for all, whatever the order of rows and parts."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.oversight import accuracy, actions, adoption, agreement, beliefs, decomposition, exits
from analysis.oversight.catalogue import OVERSIGHT, OversightMeasure
from analysis.oversight.reading import Tables, read
from analysis.oversight.study import Study, study
from tests.analysis.oversight.played import Played
from tests.analysis.oversight.studies import draw

pytestmark = pytest.mark.long


@cache
def drawn(reverse: bool = False, parts: int = 1) -> Study:
    return study(draw(1, 20).tables(reverse, parts))


@pytest.mark.parametrize("measure", OVERSIGHT, ids=lambda measure: measure.name)
def test_rows_and_parts_may_come_in_any_order(measure: OversightMeasure) -> None:
    found = measure.estimate(drawn())
    assert len(found)
    for reverse, parts in ((True, 1), (False, 3)):
        again = measure.estimate(drawn(reverse, parts))
        pd.testing.assert_frame_equal(found, again, check_exact=True)


@pytest.mark.parametrize("measure", OVERSIGHT, ids=lambda measure: measure.name)
def test_what_is_null_has_a_reason_and_what_is_not_lies_in_its_interval(measure: OversightMeasure) -> None:
    found = measure.estimate(drawn())
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
    of_two = (whole["sees"] != "nothing") & (whole["protocol"] != "consultancy")
    seen = whole[of_two & (whole["denominator"] > 0)].set_index(keys)["estimate"]
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
    for _, own in told.groupby("variant"):
        assert own["estimate"].is_monotonic_increasing


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10_000))
def test_every_judgment_of_two_answers_is_of_an_agreement_or_a_disagreement(seed: int) -> None:
    found = draw(seed, 5).study
    told = adoption.estimate(found)
    counted = told[told["what"] != "right side"]
    judged = found.judged
    seen = judged[(judged["sees"] != "nothing") & (judged["protocol"] != "consultancy")]
    unanswered = told.loc[told["what"] == "agreement", "unanswered"].sum()
    assert counted["denominator"].sum() + unanswered == len(seen)


def test_a_run_is_read_from_its_tables(tmp_path: Path) -> None:
    made = draw(3, 6)
    run = made.write(tmp_path / "run")
    for name, rows in vars(read(run)).items():
        pd.testing.assert_frame_equal(rows, getattr(made.tables(), name))


def test_judgments_of_debates_that_are_not_there_yet_wait(tmp_path: Path) -> None:
    made = Played()
    debate = made.debate(made.openings("c"), "debate")
    made.judged(debate, "A")
    made.rows["debates"] = [row for row in made.rows["debates"] if row["debate_id"] != debate]
    assert study(read(made.write(tmp_path / "run"))).judged.empty


def test_hundreds_of_questions_take_seconds() -> None:
    """500 questions, all protocols, 2 judges: seconds of this process, by a bound for slow machines."""
    tables = several(draw(6, 50).tables(), 10)
    start = time.process_time()
    found = study(tables)
    for measure in OVERSIGHT:
        measure.estimate(found)
    assert found.judged["case_id"].nunique() == 500
    assert time.process_time() - start < 20


def several(tables: Tables, times: int) -> Tables:
    """The tables so many times over, each time of other questions and debates."""
    ids = ("case_id", "debate_id", "source_debate")

    def over(rows: pd.DataFrame) -> pd.DataFrame:
        named = [name for name in ids if name in rows]
        again = [
            rows.assign(
                **{name: rows[name].where(rows[name] == "", f"{place}-" + rows[name]) for name in named}
            )
            for place in range(times)
        ]
        return pd.concat(again, ignore_index=True)

    return Tables(**{name: over(rows) for name, rows in vars(tables).items()})
