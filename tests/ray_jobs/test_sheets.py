"""Sheets for people: what goes out is blind to verdict and model, what comes back is read whole or not."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from typer.testing import CliRunner

from analysis.by_hand.explanation import Explanation
from analysis.by_hand.explanations import explanations
from protocols.answer_format import VERDICTS
from protocols.values import VALUES_48, read_taxonomy
from ray_jobs import lease
from ray_jobs.claims import claim_id, claim_run
from ray_jobs.cli import app
from ray_jobs.label_folder import label_store
from ray_jobs.labelling import Order, labelling
from ray_jobs.log import Row
from ray_jobs.store import Store
from tests.ray_jobs.finished import finished
from tests.ray_jobs.moot_runs import table
from tests.ray_jobs.studies import study

pytestmark = pytest.mark.long

EXPERIMENT = study(
    panels=[["a", "b"]],
    protocols=["synchronous"],
    rounds=2,
    stages=[{"name": "longer", "keep": "no_consensus", "protocols": ["round_robin"], "rounds": 4}],
)
CELLS = [f"value_{n}" for n in range(1, 6)]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(lease, "SETTLE_SECONDS", {True: 0.0, False: 0.0})
    finished(tmp_path / "run", EXPERIMENT, 6)
    return tmp_path / "run"


def moot(*words: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["label", *map(str, words)])
    assert result.exit_code == code, result.output
    return " ".join(result.output.split())


def sheet(file: Path) -> list[Row]:
    with file.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def fill(file: Path, rows: list[Row]) -> Path:
    with file.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, ["id", "explanation", *CELLS])
        writer.writeheader()
        writer.writerows(rows)
    return file


def labels(run: Path, name: str = "human-ann") -> dict[tuple[str, int, str], list[str]]:
    return {
        (row["source_debate"], row["source_round"], row["source_seat"]): row["judged_labels"]
        for row in table(run / "judgments" / name, "judgments")
    }


def test_a_sheet_holds_every_explanation_where_it_was_said_and_nothing_else(
    run: Path, tmp_path: Path
) -> None:
    moot(run, "--sheet", tmp_path / "s.csv")
    rows = sheet(tmp_path / "s.csv")
    turns = [row for row in table(run, "turns") if not row["opening"]]
    assert list(rows[0]) == ["id", "explanation", *CELLS]
    assert sorted(row["explanation"] for row in rows) == sorted(row["explanation"] for row in turns)
    assert len({row["id"] for row in rows}) == len(rows)
    assert not any(row[cell] for row in rows for cell in CELLS)
    known = {str(row[name]) for row in turns for name in ("debate_id", "case_id", "seat", "panel")}
    ids = " ".join(row["id"] for row in rows)
    assert not any(word in ids for word in [*VERDICTS, *known])
    assert read_taxonomy((tmp_path / "s.values.csv").read_text("utf-8-sig"), "v") == VALUES_48


def test_the_order_is_shuffled_and_a_sample_is_its_beginning(run: Path, tmp_path: Path) -> None:
    every = [tmp_path / f"{n}.csv" for n in range(4)]
    for file, words in zip(
        every, (["--seed", 1], ["--seed", 1, "--sample", 5], ["--seed", 2], []), strict=True
    ):
        moot(run, "--sheet", file, *words)
    one, five, two, none = ([row["id"] for row in sheet(file)] for file in every)
    assert one[:5] == five
    assert len({tuple(one), tuple(two), tuple(none)}) == 3
    assert sorted(one) == sorted(two) == sorted(none)
    said = [row["explanation"] for row in table(run, "turns") if not row["opening"]]
    assert [row["explanation"] for row in sheet(every[0])] != said


def test_labels_come_back_as_those_of_a_person_beside_the_run(run: Path, tmp_path: Path) -> None:
    """Filled, filled in other spelling, none, and left empty."""
    moot(run, "--sheet", tmp_path / "s.csv", "--sample", 6)
    rows = sheet(tmp_path / "s.csv")
    rows[0] |= {"value_1": "Personal growth", "value_3": "Accessibility"}
    rows[1] |= {"value_2": " respect  AND dignity"}
    rows[2] |= {"value_1": "None"}
    fill(tmp_path / "s.csv", rows)
    told = moot(run, "--read", tmp_path / "s.csv", "--judge", "ann")
    assert "human-ann: 3 explanations labelled by human:ann" in told
    turns = {(row["debate_id"], row["round"], row["seat"]): row for row in table(run, "turns")}
    found = labels(run)
    assert sorted(found.values()) == [[], ["Accessibility", "Personal growth"], ["Respect and dignity"]]
    for row in table(run / "judgments" / "human-ann", "judgments"):
        turn = turns[row["source_debate"], row["source_round"], row["source_seat"]]
        assert (row["kind"], row["judge"], row["pass"]) == ("label", "human:ann", 1)
        assert (row["stage"], row["status"], row["sees"]) == ("human-ann", "ok", "explanation")
        for name in (
            "run_id",
            "case_id",
            "panel",
            "order",
            "steering",
            "protocol",
            "answer_format",
            "labels",
        ):
            assert row[name] == turn[name]
    kept = (run / "judgments" / "human-ann" / "values.csv").read_text()
    assert read_taxonomy(kept, "v") == VALUES_48
    status = CliRunner().invoke(app, ["status", str(run / "judgments" / "human-ann")])
    assert "human-ann: 3 explanations labelled by human:ann" in " ".join(status.output.split())
    texts = {row["explanation"] for row in rows[:3]}
    assert {turns[place]["explanation"] for place in found} == texts


def test_a_sheet_may_come_back_in_pieces_and_twice(run: Path, tmp_path: Path) -> None:
    moot(run, "--sheet", tmp_path / "s.csv", "--sample", 4)
    rows = sheet(tmp_path / "s.csv")
    for row in rows[:2]:
        row["value_1"] = "Privacy and confidentiality"
    moot(run, "--read", fill(tmp_path / "s.csv", rows), "--judge", "ann")
    for row in rows[2:]:
        row["value_1"] = "none"
    told = moot(run, "--read", fill(tmp_path / "s.csv", rows), "--judge", "ann")
    assert "2 explanations labelled by human:ann; 2 were there already" in told
    assert "0 explanations labelled by human:ann; 4 were there" in moot(
        run, "--read", tmp_path / "s.csv", "--judge", "ann"
    )
    assert len(table(run / "judgments" / "human-ann", "judgments")) == 4
    rows[0]["value_2"] = "Accessibility"
    told = moot(run, "--read", fill(tmp_path / "s.csv", rows), "--judge", "ann", code=2)
    assert f"s.csv:2: id: found '{rows[0]['id']}' with other values than in an earlier sheet" in told
    moot(run, "--read", tmp_path / "s.csv", "--judge", "bob")
    assert len(labels(run, "human-bob")) == 4


def test_everything_wrong_is_told_with_its_line_and_column_and_nothing_is_written(
    run: Path, tmp_path: Path
) -> None:
    moot(run, "--sheet", tmp_path / "s.csv", "--sample", 5)
    rows = sheet(tmp_path / "s.csv")
    rows[0] |= {"value_1": "Accessibility"}
    rows[1] |= {"value_2": "Acessibility"}
    rows[2] |= {"value_1": "Privacy and confidentiality", "value_4": "privacy and Confidentiality"}
    rows[3] |= {"value_1": "none", "value_2": "Accessibility"}
    rows[4] |= {"id": "t0", "value_1": "Accessibility"}
    rows.append({**rows[0], "value_1": "none"})
    told = moot(run, "--read", fill(tmp_path / "s.csv", rows), "--judge", "ann", code=2)
    for says in (
        "s.csv:3: value_2: found 'Acessibility'; allowed: none, or one of the 48 values (did you mean"
        " 'Accessibility'?)",
        "s.csv:4: value_4: found 'privacy and Confidentiality', as in value_1; allowed: every value once",
        "s.csv:5: value_1: found 'none' beside values; allowed: none alone",
        f"s.csv:6: id: found 't0', which is no explanation of {run}",
        f"s.csv:7: id: found '{rows[0]['id']}', which has labels at {tmp_path / 's.csv'}:2 too",
        "nothing was written",
    ):
        assert says in told
    assert "s.csv:2" not in told.replace(f"{tmp_path / 's.csv'}:2 too", "")
    assert not (run / "judgments").exists()


@pytest.mark.parametrize(
    ("delimiter", "encoding", "end", "extra"),
    [(";", "utf-8-sig", "\r\n", ""), ("\t", "utf-16", "\r\n", ""), (",", "utf-8", "\r", ",")],
)
def test_a_sheet_is_read_as_spreadsheets_save_it(
    run: Path, tmp_path: Path, delimiter: str, encoding: str, end: str, extra: str
) -> None:
    moot(run, "--sheet", tmp_path / "s.csv", "--sample", 3)
    out = StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end)
    writer.writerow(["id", "explanation", *CELLS])
    for row in sheet(tmp_path / "s.csv"):
        writer.writerow([row["id"], f" {row['explanation']}\r\n", "Accessibility", "", "", "", ""])
    text = out.getvalue().replace(f"Accessibility,,,,{end}", f"Accessibility,,,,{extra}{end}")
    (tmp_path / "s.csv").write_bytes(text.encode(encoding))
    assert "3 explanations labelled by human:ann" in moot(run, "--read", tmp_path / "s.csv", "--judge", "ann")


def test_labels_beside_another_explanation_than_went_out_are_told(run: Path, tmp_path: Path) -> None:
    """As after sorting one column of a sheet alone, or a change to the text that was labelled."""
    moot(run, "--sheet", tmp_path / "s.csv")
    rows = sheet(tmp_path / "s.csv")
    second = next(row for row in rows if row["explanation"] != rows[0]["explanation"])
    rows = [rows[0], second]
    for row in rows:
        row["value_1"] = "Accessibility"
    swapped = [{**rows[0], "explanation": second["explanation"]}, rows[1] | {"explanation": "x"}]
    told = moot(run, "--read", fill(tmp_path / "s.csv", swapped), "--judge", "ann", code=2)
    assert f"s.csv:2: explanation: found '{second['explanation'][:20]}" in told
    assert f"s.csv:3: explanation: found 'x', and '{second['id']}' went out with '" in told
    assert not (run / "judgments").exists()
    assert "2 explanations" in moot(run, "--read", fill(tmp_path / "s.csv", rows), "--judge", "ann")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", "'="])
def test_no_explanation_is_a_formula_and_each_comes_back(
    run: Path, tmp_path: Path, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def formulas(run: str) -> Iterator[Explanation]:
        return (replace(each, text=f"{start}HYPERLINK(1)\n{each.text}") for each in explanations(run))

    monkeypatch.setattr("ray_jobs.sheet.explanations", formulas)
    monkeypatch.setattr("ray_jobs.sheet_reading.explanations", formulas)
    moot(run, "--sheet", tmp_path / "s.csv", "--sample", 2)
    rows = sheet(tmp_path / "s.csv")
    assert all(row["explanation"].startswith(f"'{start}HYPERLINK") for row in rows)
    rows[0]["value_1"], rows[1]["value_1"] = "none", "Accessibility"
    assert "2 explanations" in moot(run, "--read", fill(tmp_path / "s.csv", rows), "--judge", "ann")


def test_bad_commands_are_told(run: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.csv"
    own.write_text("value,definition\nCandour,One says what is so.\n")
    moot(run, "--sheet", tmp_path / "s.csv", "--sample", 2)
    rows = sheet(tmp_path / "s.csv")
    (tmp_path / "short.csv").write_text("id;explanation;value_1\nx;y;z\n")
    (tmp_path / "empty.csv").write_text("")
    for words, says in (
        (["--sheet", tmp_path / "s.csv"], "s.csv, which is there already; allowed: a new file"),
        (["--sheet", tmp_path / "n.csv", "--sample", 9999], "--sample: found 9999; allowed: at most"),
        (["--sheet", tmp_path / "no" / "n.csv"], "cannot be written: No such file"),
        (["--read", tmp_path / "s.csv"], "found --read without --judge; allowed: --judge NAME, of"),
        (["--sheet", tmp_path / "n.csv", "--judge", "a"], "found --judge a beside --sheet; allowed: --sheet"),
        (
            ["--read", tmp_path / "s.csv", "--judge", "a"],
            "--judge: found 'a', a model of the run or one that",
        ),
        (["--read", tmp_path / "x.csv", "--judge", "ann"], "found no file"),
        (["--read", tmp_path / "s.csv", "--judge", "ann"], "found no row with a value"),
        (["--read", tmp_path / "s.csv", "--judge", "../ann"], "--judge: found '../ann'; allowed: letters"),
        (
            ["--read", tmp_path / "short.csv", "--judge", "ann"],
            "short.csv:1: found id;explanation;value_1; expected the columns id, explanation, value_1,",
        ),
        (["--read", tmp_path / "empty.csv", "--judge", "ann"], "empty.csv: found an empty file; expected"),
    ):
        assert says in moot(run, *words, code=2)
    rows[0]["value_1"] = "Accessibility"
    fill(tmp_path / "s.csv", rows)
    moot(run, "--read", tmp_path / "s.csv", "--judge", "ann")
    rows[0]["value_1"], rows[1]["value_1"] = "", "Candour"
    fill(tmp_path / "s.csv", rows)
    told = moot(run, "--read", tmp_path / "s.csv", "--judge", "ann", "--values", own, code=2)
    assert "--values: found 1 value from 'Candour'" in told
    told = moot(run, "--read", tmp_path / "s.csv", "--judge", "bob", "--name", "human-ann", code=2)
    assert "with labels by human:ann; allowed: a name of its own for every judge" in told
    told = moot(run, "--judge", "a", "--name", "human-ann", code=2)
    assert "holds labels by a person" in told


def test_a_judge_that_has_labelled_the_run_is_no_person(run: Path, tmp_path: Path) -> None:
    moot(run, "--sheet", tmp_path / "s.csv", "--sample", 1)
    rows = sheet(tmp_path / "s.csv")
    rows[0]["value_1"] = "none"
    brought = study(models={"strict": {"backend": "simulated"}}).models
    order = Order("strict", "by-strict")
    claim_run(
        label_store(Store(str(run)), "by-strict"),
        labelling(EXPERIMENT, order, brought),
        claim_id(),
        labelled="r",
    )
    told = moot(run, "--read", fill(tmp_path / "s.csv", rows), "--judge", "strict", code=2)
    assert "--judge: found 'strict', a model of the run or one that has labelled it" in told
    moot(run, "--read", tmp_path / "s.csv", "--judge", "ann")


def test_a_run_without_ended_debates_has_no_sheet(tmp_path: Path) -> None:
    finished(tmp_path / "run", EXPERIMENT, 2, debates=0)
    told = moot(tmp_path / "run", "--sheet", tmp_path / "s.csv", code=2)
    assert "found no explanation in a debate that has ended" in told
    assert "found no run of moot" in moot(tmp_path / "none", "--sheet", tmp_path / "s.csv", code=2)
