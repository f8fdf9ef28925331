"""The measures of values of a run directory, here and through Ray."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
import ray

from analysis.reliability.measure import reliability
from analysis.schema import schema
from analysis.tally import UnknownColumn
from analysis.values.counting import count
from analysis.values.measure import Choices, ValueMeasures, estimate, measure_values
from analysis.values.places import read_labels
from analysis.values.taxonomy import TaxonomyError
from analysis.values.telling import Told
from tests.analysis.values.labelled import (
    LISTED,
    judgments,
    labels_of,
    random_labels,
    talk,
    turns,
    write_labels,
    write_run,
    write_tables,
)

pytestmark = pytest.mark.long

CHOICES = Choices(by=("protocol",))


def same(one: ValueMeasures, other: ValueMeasures) -> None:
    for field in fields(ValueMeasures)[1:]:
        found, expected = getattr(one, field.name), getattr(other, field.name)
        if isinstance(found, Told):
            pd.testing.assert_frame_equal(found.frame, expected.frame)
            pd.testing.assert_frame_equal(found.noise, expected.noise)


def test_a_run_in_parts_gives_what_its_debates_give(tmp_path: Path) -> None:
    debates = random_labels(6, 30)
    run = write_run(tmp_path, debates, {"judge": debates, "human:eve": debates[:4]}, parts=3)
    [found] = measure_values(run, read_labels(run), CHOICES)
    labels = labels_of(debates)
    same(found, estimate(labels, count(turns(debates), labels), CHOICES))
    assert found.labels["judge"].tolist() == ["judge"], "people label samples"
    [reliable] = map(reliability, read_labels(run))
    assert set(reliable.agreement["kind"]) == {"human"}


def test_a_run_that_nobody_labelled_has_no_measures_of_values(tmp_path: Path) -> None:
    run = write_run(tmp_path, random_labels(7, 5), {})
    assert measure_values(run, read_labels(run)) == []


def test_labels_without_a_turn_and_errors_are_counted_and_told(tmp_path: Path) -> None:
    debates = [talk("N:a Y:(unknown)", id="here")]
    run = write_run(tmp_path, debates, {"judge": [*debates, talk("N:a Y:b", id="elsewhere")]})
    [found] = measure_values(run, read_labels(run), CHOICES)
    [row] = found.labels.to_dict("records")
    assert (row["labels"], row["labelled"], row["unknown"], row["without_turn"]) == (4, 3, 1, 2)
    lost, errors = found.notes
    assert "2 of 4 labels by judge, pass 1 are of turns that the run does not have" in lost
    assert "1 of 4 labels by judge, pass 1 are errors" in errors
    assert found.use.frame["denominator"].tolist() == [1] * 8 + [0] * 8


def test_labels_of_a_judge_under_two_names_have_figures_each_and_noise_between_them(
    tmp_path: Path,
) -> None:
    """Of four turns of alpha one labelling finds a in all, the other in one; there is no share of both."""
    debates, others = (
        [talk(f"N:{own} Y:b", id=f"d{case}", case=f"c{case}") for case, own in enumerate(given)]
        for given in (("a", "a", "a", "a"), ("a", "", "", ""))
    )
    run = write_run(tmp_path, debates, {"judge": debates})
    write_labels(run, "strict", judgments(others, "judge"))
    [found] = measure_values(run, read_labels(run), CHOICES)
    own = found.use.frame[(found.use.frame["model"] == "alpha") & (found.use.frame["value"] == "a")]
    assert own[["judge", "pass", "numerator", "denominator"]].to_numpy().tolist() == [
        ["judge (judge)", 1, 4, 4],
        ["judge (strict)", 1, 1, 4],
    ]
    noise = found.use.noise[(found.use.noise["model"] == "alpha") & (found.use.noise["value"] == "a")].iloc[0]
    assert (noise["labellings"], noise["judges"], noise["estimate"]) == (2, 1, (1 + 1 / 4) / 2)
    assert noise["between_passes"] == pytest.approx(noise["between"])
    assert found.notes == []
    [reliable] = map(reliability, read_labels(run))
    assert set(reliable.agreement["kind"]) == {"repeated"}
    assert set(reliable.agreement["one"]) == {"judge (judge), pass 1"}


def test_lists_with_other_definitions_are_compared_and_with_other_groups_are_not(tmp_path: Path) -> None:
    debates = [talk("N:a Y:b", id="d")]
    run = write_run(tmp_path, debates, {"judge": debates, "other": debates})
    listed = run / "judgments/other/values.csv"
    listed.write_text(LISTED.replace("a value", "defined otherwise"))
    [found] = measure_values(run, read_labels(run), CHOICES)
    assert found.labels["judge"].tolist() == ["judge", "other"]
    listed.write_text(LISTED.replace("a,a value,1", "a,a value,3"))
    assert [own.labels["judge"].tolist() for own in measure_values(run, read_labels(run), CHOICES)] == [
        ["judge"],
        ["other"],
    ]


def test_stages_that_label_debates_and_what_goes_on_from_them_are_one_labelling(tmp_path: Path) -> None:
    """Those of a third stage, which labels the first debates again, then set all stages apart."""
    run = write_run(tmp_path, [talk("N:a Y:b", id="begun")], {})
    (run / "values").mkdir()
    parts = []
    for stage, debate in (("early", "begun"), ("late", "longer"), ("again", "begun")):
        (run / "values" / f"{stage}.csv").write_text(LISTED)
        rows = [{**row, "stage": stage} for row in talk("N:a Y:b", id=debate).rows()]
        parts += [{**row, "debate_id": f"{stage} {place}"} for place, row in enumerate(rows)]
        write_tables(run, pa.Table.from_pylist(parts, schema("judgments")))
        [labels] = read_labels(run)
        if stage == "late":
            assert [(one.name, len(one.turns)) for one in labels.labellings] == [("judge, pass 1", 4)]
    assert [(one.name, len(one.turns), one.repeated) for one in labels.labellings] == [
        (f"judge ({stage}), pass 1", 2, 0) for stage in ("again", "early", "late")
    ]


def test_a_missing_list_of_values_is_told(tmp_path: Path) -> None:
    debates = [talk("N:a Y:b")]
    run = write_run(tmp_path, debates, {"judge": debates})
    (run / "judgments/judge/values.csv").unlink()
    with pytest.raises(TaxonomyError, match=r"judgments/judge/values\.csv is missing"):
        measure_values(run, read_labels(run))


def test_choices_that_there_are_not_are_refused(tmp_path: Path) -> None:
    run = write_run(tmp_path, [talk("N:a Y:b")], {})
    with pytest.raises(UnknownColumn):
        measure_values(run, read_labels(run), Choices(by=("colour",)))
    with pytest.raises(ValueError, match="window is 'never'; it may be event, final, any"):
        measure_values(run, read_labels(run), Choices(window="never"))


@pytest.fixture
def cluster() -> Iterator[None]:
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.ray
@pytest.mark.usefixtures("cluster")
def test_through_ray_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    debates = random_labels(8, 60)
    run = write_run(tmp_path, debates, {"judge": debates, "other": debates}, parts=9)
    here = measure_values(run, read_labels(run), CHOICES)
    monkeypatch.setattr("analysis.values.measure.COUNTED_HERE", 0)
    [there] = measure_values(run, read_labels(run), CHOICES)
    same(there, here[0])
