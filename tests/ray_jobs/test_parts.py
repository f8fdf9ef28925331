"""Parts: one schema, `debates` last; a crash between any two writes neither loses nor doubles a debate."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis.schema import schema
from protocols.columns import TABLES
from ray_jobs.ended import debates_in
from ray_jobs.line import AskFailed
from ray_jobs.log import Log, Row
from ray_jobs.open_log import OpenLog
from ray_jobs.parts import (
    ORDER,
    PART_SECONDS,
    Batch,
    Parts,
    Rows,
    remove_leftovers,
    write_batch,
    write_part,
)
from ray_jobs.playing import failure_rows
from ray_jobs.recovery import recover
from ray_jobs.store import Store
from tests.ray_jobs.plays import case_rows, played, steady
from tests.ray_jobs.studies import study


class Killed(BaseException):
    """The process ended here."""


class Mortal(Store):
    """A store whose process is killed once it has changed so many files."""

    def __init__(self, uri: str, changes: int) -> None:
        super().__init__(uri)
        self.left = changes

    def write(self, name: str, data: bytes) -> None:
        self._live()
        super().write(name, data)

    def delete(self, name: str) -> None:
        self._live()
        super().delete(name)

    def _live(self) -> None:
        if self.left == 0:
            raise Killed
        self.left -= 1


@pytest.fixture(scope="module")
def debates() -> list[Rows]:
    """The rows of four debates that ended, and of one that failed."""
    experiment = study(panels=[["a", "b"]], protocols=["synchronous"], rounds=2)
    *finished, last = played(experiment, case_rows(5))
    return [*finished, failure_rows(last["debates"][0], AskFailed("seat2", "b", "AskRefused", "no", 0.5))]


def finished_ids(debates: list[Rows]) -> list[str]:
    return sorted(row["debate_id"] for rows in debates for row in rows.get("debates", ()))


def read(store: Store, table: str) -> list[Row]:
    """Every row of a table."""
    return [
        row
        for name in store.names(f"tables/{table}")
        for row in pq.read_table(pa.BufferReader(store.read(name))).to_pylist()
    ]


def logged(store: Store, writer: str, debates: list[Rows]) -> Log:
    """A log that holds the replies of these debates."""
    log = Log(store, writer)
    for rows in debates:
        for row in rows.get("replies", ()):
            log.append(row)
    log.flush()
    return log


def batch_of(writer: str, debates: list[Rows]) -> Batch:
    parts = Parts(writer)
    for rows in debates:
        parts.add(rows, 0.0)
    return parts.take()


@pytest.mark.parametrize("table", TABLES)
def test_the_schema_of_every_part_is_the_same_to_the_byte(tmp_path: Path, table: str) -> None:
    """With every column null and with none null."""
    full = {field.name: value_of(field.type) for field in schema(table)}
    for stem, rows in (("null", [{}]), ("full", [full, full])):
        write_part(Store(str(tmp_path)), table, stem, rows)
    null, whole = (pq.ParquetFile(tmp_path / f"tables/{table}/{stem}.parquet") for stem in ("null", "full"))
    assert null.metadata.metadata == whole.metadata.metadata
    assert null.metadata.schema.equals(whole.metadata.schema)
    assert null.schema_arrow.equals(schema(table))
    assert whole.read().to_pylist() == [full, full]
    null.close()
    whole.close()


def value_of(of: pa.DataType) -> object:
    """A value of this type."""
    if pa.types.is_list(of):
        return [value_of(of.value_type)]
    if pa.types.is_struct(of):
        return {field.name: value_of(field.type) for field in of}
    return pa.scalar(1).cast(of).as_py() if not pa.types.is_boolean(of) else True


def test_debates_are_written_last(tmp_path: Path, debates: list[Rows]) -> None:
    batch = batch_of("w", debates)
    assert sorted(batch.finished) == finished_ids(debates)
    tables = [name for name in ORDER if name in batch.parts]
    for changes, written in enumerate([[], *(tables[:count] for count in range(1, len(tables)))]):
        store = Mortal(str(tmp_path / str(changes)), changes)
        with pytest.raises(Killed):
            write_batch(store, batch)
        assert store.names("") == sorted(f"tables/{table}/w-000000.parquet" for table in written)
        assert "debates" not in written


def test_a_part_is_due_after_its_time_or_its_bytes(
    debates: list[Rows], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ray_jobs.parts.PART_BYTES", 1_000_000)
    parts = Parts("w")
    assert not parts.due(1e9)
    parts.add(debates[0], 100.0)
    parts.add(debates[1], 130.0)
    assert not parts.due(100.0 + PART_SECONDS - 1)
    assert parts.due(100.0 + PART_SECONDS)
    assert len(parts.take().finished) == 2
    assert not parts.due(1e9), "the next one waits for its own first debate"
    parts.add({"replies": [{"text": "x" * 1_000_000, "messages": None}]}, 0.0)
    assert parts.due(0.0)


def test_rows_that_are_encoded_in_groups_are_all_there(
    tmp_path: Path, debates: list[Rows], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ray_jobs.parts.GROUP_BYTES", 1)
    store = Store(str(tmp_path))
    write_batch(store, batch_of("w", debates))
    for table in ("replies", "turns", "debates"):
        expected = [row for rows in debates[:-1] for row in rows[table]]
        assert steady(read(store, table), table) == whole(expected, table)


def test_batches_have_names_of_their_own(debates: list[Rows]) -> None:
    parts = Parts("w")
    assert [parts.take().stem for _ in range(2)] == ["w-000000", "w-000001"]
    assert parts.take().finished == []


@pytest.mark.parametrize("changes", range(6))
def test_killed_after_any_write_nothing_is_lost_or_doubled(
    tmp_path: Path, debates: list[Rows], changes: int
) -> None:
    """Killed after each of the four parts and of the segment's end; the next process asks for what is open.

    A debate is in the tables with all its rows, or in the log with all its replies.
    """
    run = str(tmp_path)
    log = logged(Store(run), "one", debates)
    mortal = Mortal(run, changes)
    log._store = mortal
    try:
        batch = batch_of("one", debates)
        write_batch(mortal, batch)
        log.release(batch.finished)
        log.close()
    except Killed:
        if log._current is not None:
            log._current.end()
    store = Store(run)
    told = list(recover(store))
    assert [line.split(":")[0] for line in told] == [
        f"tables/{table}/one-000000.parquet" for table in ORDER[: min(changes, 2) if changes < 4 else 0]
    ]
    assert list(recover(store)) == []
    ended, open_log = debates_in(store, "debates"), OpenLog(store)
    left = [rows for rows in debates[:-1] if int(rows["debates"][0]["debate_id"], 16) not in ended]
    assert len(left) == (4 if changes < 4 else 0)
    for rows in left:
        found = open_log.rows(rows["debates"][0]["debate_id"])
        assert steady(found, "replies") == whole(rows["replies"], "replies")
    assert (store.names("log") == []) == (not left)
    write_batch(store, batch_of("two", left))
    for table in ("replies", "turns", "debates"):
        expected = [row for rows in debates[:-1] for row in rows[table]]
        assert steady(read(store, table), table) == whole(expected, table)
    assert len(read(store, "failures")) == (1 if changes >= 3 else 0)


def whole(rows: list[Row], table: str) -> list[Row]:
    """The rows as a part has them: with every column of the table."""
    return steady(({name: row.get(name) for name in schema(table).names} for row in rows), table)


def test_a_part_of_failures_alone_is_no_leftover(tmp_path: Path, debates: list[Rows]) -> None:
    store = Store(str(tmp_path))
    write_batch(store, batch_of("one", debates[-1:]))
    assert list(recover(store)) == []
    assert len(read(store, "failures")) == 1


def test_what_one_writer_left_over_is_removed_and_no_other_writer_is_touched(
    tmp_path: Path, debates: list[Rows]
) -> None:
    """Not one whose name goes on after the same beginning, and no part that came into `debates`."""
    store = Store(str(tmp_path))
    write_batch(store, batch_of("moderator1-1", debates[:1]))
    for writer in ("moderator1-0", "moderator1-10", "moderator11-1", "moderator1-1"):
        write_part(store, "replies", f"{writer}-000007", list(debates[1]["replies"]))
    before = store.names("tables")
    assert remove_leftovers(store, "moderator1-1") == ["tables/replies/moderator1-1-000007.parquet"]
    assert set(before) - set(store.names("tables")) == {"tables/replies/moderator1-1-000007.parquet"}
