"""How a sheet agrees with judges, before it is read back: as the report tells it afterwards."""

from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from analysis.by_hand.agreement import NothingToCompare, agreement
from analysis.by_hand.explanation import sheet_id
from analysis.by_hand.explanations import explanations
from analysis.reliability.measure import reliability
from analysis.values.places import read_labels
from analysis.values.taxonomy import Taxonomy, parse
from protocols.values import VALUES_48
from ray_jobs import lease
from ray_jobs.cli import app
from tests.analysis.viewer.played import asked, moral

pytestmark = pytest.mark.long

BUILT_IN = Taxonomy(tuple(value.name for value in VALUES_48), tuple(value.group for value in VALUES_48))
NAMES = BUILT_IN.values


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(lease, "SETTLE_SECONDS", {True: 0.0, False: 0.0})
    return moral(tmp_path / "run", cases=4)


def judged(run: Path, judge: str) -> dict[str, tuple[str, ...]]:
    """The labels of a judge, by the ids of sheets."""
    rows = pd.read_parquet(run / "tables" / "judgments")
    rows = rows[(rows["kind"] == "label") & (rows["judge"] == judge)]
    places = zip(rows["source_debate"], rows["source_round"], rows["source_seat"], strict=True)
    return {
        sheet_id(place): tuple(values) for place, values in zip(places, rows["judged_labels"], strict=True)
    }


def test_who_says_the_same_agrees_wholly(run: Path) -> None:
    given = dict(list(judged(run, "b").items())[:30])
    found = agreement(run, given, BUILT_IN, "ann").set_index(["other", "statistic"])["estimate"]
    assert found["b, pass 1", "exact"] == found["b, pass 1", "pooled kappa"] == 1
    assert found["b, pass 1", "alpha masi"] == 1
    same = [values == judged(run, "c")[id] for id, values in given.items()]
    assert found["c, pass 1", "exact"] == pytest.approx(sum(same) / 30)


def test_the_figures_are_those_of_the_report_after_the_sheet_was_read(run: Path, tmp_path: Path) -> None:
    said = CliRunner().invoke(app, ["label", str(run), "--sheet", str(tmp_path / "s.csv"), "--sample", "25"])
    assert said.exit_code == 0, said.output
    lines = (tmp_path / "s.csv").read_text("utf-8-sig").splitlines()
    given = {}
    for place, line in enumerate(lines[1:], start=1):
        id, value = line.split(",")[0], NAMES[place % 3]
        given[id] = (value,)
        lines[place] = line.removesuffix(",,,,,") + f",{value},,,,"
    (tmp_path / "s.csv").write_text("\n".join(lines), "utf-8")
    before = agreement(run, given, BUILT_IN, "ann")
    said = CliRunner().invoke(app, ["label", str(run), "--read", str(tmp_path / "s.csv"), "--judge", "ann"])
    assert "25 explanations labelled" in " ".join(said.output.split())
    (labels,) = read_labels(run)
    told = reliability(labels).agreement
    after = told[told["kind"] == "human"].reset_index(drop=True)
    columns = ["one", "other", "statistic", "denominator", "estimate", "low", "high", "cases"]
    pd.testing.assert_frame_equal(before[columns], after[columns])
    pd.testing.assert_frame_equal(before[columns], agreement(run, given, BUILT_IN, "ann")[columns])


def test_without_a_judge_of_these_values_or_turns_it_is_told(run: Path, tmp_path: Path) -> None:
    other = parse("value,definition\nCandour,One says what is so.\n", "v")
    id = next(explanations(run)).id
    with pytest.raises(NothingToCompare, match="No judge has labelled this run by these values"):
        agreement(run, {id: ("Candour",)}, other, "ann")
    asked(tmp_path / "questions")
    id = next(explanations(tmp_path / "questions")).id
    with pytest.raises(NothingToCompare, match="No judge has labelled this run by these values"):
        agreement(tmp_path / "questions", {id: NAMES[:1]}, BUILT_IN, "ann")
