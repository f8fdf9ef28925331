"""Cases from any file: the same whatever the format, and what is no case is refused with its place."""

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from ray_jobs.case_block import CaseFile
from ray_jobs.cases import CaseRow, load_cases, read_cases
from ray_jobs.located import ExperimentError
from tests.ray_jobs.studies import study

CASES = [
    CaseRow("1", "Ünï", 'A "quoted", long\ntext.', source="here", contestation=1.5),
    CaseRow("b", "", "B"),
    CaseRow("c", "C", "C ✓", source="there", contestation=0.0),
]
COLUMNS = ["id", "title", "text", "source", "contestation"]
ROWS = [{name: getattr(case, name) for name in COLUMNS} for case in CASES]


def write(file: Path) -> Path:
    """The rows in the format of the file's ending."""
    match file.suffix:
        case ".jsonl":
            file.write_text("\n\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS), "utf-8")
        case ".csv":
            with file.open("w", encoding="utf-8-sig", newline="") as stream:
                writer = csv.DictWriter(stream, COLUMNS)
                writer.writeheader()
                writer.writerows(ROWS)
        case ".parquet":
            pq.write_table(pa.Table.from_pylist(ROWS), file)
    return file


def refusal(source: CaseFile) -> str:
    """The message with which the file is refused."""
    with pytest.raises(ExperimentError) as refused:
        list(read_cases(source))
    return str(refused.value)


@pytest.mark.parametrize("name", ["x.jsonl", "x.csv", "x.parquet"])
def test_every_format_gives_the_same_cases(tmp_path: Path, name: str) -> None:
    file = write(tmp_path / name)
    assert list(read_cases(CaseFile(file=str(file)))) == CASES
    assert list(read_cases(CaseFile(file=str(file), limit=2))) == CASES[:2]
    assert list(read_cases(CaseFile(file=str(file), limit=99))) == CASES


def test_columns_go_by_the_names_that_the_file_has(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"nr": 7, "body": "T", "flair": "YTA"}\n')
    source = CaseFile(file=str(file), columns={"id": "nr", "text": "body", "truth": "flair"})
    assert list(read_cases(source)) == [CaseRow("7", "", "T", truth="YTA")]


def test_a_limit_above_what_there_is_is_told(tmp_path: Path) -> None:
    file = write(tmp_path / "x.jsonl")

    def warnings(limit: int) -> tuple[str, ...]:
        models = {"a": {"backend": "simulated"}}
        keys = {"cases": {"file": str(file), "limit": limit}, "models": models}
        return load_cases(study(**keys, panels=[["a"]], protocols=["solo"])).warnings

    assert warnings(3) == warnings(1) == ()
    assert warnings(4) == (f"{file}: found 3 cases, fewer than cases.limit, which is 4",)


def test_a_limit_stops_before_a_row_that_is_bad(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"id": "a", "text": "A"}\nnot JSON\n')
    assert [case.id for case in read_cases(CaseFile(file=str(file), limit=1))] == ["a"]


BAD = yaml.safe_load((Path(__file__).parent / "bad_cases.yaml").read_text("utf-8"))


@pytest.mark.parametrize("bad", BAD, ids=[bad["says"] for bad in BAD])
def test_a_bad_file_is_refused_with_its_place(tmp_path: Path, bad: dict[str, str]) -> None:
    (tmp_path / bad["file"]).write_text(bad["content"])
    message = refusal(CaseFile(file=str(tmp_path / bad["file"])))
    assert message.startswith(str(tmp_path / bad["file"]))
    assert bad["says"].replace("{folder}", str(tmp_path)) in message


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    message = refusal(CaseFile(file=str(tmp_path / "none.csv")))
    assert (
        message
        == f"{tmp_path}/none.csv: found no such file; allowed: a file of cases (.jsonl, .csv, .parquet)"
    )


@pytest.mark.parametrize("name", ["x.jsonl", "x.csv"])
def test_another_encoding_is_refused_with_its_line(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b'id,text\n{"id": "caf\xe9"}\n' if name == "x.csv" else b"\n\xff\xfe{\n")
    message = refusal(CaseFile(file=str(tmp_path / name)))
    assert f"{name}:2: found the byte" in message
    assert "allowed: text in UTF-8" in message


def test_a_column_that_is_mapped_must_be_there(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1, 2], "text": ["A", "B"]}), tmp_path / "x.parquet")
    message = refusal(CaseFile(file=str(tmp_path / "x.parquet"), columns={"title": "headline"}))
    assert (
        "x.parquet: row 1: found no column 'headline' for the title of a case; allowed: id, text" in message
    )
