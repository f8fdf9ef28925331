"""Published sets, from rows made up in their formats: what is read, what is left out, and why."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from huggingface_hub.errors import GatedRepoError
from typer.testing import CliRunner

from ray_jobs.case_block import CaseFile
from ray_jobs.case_files import read_rows
from ray_jobs.cases import CaseRow, load_cases, read_cases
from ray_jobs.cli import app
from ray_jobs.experiment import load_experiment
from ray_jobs.located import ExperimentError
from ray_jobs.question_sets import question_set, set_names
from ray_jobs.submission.order import Order
from ray_jobs.submission.shipment import STUDY, shipment

FOLDER = Path(__file__).parents[1] / "data" / "question_sets"
FILES = {file.stem: file for file in FOLDER.iterdir()}
LENGTHS = [f"{half / 2:g} m" for half in range(1, 11)]
QUESTIONS = {
    "gpqa": [
        CaseRow(
            "recMADEUP000000001",
            "",
            "A made-up particle has a spin of 3/2, and is at rest.\nHow many projections has its spin?",
            ["4", "2", "3", "6"],
            "4",
            "GPQA / Physics / Quantum Mechanics",
        ),
        CaseRow(
            "recMADEUP000000002",
            "",
            'A made-up salt, "X", is dissolved in water. Which ion colours it?',
            ["Cu^2+, hydrated", "Na^+", "K^+", "Cl^-"],
            "Cu^2+, hydrated",
            "GPQA / Chemistry / Inorganic Chemistry",
        ),
        CaseRow(
            "recMADEUP000000005",
            "",
            "A made-up cell divides three times. How many cells are there?",
            ["8", "3", "6", "9"],
            "8",
            "GPQA / Biology",
        ),
    ],
    "supergpqa": [
        CaseRow(
            "00000000000000000000000000000001",
            "",
            "A made-up wave runs at 340 m/s and has 170 Hz. How long is it?",
            LENGTHS,
            "2 m",
            "SuperGPQA / Science / Physics / Acoustics",
        ),
        CaseRow(
            "00000000000000000000000000000004",
            "",
            "Which made-up pigment is named by a letter?",
            ["A", "B", "C"],
            "B",
            "SuperGPQA / Agronomy / Crop Science",
        ),
    ],
    "mmlu_pro": [
        CaseRow(
            "70",
            "",
            "In a made-up group every element is its own inverse. What else holds?",
            ["It is cyclic.", "It is abelian.", "It is infinite.", "It is trivial."],
            "It is abelian.",
            "MMLU-Pro / math",
        ),
        CaseRow(
            "71",
            "",
            "Which letter comes third in a made-up order C, B, A?",
            ["C", "B", "A"],
            "A",
            "MMLU-Pro / other",
        ),
    ],
    "hle": [
        CaseRow(
            "66e000000000000000000001",
            "",
            "How many holes has a made-up cup?",
            ["none", "one", "two,\nas many as handles", "three"],
            "one",
            "HLE / Math / Topology",
        ),
        CaseRow(
            "66e000000000000000000005",
            "",
            "Which made-up tense is it?",
            ["past", "present", "future"],
            "future",
            "HLE / Humanities/Social Science / Linguistics",
        ),
    ],
}
LEFT_OUT = {
    "gpqa": {"with a blank option": 1, "with two options alike": 1},
    "supergpqa": {
        "with two accounts of the right answer that differ": 1,
        "whose right answer is no letter of an option": 1,
    },
    "mmlu_pro": {
        "with two accounts of the right answer that differ": 1,
        "with fewer than 2 or more than 26 options": 1,
    },
    "hle": {
        "with a short answer in place of options": 2,
        "with an image": 1,
        "without a list of answer choices": 1,
        "whose right answer is no letter of an option": 1,
    },
}
DESIGN = "models: {a: {backend: simulated}}\npanels: [[a, a]]\nprotocols: [solo]\n"


def write(folder: Path, cases: str) -> Path:
    """An experiment on these cases."""
    file = folder / "study.yaml"
    file.write_text(f"name: study\ncases: {{{cases}}}\n{DESIGN}")
    return file


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("ending", ["as published", ".parquet"])
def test_the_questions_of_a_set_and_what_is_left_out(tmp_path: Path, name: str, ending: str) -> None:
    file = FILES[name]
    if ending == ".parquet":
        file = tmp_path / "x.parquet"
        pq.write_table(pa.Table.from_pylist([row.values for row in read_rows(FILES[name])]), file)
    left_out: Counter[str] = Counter()
    assert list(read_cases(CaseFile(file=str(file), format=name), left_out)) == QUESTIONS[name]
    assert left_out == LEFT_OUT[name]


def test_every_set_has_made_up_rows_to_be_tested_with() -> None:
    assert set(set_names()) == FILES.keys() == QUESTIONS.keys() == LEFT_OUT.keys()
    assert [question_set(name).name for name in set_names()] == ["GPQA", "HLE", "MMLU-Pro", "SuperGPQA"]


def test_a_limit_counts_questions_and_stops_behind_the_last(tmp_path: Path) -> None:
    left_out: Counter[str] = Counter()
    file = str(FILES["hle"])
    [case] = read_cases(CaseFile(file=file, format="hle", limit=1), left_out)
    assert (case.id, left_out) == ("66e000000000000000000001", {})
    assert len(list(read_cases(CaseFile(file=file, format="hle", limit=2), left_out))) == 2
    assert left_out.total() == 3


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Q?\nAnswer Choices:\nA. x\nB. y", ["x", "y"]),
        ("Q?\n\n answer choices: \n\n A)  x\n\n B.\ty\n", ["x", "y"]),
        (
            "Answer choices:\nA. no\nQ?\nAnswer Choices:\nA. x\nB. of A. or B.\nD. z",
            ["x", "of A. or B.\nD. z"],
        ),
        ("Q?\nAnswer Choices:\nA.\n x\nB. y", ["x", "y"]),
    ],
)
def test_options_are_found_in_the_text(tmp_path: Path, text: str, options: list[str]) -> None:
    row = {"id": "1", "question": text, "image": None, "answer": "A", "answer_type": "multipleChoice"}
    table = pa.Table.from_pylist([{**row, "category": "c", "raw_subject": "s"}])
    pq.write_table(table, tmp_path / "x.parquet")
    [case] = read_cases(CaseFile(file=str(tmp_path / "x.parquet"), format="hle"))
    assert case.options == options
    assert case.text.endswith("Q?")


@pytest.mark.parametrize(
    "text", ["Q?\nA. x\nB. y", "Q? Answer Choices: A. x B. y", "Q?\nAnswer Choices:\nB. x\nA. y"]
)
def test_a_set_without_a_question_is_refused_with_what_was_left_out(tmp_path: Path, text: str) -> None:
    row = {"id": "1", "question": text, "image": "", "answer": "A", "answer_type": "multipleChoice"}
    pq.write_table(pa.Table.from_pylist([{**row, "category": "", "raw_subject": ""}]), tmp_path / "x.parquet")
    with pytest.raises(ExperimentError) as refused:
        list(read_cases(CaseFile(file=str(tmp_path / "x.parquet"), format="hle")))
    told = "found no case, rows left out: 1 without a list of answer choices; allowed: at least one"
    assert str(refused.value) == f"{tmp_path}/x.parquet: {told}"


def test_another_set_is_refused_with_the_column_that_is_not_there() -> None:
    with pytest.raises(ExperimentError) as refused:
        list(read_cases(CaseFile(file=str(FILES["mmlu_pro"]), format="supergpqa")))
    told = str(refused.value)
    assert (
        f"{FILES['mmlu_pro']}:1: found no column 'answer_letter'; allowed: the columns of SuperGPQA" in told
    )
    assert "here are question_id, question, options, answer, answer_index, cot_content, category, src" in told


def test_an_id_twice_is_refused(tmp_path: Path) -> None:
    line = FILES["mmlu_pro"].read_text().splitlines()[0]
    (tmp_path / "x.jsonl").write_text(f"{line}\n{line}\n")
    with pytest.raises(ExperimentError, match=r"x.jsonl:2: question_id: found '70', the id of the case at "):
        list(read_cases(CaseFile(file=str(tmp_path / "x.jsonl"), format="mmlu_pro")))


def test_what_is_left_out_is_told_by_plan(tmp_path: Path) -> None:
    file = write(tmp_path, f"file: {FILES['hle']}, format: hle")
    told = (
        f"{FILES['hle']}: 5 of 7 rows are left out: 2 with a short answer in place of options,"
        " 1 with an image, 1 without a list of answer choices, 1 whose right answer is no letter of an option"
    )
    assert load_cases(load_experiment(file)).warnings == (told,)
    printed = CliRunner().invoke(app, ["plan", str(file)])
    assert printed.exit_code == 0
    assert f"warning: {told}" in printed.output
    limited = load_experiment(write(tmp_path, f"file: {FILES['hle']}, format: hle, limit: 1"))
    assert load_cases(limited).warnings == ()


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
    experiment = load_experiment(write(tmp_path, "dataset: cais/hle, split: test, format: hle"))
    assert load_cases(experiment).warnings[0].startswith("cais/hle, test: 5 of 7 rows are left out: ")
    with shipment(experiment) as folder:
        monkeypatch.setitem(sys.modules, "datasets", None)
        arrived = load_experiment(folder / STUDY)
        assert list(load_cases(arrived)) == QUESTIONS["hle"]
    other = load_experiment(write(tmp_path, "dataset: cais/hle, split: other, format: hle"))
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
    experiment = load_experiment(write(tmp_path, "dataset: exam, split: test, format: hle"))
    cases = load_cases(experiment)
    assert list(cases) == QUESTIONS["hle"]
    assert cases[-1].place == f"{tmp_path}/exam, test: row 5"
    absent = CaseFile(dataset=str(tmp_path / "exam"), split="train", format="hle")
    with pytest.raises(ExperimentError, match="cannot be read: "):
        list(read_cases(absent))
