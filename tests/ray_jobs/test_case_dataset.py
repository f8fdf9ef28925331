"""Cases from data sets: what the library is asked, what is told when it fails, and a real folder."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pyarrow as pa
import pytest
from huggingface_hub.errors import GatedRepoError

from ray_jobs.case_block import CaseFile
from ray_jobs.case_files import read_rows
from ray_jobs.cases import load_cases, read_cases
from ray_jobs.experiment import load_experiment
from ray_jobs.located import ExperimentError
from ray_jobs.submission.order import Order
from ray_jobs.submission.shipment import STUDY, shipment
from tests.ray_jobs.made_up_sets import FILES, QUESTIONS, write_study


class DatasetsError(Exception):
    """As the library has it."""


class Rows:
    """Rows as the library hands them out."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows

    def with_format(self, form: str) -> Rows:
        assert form == "arrow"
        return self

    def iter(self, batch_size: int) -> list[pa.Table]:
        return [pa.Table.from_pylist(self.rows[:batch_size])]


def library(monkeypatch: pytest.MonkeyPatch, load: Any) -> None:
    """Stands in for the library, which is an extra and would go to the hub."""
    stand_in = SimpleNamespace(load_dataset=load, exceptions=SimpleNamespace(DatasetsError=DatasetsError))
    monkeypatch.setitem(sys.modules, "datasets", stand_in)


HUB = CaseFile(dataset="Idavidrein/gpqa", config="gpqa_diamond", split="train", revision="abc", format="gpqa")


def test_a_data_set_is_asked_for_by_name_config_split_and_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []

    def load(*names: str, **further: str) -> Rows:
        asked.append((*names, further))
        return Rows([row.values for row in read_rows(FILES["gpqa"])])

    library(monkeypatch, load)
    cases = list(read_cases(HUB))
    assert cases == QUESTIONS["gpqa"]
    assert cases[-1].place == "Idavidrein/gpqa, gpqa_diamond, train: row 5"
    assert asked == [("Idavidrein/gpqa", "gpqa_diamond", {"split": "train", "revision": "abc"})]


def test_a_data_set_goes_to_a_cluster_as_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There neither the library nor a token is needed."""
    library(monkeypatch, lambda *_, **__: Rows([row.values for row in read_rows(FILES["hle"])]))
    experiment = load_experiment(write_study(tmp_path, "dataset: cais/hle, split: test, format: hle"))
    assert load_cases(experiment).warnings[0].startswith("cais/hle, test: 5 of 7 rows are left out: ")
    with shipment(experiment) as folder:
        monkeypatch.setitem(sys.modules, "datasets", None)
        arrived = load_experiment(folder / STUDY)
        assert list(load_cases(arrived)) == QUESTIONS["hle"]
    other = load_experiment(write_study(tmp_path, "dataset: cais/hle, split: other, format: hle"))
    assert Order(experiment, "out").name != Order(other, "out").name


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception, cause: Exception | None = None) -> str:
    """What is told when the library raises the error."""

    def load(*_: str, **__: str) -> Rows:
        raise error from cause

    library(monkeypatch, load)
    with pytest.raises(ExperimentError) as refused:
        list(read_cases(HUB))
    return str(refused.value)


def test_a_gated_set_says_what_to_accept_and_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    response = httpx2.Response(401, request=httpx2.Request("GET", "https://huggingface.co"))
    gated = GatedRepoError("401", response=response)
    assert failing(monkeypatch, DatasetsError("is a gated dataset"), gated) == (
        "cases.dataset: found 'Idavidrein/gpqa', which is gated: accept its terms on"
        " https://huggingface.co/datasets/Idavidrein/gpqa, then set HF_TOKEN in the environment to a token of"
        " that account"
    )


@pytest.mark.parametrize("error", [DatasetsError("gone"), ConnectionError("gone"), ValueError("gone")])
def test_a_set_that_cannot_be_had_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    told = failing(monkeypatch, error)
    found = (
        "cases.dataset: found 'Idavidrein/gpqa, gpqa_diamond, train', which cannot be read: gone; allowed:"
    )
    assert told.startswith(found)
    assert "HF_TOKEN" in told


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(
        ExperimentError, match=r"install moot with its extra 'datasets', or that package alone"
    ):
        list(read_cases(HUB))


def test_a_folder_is_read_by_the_library_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the experiment file, with an image that nobody decodes."""
    datasets = pytest.importorskip("datasets", reason="the extra 'datasets' is not installed")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    (tmp_path / "exam").mkdir()
    image = {"bytes": b"no image", "path": None}
    rows = [{**row.values, "image_preview": image} for row in read_rows(FILES["hle"])]
    features = datasets.Features(
        {name: datasets.Image() if name == "image_preview" else datasets.Value("string") for name in rows[0]}
    )
    datasets.Dataset.from_list(rows, features=features).to_parquet(tmp_path / "exam" / "test-0.parquet")
    experiment = load_experiment(write_study(tmp_path, "dataset: exam, split: test, format: hle"))
    cases = load_cases(experiment)
    assert list(cases) == QUESTIONS["hle"]
    assert cases[-1].place == f"{tmp_path}/exam, test: row 5"
    absent = CaseFile(dataset=str(tmp_path / "exam"), split="train", format="hle")
    with pytest.raises(ExperimentError, match="cannot be read: "):
        list(read_cases(absent))
