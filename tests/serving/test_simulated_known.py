"""What a simulated model knows: read from CSV and JSONL, refused with the place and what is expected."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from serving.blocks import SimulatedBlock
from serving.simulated_known import Known, read_known

QUESTIONS = """
{"id": "a", "text": "?", "options": ["one", "two\u2028lines"], "truth": "two\u2028lines"}

{"id": 7, "options": ["one", "two"], "truth": "A", "right": 0.25}
{"id": "moral", "text": "no question"}
"""
TABLE = '\ufeffid,truth,right,options\na,"one, or ""1""",1,\nb,B,,"[""one"", ""two""]"\nc,,,\n'


def written(folder: Path, text: str, name: str = "known.jsonl") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_of_questions_is_read_as_it_is(tmp_path: Path) -> None:
    assert read_known(written(tmp_path, QUESTIONS)) == {
        "a": Known(truth="two\u2028lines"),
        "7": Known(truth="one", right=0.25),
    }


def test_a_table_is_read_with_letters_and_probabilities(tmp_path: Path) -> None:
    assert read_known(written(tmp_path, TABLE, "known.CSV")) == {
        "a": Known(truth='one, or "1"', right=1.0),
        "b": Known(truth="two"),
    }


REFUSED = [
    ("{", "known.jsonl, line 1: not JSON"),
    ("\n[1]", "line 2: found [1]; expected an object"),
    ('{"truth": "x"}', "line 1: id: found None; expected the id"),
    ('{"id": true, "truth": "x"}', "id: found True"),
    ('{"id": "a", "truth": "x"}\n{"id": "a"}', "line 2: a second row for the question 'a'"),
    ('{"id": "a", "truth": ["x"]}', "truth: found ['x']; expected the text"),
    ('{"id": "a", "truth": "C", "options": ["x", "y"]}', "truth: found 'C'; expected one of the 2 options"),
    ('{"id": "a", "truth": "x", "options": "x or y"}', "options: found 'x or y'; expected a list"),
    ('{"id": "a", "truth": "x", "right": 1.5}', "right: found 1.5; expected a probability, 0 to 1"),
    ('{"id": "a", "truth": "x", "right": true}', "right: found True; expected a probability"),
    ('{"id": "a", "truth": "x", "right": "often"}', "right: found 'often'; expected a probability"),
    ('{"id": "a"}', "has no row with a right option in the column 'truth'"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_cannot_be_known_is_refused_by_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="known") as refusal:
        read_known(written(tmp_path, text))
    assert message in str(refusal.value)


def test_files_that_are_no_table_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"expected a file of questions that ends with \.csv or \.jsonl"):
        read_known(tmp_path / "known.parquet")
    with pytest.raises(ValueError, match="No such file"):
        read_known(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes("id,truth\na,é\n".encode("latin-1"))
    with pytest.raises(ValueError, match="expected text in UTF-8"):
        read_known(tmp_path / "latin.csv")
    with pytest.raises(ValueError, match=r"line 2: no valid CSV"):
        read_known(written(tmp_path, 'id,truth\na,"x" y\n', "odd.csv"))
    for row in ("a", "a,x,y"):
        with pytest.raises(ValueError, match="line 2: expected 2 fields, as in the header"):
            read_known(written(tmp_path, f"id,truth\n{row}\n", "ragged.csv"))


def test_the_block_that_travels_holds_what_the_file_says(tmp_path: Path) -> None:
    file = written(tmp_path, QUESTIONS)
    oversight = {"knows": str(file), "right": 1, "confidence": {"wrong": [1, 0, 0]}}
    block = SimulatedBlock.model_validate({"backend": "simulated", "oversight": oversight})
    assert block.oversight is not None
    assert [block.oversight.alone(case) for case in ("a", "7")] == [1.0, 0.25]
    file.unlink()
    assert SimulatedBlock.model_validate(block.model_dump(mode="json")) == block


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("right", 1.01, "less than or equal to 1"),
        ("q", -0.1, "greater than or equal to 0"),
        ("follows", True, "valid number"),
        ("outside", float("nan"), "less than or equal to 1"),
        ("adopts", 0.5, "Extra inputs are not permitted"),
        ("confidence", {"right": [0.5, 0.5, 0.5]}, "low, medium and high add up to 1.5; expected 1"),
        ("confidence", {"right": [0.5, 0.5]}, "Field required"),
        ("knows", {}, "at least 1 item"),
        ("knows", "none.csv", "cannot read the questions in 'none.csv'"),
    ],
)
def test_parameters_out_of_range_are_refused(key: str, value: object, message: str) -> None:
    oversight = {"knows": {"a": {"truth": "x"}}} | {key: value}
    with pytest.raises(ValidationError) as refusal:
        SimulatedBlock.model_validate({"backend": "simulated", "oversight": oversight})
    assert message in str(refusal.value)


def test_what_is_known_identifies_the_model() -> None:
    plain = SimulatedBlock(backend="simulated").identity()
    assert "oversight" not in str(plain["model"])
    known = [
        SimulatedBlock.model_validate(
            {"backend": "simulated", "oversight": {"knows": {"a": {"truth": truth}}, "right": right}}
        ).identity()["model"]
        for truth, right in (("x", 0.5), ("x", 0.6), ("y", 0.5))
    ]
    assert len({plain["model"], *known}) == 4
