"""Published sets, from rows made up in their formats: what is read, what is left out, and why."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from string import ascii_uppercase

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from analysis.storage import AddressError
from ray_jobs.case_block import CaseFile
from ray_jobs.case_files import read_rows
from ray_jobs.case_values import Value
from ray_jobs.cases import load_cases, read_cases
from ray_jobs.cli import app
from ray_jobs.experiment import load_experiment
from ray_jobs.located import ExperimentError
from ray_jobs.playthrough import play_experiment
from ray_jobs.question_sets import question_set, set_names
from ray_jobs.question_sets.kinds import InText, Question
from ray_jobs.submission.order import Order
from ray_jobs.submission.submit import look_ahead
from tests.ray_jobs.made_up_dilemmas import MORAL, MORAL_FILES, MORAL_LEFT_OUT
from tests.ray_jobs.made_up_sets import FILES, LEFT_OUT, QUESTIONS, write_study


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
    assert FILES.keys() == QUESTIONS.keys() == LEFT_OUT.keys()
    assert MORAL_FILES.keys() == MORAL.keys() == MORAL_LEFT_OUT.keys()
    assert set(set_names()) == FILES.keys() | MORAL_FILES.keys()
    assert [question_set(name).name for name in sorted(FILES)] == ["GPQA", "HLE", "MMLU-Pro", "SuperGPQA"]


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


WORDS = st.from_regex(r"[a-z]([a-z .:]{0,8}[a-z])?", fullmatch=True)


@given(st.lists(WORDS, min_size=2, max_size=26, unique=True), st.sampled_from(".)"), st.data())
def test_whatever_is_written_as_answer_choices_is_found(
    options: list[str], mark: str, data: st.DataObject
) -> None:
    right = data.draw(st.integers(0, len(options) - 1))
    lines = [f"{letter}{mark} {option}" for letter, option in zip(ascii_uppercase, options, strict=False)]
    kind = InText(kind="in_text", letter="answer")
    text = "\n".join(["Q?", "", "Answer Choices:", *lines])
    found = kind.read(text, lambda column: Value("x", column, ascii_uppercase[right]))
    assert found == Question("Q?", options, options[right])


class Told:
    """Takes what a run warns of."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warn(self, text: str) -> None:
        self.warnings.append(text)


def test_what_is_left_out_is_told_by_plan_run_and_submit(tmp_path: Path) -> None:
    file = write_study(tmp_path, f"file: {FILES['hle']}, format: hle")
    told = (
        f"{FILES['hle']}: 5 of 7 rows are left out: 2 with a short answer in place of options,"
        " 1 with an image, 1 without a list of answer choices, 1 whose right answer is no letter of an option"
    )
    assert load_cases(load_experiment(file)).warnings == (told,)
    printed = CliRunner().invoke(app, ["plan", str(file)])
    assert printed.exit_code == 0
    assert f"warning: {told}" in printed.output
    progress = Told()
    with pytest.raises(AddressError):
        play_experiment(file, "ftp://nowhere/run", None, progress)  # type: ignore[arg-type]
    assert progress.warnings == [told]
    assert f"warning: {told}" in look_ahead(Order(load_experiment(file), str(tmp_path / "run")))
    limited = load_experiment(write_study(tmp_path, f"file: {FILES['hle']}, format: hle, limit: 1"))
    assert load_cases(limited).warnings == ()
