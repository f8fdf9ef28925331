"""Reading a run directory: which rows count, and what is refused. Nothing here needs Ray to run."""

from __future__ import annotations

import pickle
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import fs

from analysis.part import Part, PartError, load
from analysis.schema import schema
from analysis.storage import opened
from analysis.tables import RunNotFound, parts, read, survey
from protocols.columns import SCHEMA_VERSION
from tests.analysis.synthetic import draw, table, write


def ids(run: Path, name: str) -> list[str]:
    """The distinct debates whose rows count, by part."""
    files, _ = opened(run)
    loaded = [load(files, part, ["debate_id"]) for part in survey(run, name)]
    return [one for rows in loaded for one in rows["debate_id"].unique().to_pylist()]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write(tmp_path / "run", [draw(1, 12), draw(2, 12)])


def test_every_finished_debate_counts_once(run: Path) -> None:
    finished = [debate.id for debate in (*draw(1, 12), *draw(2, 12)) if not debate.error]
    for name in ("debates", "turns", "replies"):
        assert ids(run, name) == finished


def test_a_part_without_its_debates_is_ignored(run: Path) -> None:
    before = ids(run, "turns")
    write(run, [draw(3, 5, failing=0)], tables=("turns",))
    assert len(parts(run, "turns")) == 3
    assert ids(run, "turns") == before


def test_a_debate_written_again_after_a_crash_counts_once(run: Path) -> None:
    again = draw(3, 5, failing=0)
    write(run, [again], tables=("turns",))
    write(run, [again])
    assert sorted(ids(run, "turns")) == sorted(ids(run, "debates"))


def test_a_failure_that_a_later_try_made_good_is_none(run: Path) -> None:
    failed = ids(run, "failures")
    finished = ids(run, "debates")[0]
    row = pa.Table.from_pylist([{"debate_id": finished, "error_class": "Timeout"}], schema("failures"))
    pq.write_table(row, run / "tables/failures/09999.parquet")
    assert ids(run, "failures") == failed


def test_unfinished_files_and_other_files_are_no_parts(run: Path) -> None:
    folder = run / "tables" / "turns"
    (folder / ".00009-a.parquet").write_bytes(b"half")
    (folder / "notes.txt").write_text("mine")
    assert [Path(path).name for path in parts(run, "turns")] == ["00000-a.parquet", "00001-a.parquet"]


def test_a_run_that_has_written_nothing_has_no_parts(tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    assert parts(tmp_path, "turns") == []
    assert survey(tmp_path, "turns", "debates") == []


@pytest.mark.parametrize("place", ["nowhere", ".", "file"])
def test_what_is_no_run_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("no run")
    with pytest.raises(RunNotFound, match="is no run directory"):
        parts(tmp_path / place, "turns")


def test_a_torn_part_is_named(run: Path) -> None:
    torn = run / "tables/turns/00001-a.parquet"
    torn.write_bytes(torn.read_bytes()[:-100])
    with pytest.raises(PartError, match=r"00001-a\.parquet cannot be read as Parquet"):
        survey(run, "turns")


def foreign(name: str) -> tuple[pa.Table, str]:
    turns = table(draw(1, 3), "turns")
    version = {"schema_version": str(SCHEMA_VERSION)}
    return {
        "plain": (turns.replace_schema_metadata(), "has no schema version"),
        "newer": (
            turns.replace_schema_metadata({"schema_version": "99"}),
            "schema version 99, this moot reads",
        ),
        "fewer": (turns.drop_columns(["crux"]), "has no column 'crux'"),
        "more": (turns.append_column("mood", turns["seat"]), "column 'mood' that moot does not know"),
        "other": (table(draw(1, 3), "debates"), "is no part of 'turns'"),
        "types": (
            turns.set_column(turns.column_names.index("round"), "round", turns["round"].cast(pa.int32())),
            "column 'round' is int32, expected int64",
        ),
        "order": (turns.select(turns.column_names[::-1]).replace_schema_metadata(version), "another order"),
    }[name]


@pytest.mark.parametrize("kind", ["plain", "newer", "fewer", "more", "other", "types", "order"])
def test_a_foreign_part_is_named_with_what_is_wrong(run: Path, kind: str) -> None:
    rows, complaint = foreign(kind)
    pq.write_table(rows, run / "tables/turns/00007-b.parquet")
    with pytest.raises(PartError, match=complaint) as caught:
        survey(run, "turns")
    assert "00007-b.parquet" in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("column", schema("turns").names)
def test_a_part_without_a_column_is_named_where_strings_are_read_as_dictionaries(
    run: Path, column: str
) -> None:
    turns = table(draw(1, 3), "turns")
    path = run / "tables/turns/00007-b.parquet"
    pq.write_table(turns.drop_columns([column]), path)
    with pytest.raises(PartError, match=f"has no column '{column}'"):
        load(fs.LocalFileSystem(), Part("turns", str(path)), ["label", column], encoded=True)


def test_an_unknown_column_is_refused_before_anything_is_read(run: Path) -> None:
    with pytest.raises(ValueError, match=r"turns has no column 'verdict'; it has .*label"):
        read(run, "turns", ["verdict"])
