"""moot export: what is given to others is what the tables hold, whole, while a run goes on and afterwards."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
import yaml

from protocols.columns import DESIGN, TABLES
from protocols.prompts import BUILTIN
from ray_jobs.label_folder import keep_values
from ray_jobs.log import Row
from ray_jobs.parts import Rows, write_part
from ray_jobs.stages import stages
from ray_jobs.store import Store
from tests.ray_jobs.finished import finished
from tests.ray_jobs.object_store import ObjectServer
from tests.ray_jobs.published.files import write_study
from tests.ray_jobs.studies import study
from tests.ray_jobs.test_cli import moot, refused

pytestmark = pytest.mark.long

STAGES = [{"name": "judged", "judges": ["c"]}, {"name": "values", "labels": ["c"]}]
STUDY: dict[str, Any] = {"panels": [["a", "b"]], "protocols": ["synchronous", "round_robin"], "rounds": 2}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run with judges and labels that has ended."""
    experiment = study(**STUDY, stages=STAGES)
    finished(tmp_path / "run", experiment)
    keep_values(Store(str(tmp_path / "run")), stages(experiment))
    return tmp_path / "run"


def rows_of(run: Path, table: str) -> list[Row]:
    return list(ds.dataset(run / "tables" / table).to_table().to_pylist())


def exported(run: object, form: str, out: Path, *more: object) -> Path:
    told = moot("export", run, "--to", form, "--out", out, *more)
    assert told.exit_code == 0, told.output
    return out


def lines(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def by_id(rows: list[Row], *names: str) -> list[Row]:
    return sorted(rows, key=lambda row: tuple(str(row[name]) for name in ("debate_id", *names)))


def test_a_data_set_holds_every_row(run: Path, tmp_path: Path) -> None:
    out = exported(run, "hf", tmp_path / "out", "--licence", "cc-by-4.0")
    for table in ("replies", "turns", "judgments", "debates", "cases"):
        found = ds.dataset(out / "data" / table).to_table().to_pylist()
        assert by_id(found, "case_id") == by_id(rows_of(run, table), "case_id"), table
    assert not (out / "data" / "failures").exists()
    assert yaml.safe_load((out / "experiment.yaml").read_text())["name"] == "study"
    assert (out / "values" / "values.csv").read_text().startswith("value,definition,group")
    assert sorted(file.stem for file in (out / "prompts").iterdir()) == sorted(BUILTIN)


def test_the_card_names_tables_that_are_there_and_says_what_they_hold(run: Path, tmp_path: Path) -> None:
    out = exported(run, "hf", tmp_path / "out", "--licence", "cc-by-4.0")
    _, head, text = (out / "README.md").read_text("utf-8").split("---\n", 2)
    told = yaml.safe_load(head)
    assert told["license"] == "cc-by-4.0"
    for config in told["configs"]:
        files = list(out.glob(config["data_files"]))
        assert files, config
        rows = sum(pq.read_metadata(file).num_rows for file in files)
        assert f"### {config['config_name']}: {rows:,} rows" in text
    assert [config["config_name"] for config in told["configs"] if config.get("default")] == ["debates"]
    for name, _, meaning in (
        *DESIGN,
        *(column for table in ("turns", "debates") for column in TABLES[table]),
    ):
        assert f"| {name} |" in text
        assert meaning.replace("|", "\\|") in text
    assert "| debate | synchronous | a+b | 1-2 | default+default | text | 3 |" in text
    assert "answered by" in text
    for kind in ("turn", "judge", "label"):
        asked = next(row for row in rows_of(run, "replies") if row["kind"] == kind)
        assert asked["messages"][0]["content"] in text
    assert "comes from a simulation or a script" in text


def test_a_card_without_a_licence_says_so(run: Path, tmp_path: Path) -> None:
    text = (exported(run, "hf", tmp_path / "out") / "README.md").read_text("utf-8")
    assert "license" not in text.split("---\n")[1]
    assert "None was given" in text


def as_written(value: object) -> str | None:
    """A cell of CSV; None for numbers and times, which may be written in several ways."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | bool) else None


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ("replies", ("step", "slot")),
        ("turns", ("round", "position")),
        ("judgments", ("source_round", "source_seat")),
        ("debates", ()),
        ("cases", ("case_id",)),
    ],
)
def test_csv_holds_every_cell(run: Path, tmp_path: Path, table: str, key: tuple[str, ...]) -> None:
    out = exported(run, "csv", tmp_path / "out")
    with (out / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        found = by_id(list(csv.DictReader(file)), *key)
    expected = by_id(rows_of(run, table), *key)
    assert len(found) == len(expected)
    for one, row in zip(found, expected, strict=True):
        assert one.keys() == row.keys()
        for name, value in row.items():
            assert as_written(value) in (None, one[name]), name
            if isinstance(value, int | float):
                assert float(value) == float({"true": 1, "false": 0}.get(one[name], one[name]))


def test_transcripts_hold_every_turn(run: Path, tmp_path: Path) -> None:
    out = exported(run, "jsonl", tmp_path / "out")
    debates, turns = lines(out / "debates.jsonl"), rows_of(run, "turns")
    expected = {row["debate_id"]: row for row in rows_of(run, "debates") if row["outcome"] != "judgment"}
    assert {line["debate_id"] for line in debates} == set(expected)
    assert len(debates) == len(expected) == 9
    for line in debates:
        ended = expected[line["debate_id"]]
        assert line["outcome"] == ended["outcome"]
        assert line["case"]["text"].startswith("The story of conflict")
        own = [row for row in turns if row["debate_id"] == line["debate_id"]]
        own.sort(key=lambda row: (row["round"], row["position"]))
        assert [turn["text"] for turn in line["turns"]] == [row["explanation"] for row in own]
        assert [turn["label"] for turn in line["turns"]] == [row["label"] for row in own]
    judged = lines(out / "judgments.jsonl")
    assert sorted({line["kind"] for line in judged}) == ["judge", "label"]
    assert len(judged) == len(rows_of(run, "judgments"))


@pytest.mark.parametrize("form", ["hf", "csv", "jsonl"])
def test_a_run_that_goes_on_is_exported_as_far_as_it_is(tmp_path: Path, form: str) -> None:
    """Rows of a debate that is not in `debates` yet are left out, in every table."""
    played: list[Rows] = finished(tmp_path / "run", study(**STUDY), debates=2)
    open_debate = {**played[0]["turns"][0], "debate_id": "f" * 16}
    write_part(Store(str(tmp_path / "run")), "turns", "w-000009", [open_debate])
    out = exported(tmp_path / "run", form, tmp_path / "out")
    assert "f" * 16 not in "".join(
        str(pq.read_table(file).to_pylist()) if file.suffix == ".parquet" else file.read_text("utf-8")
        for file in out.rglob("*.*")
        if file.is_file()
    )
    if form == "hf":
        assert "2 of 9 planned debates are finished" in (out / "README.md").read_text("utf-8")


def test_a_run_of_which_nothing_has_ended(tmp_path: Path) -> None:
    finished(tmp_path / "run", study(**STUDY), debates=0)
    told = moot("export", tmp_path / "run", "--to", "jsonl", "--out", tmp_path / "out")
    assert "nothing has ended" in told.stdout
    assert (tmp_path / "out").is_dir()


def test_a_run_on_an_object_store(server: ObjectServer, tmp_path: Path) -> None:
    address = server.address()
    rows = finished(address, study(**STUDY))  # type: ignore[arg-type]
    out = exported(address, "jsonl", tmp_path / "out")
    assert len(lines(out / "debates.jsonl")) == len(rows)


def test_a_study_is_imported_to_an_object_store_and_exported_from_there(
    server: ObjectServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ray_jobs.lease.SETTLE_SECONDS", {True: 0.0, False: 0.0})
    address = server.address()
    write_study(tmp_path / "files", 2, holding="3way")
    told = moot("import", "interaction-protocol", tmp_path / "files", "--out", address)
    assert told.exit_code == 0, told.output
    out = exported(address, "hf", tmp_path / "out")
    assert pq.read_metadata(out / "published/differences.parquet").num_rows > 0
    judged = ds.dataset(out / "data/judgments").to_table()
    assert len(judged) == len(ds.dataset(out / "data/turns").to_table()) > 0
    assert set(judged["judge"].to_pylist()) == {"published"}
    assert (out / "values/published.csv").exists()
    text = (out / "README.md").read_text("utf-8")
    assert "How the models were asked is not part of this run." in text
    assert not (out / "prompts").exists()


def test_what_cannot_be_exported_is_refused(run: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "a").touch()
    refused(moot("export", run, "--to", "csv", "--out", taken), "--out", "found something there")
    refused(moot("export", tmp_path, "--to", "csv", "--out", tmp_path / "x"), "found no run of moot")
    refused(
        moot("export", run, "--to", "hf", "--out", tmp_path / "x", "--licence", "CC BY"),
        "--licence: found 'CC BY'; allowed: its short name",
    )
    assert moot("export", run, "--to", "xlsx", "--out", tmp_path / "x").exit_code == 2
    part = next((run / "tables/turns").iterdir())
    part.write_bytes(b"torn")
    refused(moot("export", run, "--to", "hf", "--out", tmp_path / "x"), "cannot be read as Parquet")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run", "taken"], "nothing is left behind"


def test_a_debate_without_its_turns_is_refused(run: Path, tmp_path: Path) -> None:
    next((run / "tables/turns").iterdir()).unlink()
    refused(moot("export", run, "--to", "jsonl", "--out", tmp_path / "x"), "and no turns of it")
