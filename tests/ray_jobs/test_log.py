"""The log keeps every flushed row until its debate is in the tables, also when its tail is torn."""

import os
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.schema import schema
from ray_jobs.log import Log, Row
from ray_jobs.open_log import OpenLog, batches, prune, succession
from ray_jobs.recovery import recover
from ray_jobs.store import Store
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.studies import study


@pytest.fixture(scope="module")
def replies() -> list[list[Row]]:
    """The reply rows of four debates of three seats each."""
    experiment = study(panels=[["a", "b", "c"]], protocols=["synchronous"])
    return [rows["replies"] for rows in played(experiment, case_rows(4))]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path))


@pytest.fixture
def log(store: Store) -> Iterator[Log]:
    opened = Log(store, "writer")
    yield opened
    opened.close()


def flushed(log: Log, rows: list[Row]) -> None:
    """Appends the rows and flushes."""
    for row in rows:
        log.append(row)
    log.flush()


def debate_id(rows: list[Row]) -> str:
    return str(rows[0]["debate_id"])


def whole(rows: list[Row]) -> list[Row]:
    """The rows with every column of the table."""
    return [{name: row.get(name) for name in schema("replies").names} for row in rows]


def test_rows_are_there_after_a_flush_and_not_before(
    store: Store, log: Log, replies: list[list[Row]]
) -> None:
    one, other, *_ = replies
    for row in one:
        log.append(row)
    assert debate_id(one) not in OpenLog(store).replies
    log.flush()
    found = OpenLog(store)
    assert found.rows(debate_id(one)) == whole(one)
    assert found.torn == []
    assert debate_id(other) not in found.replies
    assert found.rows(debate_id(other)) == []


def test_rows_are_kept_in_order_while_other_threads_flush_and_release(
    store: Store, log: Log, replies: list[list[Row]]
) -> None:
    rows = [{**replies[0][0], "step": step} for step in range(300)]
    done = threading.Event()

    def flush_and_release() -> None:
        while not done.is_set():
            log.flush()
            log.release([debate_id(replies[1])])

    threads = [threading.Thread(target=flush_and_release) for _ in range(3)]
    for thread in threads:
        thread.start()
    for row in rows:
        log.append(row)
        log.append(replies[1][0])
    done.set()
    for thread in threads:
        thread.join(10)
    log.flush()
    whole = [batch for name in store.names("log") for batch in batches(store, name)[0]]
    found = [row for batch in whole for row in batch.to_pylist()]
    assert [row["step"] for row in found if row["debate_id"] == debate_id(rows)] == list(range(300))
    assert len(found) == 600


def test_a_flush_of_nothing_writes_nothing(store: Store, log: Log) -> None:
    log.flush()
    assert store.names("log") == []


def test_a_full_segment_is_followed_by_another(
    store: Store, log: Log, replies: list[list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ray_jobs.segment.SEGMENT_BYTES", 1)
    for rows in replies:
        flushed(log, rows)
    assert store.names("log") == [f"log/writer/{n:06d}.arrow" for n in range(len(replies))]


def test_a_segment_is_deleted_once_all_its_debates_are_in_the_tables(
    store: Store, log: Log, replies: list[list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first segment holds debates 0 and 1, its second 2, its third, still open, 3."""
    flushed(log, replies[0])
    monkeypatch.setattr("ray_jobs.segment.SEGMENT_BYTES", 1)
    first, second, third = (f"log/writer/{n:06d}.arrow" for n in range(3))
    log._debates[log._name].add(debate_id(replies[1]))
    flushed(log, replies[2])
    flushed(log, replies[3])
    log.release([debate_id(replies[0]), debate_id(replies[3])])
    assert store.names("log") == [first, second, third]
    log.release([debate_id(replies[1])])
    assert store.names("log") == [second, third]
    log.close()
    assert store.names("log") == [second], "the third had no unfinished debate when it was closed"


def test_close_keeps_what_is_unfinished(store: Store, replies: list[list[Row]]) -> None:
    log = Log(store, "writer")
    for row in replies[0]:
        log.append(row)
    log.close()
    assert OpenLog(store).rows(debate_id(replies[0])) == whole(replies[0])
    log.release([debate_id(replies[0])])
    assert store.names("log") == []


def test_rows_of_one_debate_are_gathered_from_segments_and_writers(
    store: Store, log: Log, replies: list[list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ray_jobs.segment.SEGMENT_BYTES", 1)
    rows = max(replies, key=len)
    flushed(log, [*rows[:1], *min(replies, key=len)])
    flushed(log, rows[1:2])
    later = Log(store, "writer2")
    flushed(later, rows[2:])
    later.close()
    assert len(store.names("log")) == 3
    assert OpenLog(store).rows(debate_id(rows)) == whole(rows)


def test_of_two_rows_for_one_place_the_later_counts(store: Store, log: Log, replies: list[list[Row]]) -> None:
    rows = replies[0]
    flushed(log, [{**row, "text": "earlier"} for row in rows])
    flushed(log, rows)
    assert OpenLog(store).rows(debate_id(rows)) == whole(rows)


def test_wherever_a_segment_is_torn_its_whole_batches_are_read(
    tmp_path: Path, store: Store, replies: list[list[Row]]
) -> None:
    """At every byte. Cut between two batches, a segment is as a killed writer leaves it, not torn."""
    log = Log(store, "writer")
    segment = tmp_path / "log/writer/000000.arrow"
    whole_until = {0: 0, len(schema("replies").serialize()): 0}  # batches, by where they end
    for count, rows in enumerate(replies[:2], start=1):
        flushed(log, rows[:1])
        whole_until[segment.stat().st_size] = count
    log.close()
    [name] = store.names("log")
    for cut in range(max(whole_until), -1, -1):
        os.truncate(segment, cut)
        found, torn = batches(store, name)
        assert len(found) == max(count for end, count in whole_until.items() if end <= cut), cut
        assert (torn is None) == (cut in whole_until), (cut, torn)


def test_a_tear_is_told_once_and_the_rest_is_read(
    tmp_path: Path, store: Store, replies: list[list[Row]]
) -> None:
    log = Log(store, "writer")
    for rows in replies:
        flushed(log, rows)
    log.close()
    [name] = store.names("log")
    os.truncate(tmp_path / name, (tmp_path / name).stat().st_size - 100)
    found = OpenLog(store)
    [torn] = found.torn
    assert torn.startswith(f"{name}: cut after {len(replies) - 1} whole batches")
    assert [debate_id(rows) in found.replies for rows in replies] == [True] * (len(replies) - 1) + [False]


def test_pruning_deletes_the_segments_that_hold_nothing_open(store: Store, replies: list[list[Row]]) -> None:
    names = defaultdict(str)
    for number, rows in enumerate(replies[:2]):
        log = Log(store, f"writer{number}")
        flushed(log, rows)
        log.close()
        names[debate_id(rows)] = store.names(f"log/writer{number}")[0]
    finished, unfinished = names
    prune(store, lambda debates: set(debates) <= {finished})
    assert store.names("log") == [names[unfinished]]


def test_what_a_writer_thought_dead_still_wrote_is_dropped() -> None:
    """The second claim found step 0 and slot 0 of step 1; the first went on writing all the same."""
    first = [("one", step, slot) for step, slot in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]]
    second = [("two", 1, 1)]
    third = [("three", 2, 0)]
    rows = [{"claim": claim, "step": step, "slot": slot} for claim, step, slot in [*first, *second, *third]]

    def kept(count: int) -> list[tuple[str, int, int]]:
        return [(row["claim"], row["step"], row["slot"]) for row in succession(rows[:count])]

    assert kept(5) == first
    assert kept(6) == [("one", 0, 0), ("one", 0, 1), ("one", 1, 0), ("two", 1, 1)]
    assert kept(7) == [*kept(6), ("three", 2, 0)]
    assert succession([]) == []


def test_what_cannot_be_read_is_told_and_never_deleted(tmp_path: Path, store: Store, log: Log) -> None:
    """Garbage in place of a segment, and a file that is none, stay where they are."""
    (tmp_path / "log/writer").mkdir(parents=True, exist_ok=True)
    (tmp_path / "log/writer/000009.arrow").write_bytes(b"garbage" * 1000)
    (tmp_path / "log/notes.txt").write_text("precious")
    [torn] = recover(store)
    assert "log/writer/000009.arrow: cut after 0 whole batches" in torn
    assert store.names("log") == ["log/notes.txt", "log/writer/000009.arrow"]
