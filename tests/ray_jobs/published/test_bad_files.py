"""What of published files cannot be used: refused by name, or counted as a debate that failed."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path

import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from ray_jobs.published.row_lists import UnusableRow, published
from tests.ray_jobs.published.files import Row, Said, drawn, row_of, write_rows
from tests.ray_jobs.test_cli import moot, refused

PAIR = "sync_h2h_gpt_vs_cla"
TURN = Said("My current verdict: {label}\n\nBecause of {value}.", "NTA", ())


def rows(count: int) -> list[Row]:
    chance = random.Random(3)
    return [row_of(drawn(chance, 2)) for _ in range(count)]


def imported(folder: Path, *more: object) -> Callable[[], object]:
    return moot("import", "interaction-protocol", folder, "--out", folder.parent / "run", *more)


def test_files_that_are_not_of_the_study_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    refused(imported(folder), str(folder), "found no such folder")
    write_rows(folder, "debates", rows(2))
    refused(imported(folder), "found debates.parquet", "sync_h2h_{a}_vs_{b}")
    (folder / f"{PAIR}.parquet").write_text("none")
    refused(imported(folder), f"{PAIR}.parquet: found no readable Parquet file")
    assert not (tmp_path / "run").exists()


def test_a_file_without_a_column_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    for missing in ("n_rounds", "final_verdict", "Agent_2_verdicts"):
        write_rows(folder, PAIR, [{key: row[key] for key in row if key != missing} for row in rows(2)])
        refused(imported(folder), f"{PAIR}.parquet: found no column '{missing}'")
    write_rows(folder, PAIR, [row_of(drawn(random.Random(1), 3))])
    refused(imported(folder), "found the column 'Agent_3_verdicts'", "no more agents")


def test_rounds_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    write_rows(folder, PAIR, [{**row, "n_rounds": str(row["n_rounds"])} for row in rows(2)])
    refused(imported(folder), f"{PAIR}.parquet: n_rounds: found a column of string; allowed: whole numbers")
    rounds = [math.nan, 99.0, *(float(row["n_rounds"]) for row in rows(2))]
    given = [{**row, "n_rounds": number} for row, number in zip(rows(1) * 2 + rows(2), rounds, strict=True)]
    write_rows(folder, PAIR, given)
    told = imported(folder)
    assert "2 rows hold no debate" in told.output
    assert "rounds: 4" in (tmp_path / "run/experiment.yaml").read_text()


def test_files_that_do_not_align_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    write_rows(folder, PAIR, rows(3))
    write_rows(folder, "round_robin_h2h_gpt_vs_cla", rows(2))
    refused(imported(folder), f"{PAIR}.parquet: found 3 debates, and 2 in round_robin_h2h_gpt_vs_cla")


def test_cases_that_do_not_align_are_refused(tmp_path: Path) -> None:
    folder, cases = tmp_path / "files", tmp_path / "cases.jsonl"
    write_rows(folder, PAIR, rows(3))
    cases.write_text('{"id": "a", "text": "b"}\n')
    refused(imported(folder, "--cases", cases), "found 1 cases; allowed: 3 cases, one for each row")
    refused(imported(folder, "--format", "gpqa"), "--format: found 'gpqa' without --cases")
    refused(imported(folder, "--limit", 2), "--limit: found 2 without --cases")
    refused(imported(folder, "--cases", cases, "--format", "gpq"), "found 'gpq'", "did you mean 'gpqa'?")
    refused(imported(folder, "--judge", "a b"), "--judge: found 'a b'")


def test_of_more_cases_the_first_may_be_taken(tmp_path: Path) -> None:
    folder, cases = tmp_path / "files", tmp_path / "cases.jsonl"
    write_rows(folder, PAIR, rows(2))
    cases.write_text("".join(f'{{"id": "{id}", "text": "about {id}"}}\n' for id in "abc"))
    assert imported(folder, "--cases", cases, "--limit", 2).exit_code == 0
    table = ds.dataset(tmp_path / "run" / "tables" / "cases").to_table()
    assert table["text"].to_pylist() == ["about a", "about b"]


def test_rows_that_hold_no_debate_count_as_failed(tmp_path: Path) -> None:
    folder, given = tmp_path / "files", rows(4)
    given[1]["Agent_2_messages"] = [*given[1]["Agent_2_messages"], "one more"]
    given[2]["n_rounds"] = 0
    given[3]["Agent_1_verdicts"] = None
    write_rows(folder, PAIR, given)
    (folder / "notes.txt").touch()
    told = imported(folder)
    assert told.exit_code == 0, told.output
    out = " ".join(told.output.split())
    assert "run: 1 debates with" in out
    assert "3 rows hold no debate, and count as failed" in out
    assert "passed over, by their names no files of the study: notes.txt" in out
    failures = ds.dataset(tmp_path / "run/tables/failures").to_table().to_pylist()
    rounds = given[1]["n_rounds"]
    assert [row["message"] for row in failures] == [
        f"{PAIR}.parquet: row 2: Agent_2_messages: found a list of {rounds + 1}; allowed: one of {rounds},"
        " as n_rounds says",
        f"{PAIR}.parquet: row 3: n_rounds: found 0; allowed: a whole number from 1 to 20",
        f"{PAIR}.parquet: row 4: Agent_1_verdicts: found nothing; allowed: a list",
    ]
    assert {row["error_class"] for row in failures} == {"UnusableRow"}
    assert moot("show", tmp_path / "run").exit_code == 0


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("n_rounds", 1.5, "n_rounds: found 1.5"),
        ("n_rounds", None, "n_rounds: found None"),
        ("n_rounds", float("nan"), "n_rounds: found nan"),
        ("n_rounds", float("inf"), "n_rounds: found inf"),
        ("n_rounds", "1", "n_rounds: found '1'"),
        ("n_rounds", 21, "allowed: a whole number from 1 to 20"),
        ("final_verdict", 3, "final_verdict: found 3; allowed: a text, or nothing"),
        ("Agent_1_verdicts", [2], "Agent_1_verdicts: found 2 in round 1; allowed: a text, or nothing"),
        ("Agent_1_verdicts", "NTA", "found 'NTA'; allowed: a list with an entry for each round"),
        ("Agent_1_values", [[], []], "Agent_1_values: found a list of 2; allowed: one of 1"),
    ],
)
def test_a_row_is_read_or_refused(column: str, value: object, says: str) -> None:
    row = row_of([[TURN, TURN]])
    assert published(row, 2).agents[0].verdicts == ["NTA"]
    assert published({**row, "n_rounds": 1.0}, 2).rounds == 1
    with pytest.raises(UnusableRow) as refusal:
        published({**row, column: value}, 2)
    assert says in str(refusal.value)


def test_values_that_are_not_in_the_list_are_counted(tmp_path: Path) -> None:
    folder, row = tmp_path / "files", row_of([[TURN, TURN]])
    known = ["Accessibility", "Child welfare", "Consent and personal boundaries"]
    given = [["privacy!", *known], known, None, ["accessibility ", "Accessibility"]]
    write_rows(folder, PAIR, [{**row, "Agent_1_values": [each], "Agent_2_values": [[]]} for each in given])
    told = imported(folder, "--judge", "gpt-4o")
    out = " ".join(told.output.split())
    assert "values of 7 turns: 5 ok, 1 unknown, 1 repaired" in out
    assert "values that are not in the list: 1, such as 'privacy!' 1" in out
    judged = ds.dataset(tmp_path / "run/judgments/gpt-4o/tables/judgments").to_table().to_pylist()
    assert [each["judged_labels"] for each in judged if each["source_seat"] == "seat1"] == [
        None,
        known,
        ["Accessibility"],
    ]


def test_a_run_is_not_written_over(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    write_rows(folder, PAIR, rows(1))
    assert imported(folder).exit_code == 0
    refused(imported(folder), "--out: found a run in", "not there or empty")


def test_verdicts_are_read_from_strings_on_demand(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    row = row_of([[TURN, TURN]])
    row["Agent_1_messages"] = ["A text without any verdict."]
    row["Agent_2_verdicts"] = ["**NTA**, MOSTLY"]
    write_rows(folder, PAIR, [row])
    assert imported(folder, "--read", "verdicts").exit_code == 0
    turns = ds.dataset(tmp_path / "run/tables/turns").to_table().to_pylist()
    assert [turn["label"] for turn in turns] == ["NTA", "NTA"]
    assert turns[0]["shown"] == "A text without any verdict."
    found = pq.read_table(tmp_path / "run/published/differences.parquet").to_pylist()
    assert [(each["kind"], each["published"], each["read"]) for each in found] == [
        ("misread", "**NTA**, MOSTLY", "NTA")
    ]
