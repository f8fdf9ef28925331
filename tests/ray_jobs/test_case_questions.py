"""Questions: options, the right one by text or letter, openings; what is no question is refused."""

import csv
import json
import string
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ray_jobs.case_block import CaseFile
from ray_jobs.case_questions import as_texts, from_texts
from ray_jobs.cases import CaseRow, as_jsonl, read_cases
from ray_jobs.located import ExperimentError

OPENINGS = [{"answer": "B", "argument": "It is, so."}, {"answer": "mass", "argument": 'One "says" so.'}]
ROWS: list[dict[str, Any]] = [
    {"id": "a", "text": "What?", "options": ["mass", "charge"], "truth": "charge", "openings": OPENINGS},
    {"id": "b", "text": "Which?", "options": ["B", "C", "A"], "truth": "C", "openings": None},
    {"id": "c", "text": "Where?", "options": ["here", "there", "yon"], "truth": "C", "openings": None},
    {"id": "d", "text": "Who?", "options": ["me", "you"], "truth": None, "openings": None},
    {"id": "e", "text": "A dilemma.", "options": None, "truth": "YTA", "openings": None},
]
CASES = [
    CaseRow(
        "a",
        "",
        "What?",
        ["mass", "charge"],
        "charge",
        openings=(("charge", "It is, so."), ("mass", 'One "says" so.')),
    ),
    CaseRow("b", "", "Which?", ["B", "C", "A"], "C"),
    CaseRow("c", "", "Where?", ["here", "there", "yon"], "yon"),
    CaseRow("d", "", "Who?", ["me", "you"]),
    CaseRow("e", "", "A dilemma.", truth="YTA"),
]


def write(file: Path, rows: list[dict[str, Any]]) -> Path:
    """The rows in the format of the file's ending."""
    match file.suffix:
        case ".jsonl":
            file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        case ".csv":
            with file.open("w", newline="") as stream:
                writer = csv.DictWriter(stream, rows[0])
                writer.writeheader()
                for row in rows:
                    writer.writerow(
                        {
                            key: json.dumps(value) if isinstance(value, list) else value
                            for key, value in row.items()
                        }
                    )
        case ".parquet":
            pq.write_table(pa.Table.from_pylist(rows), file)
    return file


@pytest.mark.parametrize("name", ["x.jsonl", "x.csv", "x.parquet"])
def test_every_format_gives_the_same_questions(tmp_path: Path, name: str) -> None:
    """The right option is found by its text first: in case b the letter C is a text too."""
    assert list(read_cases(CaseFile(file=str(write(tmp_path / name, ROWS))))) == CASES


def test_options_and_openings_go_by_the_names_that_the_file_has(tmp_path: Path) -> None:
    row = {
        "id": 1,
        "text": "T",
        "choices": ["x", "y"],
        "key": "B",
        "said": [{"answer": "A", "argument": "So."}],
    }
    columns = {"options": "choices", "truth": "key", "openings": "said"}
    [case] = read_cases(CaseFile(file=str(write(tmp_path / "x.jsonl", [row])), columns=columns))
    assert (case.options, case.truth, case.openings) == (["x", "y"], "y", (("x", "So."),))


def test_there_may_be_as_many_options_as_letters(tmp_path: Path) -> None:
    options = [f"option {letter}" for letter in string.ascii_uppercase]
    row = {"id": 1, "text": "T", "options": options, "truth": "Z"}
    [case] = read_cases(CaseFile(file=str(write(tmp_path / "x.jsonl", [row]))))
    assert (case.options, case.truth) == (options, "option Z")


def test_a_number_is_the_text_of_the_option(tmp_path: Path) -> None:
    row = {"id": 1, "text": "T", "options": ["3", "4"], "truth": 4}
    [case] = read_cases(CaseFile(file=str(write(tmp_path / "x.jsonl", [row]))))
    assert case.truth == "4"


BAD = yaml.safe_load((Path(__file__).parent / "bad_questions.yaml").read_text("utf-8"))


@pytest.mark.parametrize("bad", BAD, ids=[bad["says"] for bad in BAD])
def test_what_is_no_question_is_refused_with_file_row_and_column(tmp_path: Path, bad: dict[str, Any]) -> None:
    file = write(
        tmp_path / "x.jsonl", [{"id": "good", "text": "T"}, {"id": "bad", "text": "T", **bad["row"]}]
    )
    with pytest.raises(ExperimentError) as refused:
        list(read_cases(CaseFile(file=str(file))))
    assert str(refused.value).startswith(f"{file}:2: {bad['says']}")


def test_cases_written_as_a_file_are_read_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(as_jsonl(CASES), "utf-8")
    assert list(read_cases(CaseFile(file=str(tmp_path / "x.jsonl")))) == CASES


@given(st.none() | st.lists(st.tuples(st.text(), st.text()), max_size=3).map(tuple))
def test_openings_come_back_from_the_table_as_they_were(openings: tuple[tuple[str, str], ...] | None) -> None:
    assert from_texts(as_texts(openings)) == openings
