"""All measures together: their columns, reasons for what is null, independence of parts and order."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from analysis import contrast, estimates
from analysis.courses import Courses, read
from analysis.measures.catalogue import COUNTED, VERDICTS, VerdictMeasure, verdict_measures
from analysis.tally import merge
from tests.analysis.counting import coursed
from tests.analysis.synthetic import draw, table, write

pytestmark = pytest.mark.long

DEBATES = draw(21, 70)


@cache
def whole() -> Courses:
    return coursed(DEBATES)


@cache
def in_parts(cuts: int) -> Courses:
    """The same debates shuffled, cut into parts, and the rows of each part shuffled."""
    dice = random.Random(cuts)
    debates = dice.sample(DEBATES, len(DEBATES))
    tallies = []
    for name, (columns, counted) in COUNTED.items():
        for start in range(cuts):
            rows = table(debates[start::cuts], name).select(columns)
            shuffled = pa.array(dice.sample(range(len(rows)), len(rows)), pa.int64())
            tallies.append(counted(rows.take(shuffled)))
    return read(merge(dice.sample(tallies, len(tallies))))


@pytest.mark.parametrize("measure", VERDICTS, ids=[measure.name for measure in VERDICTS])
def test_results_do_not_depend_on_parts_or_order(measure: VerdictMeasure) -> None:
    pd.testing.assert_frame_equal(
        measure.estimate(in_parts(7), "disagree"), measure.estimate(whole(), "disagree"), check_exact=True
    )


@pytest.mark.parametrize("measure", VERDICTS, ids=[measure.name for measure in VERDICTS])
def test_what_is_null_says_why_and_estimates_lie_in_their_interval(measure: VerdictMeasure) -> None:
    found = measure.estimate(whole(), "worst")
    columns = contrast.COLUMNS if "against" in found else estimates.COLUMNS
    shown = [name for name in found.columns if name in columns]
    assert shown == list(columns)
    keys = list(found.columns[: found.columns.get_loc(columns[0])])
    assert not found.duplicated(keys).any()
    assert (found["estimate"].isna() == (found["cases"] == 0)).all()
    assert (found["low"].isna() == (found["cases"] < 2)).all()
    untested = found["p"].isna() if "against" in found else False
    assert ((found["reason"] != "") == ((found["cases"] < 2) | untested)).all()
    some = found[found["cases"] > 1]
    assert (some["low"] <= some["estimate"] + 1e-12).all()
    assert (some["estimate"] <= some["high"] + 1e-12).all()


def test_names_are_distinct_and_every_measure_is_defined() -> None:
    assert len({measure.name for measure in VERDICTS}) == len(VERDICTS)
    assert all(measure.definition.endswith(".") and measure.source and measure.needs for measure in VERDICTS)


def test_without_finished_debates_there_are_no_changes_and_no_errors() -> None:
    nothing = coursed([debate for debate in DEBATES if debate.error])
    for measure in VERDICTS:
        found = measure.estimate(nothing, "disagree")
        assert found["estimate"].isna().all()
        assert (found["reason"] != "").all()


def test_a_run_is_counted_once_for_all_measures(tmp_path: Path) -> None:
    run = write(tmp_path, [DEBATES[:20], DEBATES[20:]], tables=("turns", "debates", "failures"))
    found = verdict_measures(run)
    assert list(found) == [measure.name for measure in VERDICTS]
    pd.testing.assert_frame_equal(found["consensus"], VERDICTS[0].estimate(whole(), "disagree"))
