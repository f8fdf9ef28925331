"""Published sets of moral cases, from rows made up in their formats: what is read, what is left out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ray_jobs.case_block import CaseFile
from ray_jobs.case_files import read_rows
from ray_jobs.case_values import Value
from ray_jobs.cases import as_jsonl, load_cases, read_cases
from ray_jobs.experiment import load_experiment
from ray_jobs.located import ExperimentError
from ray_jobs.question_sets.kinds import Unusable
from ray_jobs.question_sets.moral_kinds import Actions, Shares
from tests.ray_jobs.made_up_dilemmas import MORAL, MORAL_FILES, MORAL_LEFT_OUT
from tests.ray_jobs.made_up_sets import write_study


def read(file: Path, name: str) -> tuple[list[object], Counter[str]]:
    left_out: Counter[str] = Counter()
    return list(read_cases(CaseFile(file=str(file), format=name), left_out)), left_out


@pytest.mark.parametrize("name", MORAL)
@pytest.mark.parametrize("ending", ["as published", ".parquet"])
def test_the_cases_of_a_set_and_what_is_left_out(tmp_path: Path, name: str, ending: str) -> None:
    file = MORAL_FILES[name]
    if ending == ".parquet":
        file = tmp_path / "x.parquet"
        pq.write_table(pa.Table.from_pylist([row.values for row in read_rows(MORAL_FILES[name])]), file)
    assert read(file, name) == (MORAL[name], MORAL_LEFT_OUT[name])


@pytest.mark.parametrize("name", MORAL)
def test_cases_travel_to_a_cluster_as_they_are(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.jsonl").write_text(as_jsonl(MORAL[name]))
    assert list(read_cases(CaseFile(file=str(tmp_path / "x.jsonl")))) == MORAL[name]


def test_shares_in_a_csv_file_are_json(tmp_path: Path) -> None:
    head = "id,title,text,post_type,label,label_scores\n"
    scores = '"{""AUTHOR"": 1, ""OTHER"": 3}"'
    (tmp_path / "x.csv").write_text(f"{head}a,T,A story.,HISTORICAL,OTHER,{scores}\n")
    [case], _ = read(tmp_path / "x.csv", "scruples_anecdotes")
    assert case.contestation == pytest.approx(0.8112781)  # type: ignore[attr-defined]
    (tmp_path / "x.csv").write_text(f"{head}a,T,A story.,HISTORICAL,OTHER,[1\n")
    with pytest.raises(ExperimentError, match="rows left out: 1 whose shares of people cannot be read"):
        read(tmp_path / "x.csv", "scruples_anecdotes")


def test_a_column_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,title,selftext_cleaned,link_flair_text\na,T,A story.,Asshole\n")
    with pytest.raises(
        ExperimentError, match="found no column 'comments_prop_NTA'; allowed: the columns of AITA"
    ):
        read(tmp_path / "x.csv", "aita_2025")


def test_dilemmas_with_one_action_alone_are_counted_by_dilemma(tmp_path: Path) -> None:
    study = load_experiment(
        write_study(tmp_path, f"file: {MORAL_FILES['dailydilemmas']}, format: dailydilemmas")
    )
    [warning] = load_cases(study).warnings
    assert "1 of 3 groups of rows with one dilemma_idx are left out: 1 with fewer than 2" in warning


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5))
def test_entropy_is_that_of_the_shares(counts: list[int]) -> None:
    columns = tuple("abcde")
    given = dict(zip(columns, counts, strict=True))
    bits = Shares(columns=columns).entropy(lambda column: Value("x", column, given[column]))
    if not any(counts):
        assert bits is None
        return
    assert bits is not None
    doubled = Shares(columns=columns).entropy(lambda column: Value("x", column, 2 * given[column]))
    assert 0 <= bits <= 2.3219281
    assert bits == pytest.approx(doubled)
    assert (bits == 0) == (sum(count > 0 for count in counts) == 1)


def test_a_set_says_in_one_way_where_its_actions_are() -> None:
    with pytest.raises(ValueError, match="expected one of columns, listed and same"):
        Actions(kind="actions", columns=("a", "b"), same=("x", "y"))
    listed = Actions(kind="actions", listed="a", key="k")
    with pytest.raises(Unusable, match="with a blank option"):
        listed.read("Q?", lambda column: Value("x", column, [{"k": "one"}, "two"]))
