"""A run on an object store is one like any other: files, lease, log and parts, through outages too."""

import threading
from pathlib import Path

import pyarrow as pa
import pytest

from analysis.part import PartError
from analysis.storage import AddressError, Unreachable
from ray_jobs import lease
from ray_jobs.lease import LeaseLost
from ray_jobs.located import ExperimentError
from ray_jobs.log import Log, Row
from ray_jobs.open_log import OpenLog
from ray_jobs.parts import Parts, Rows, read_parts, write_batch, write_part
from ray_jobs.recovery import recover
from ray_jobs.run_directory import refuse_foreign
from ray_jobs.store import Store, patiently, reach
from tests.ray_jobs.object_store import ObjectServer
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.studies import study
from tests.ray_jobs.test_lease import NEW, OLD, put


@pytest.fixture
def store(server: ObjectServer) -> Store:
    return Store(server.address())


@pytest.fixture(scope="module")
def debates() -> list[Rows]:
    """The rows of three debates."""
    return played(study(panels=[["a", "b"]], protocols=["synchronous"], rounds=2), case_rows(3))


def replies(rows: Rows) -> list[Row]:
    return list(rows["replies"])


def debate_id(rows: Rows) -> str:
    return str(rows["replies"][0]["debate_id"])


def flushed(log: Log, rows: Rows) -> None:
    for row in rows["replies"]:
        log.append(row)
    log.flush()


def test_what_was_written_is_read_listed_and_deleted(store: Store) -> None:
    """An object that a client's folder marker stands for is none, and a deleted one can be deleted again."""
    large = bytes(11 * 2**20)
    for name, data in (("b", b"b"), ("deep/er/c", b""), ("a", large), ("deep/.half", b"half")):
        store.write(name, data)
    assert store.names("") == ["a", "b", "deep/er/c"]
    assert [store.read(name) for name in store.names("")] == [large, b"b", b""]
    store.write("b", b"longer than before")
    assert store.read("b") == b"longer than before"
    for _ in range(2):
        store.delete("deep/er/c")
    assert store.names("deep") == store.names("none") == []
    assert [store.exists(name) for name in ("a", "deep", "deep/er/c")] == [True, False, False]
    with pytest.raises(FileNotFoundError):
        store.read("deep/er/c")


def test_folders_that_only_markers_are_left_of_are_empty(store: Store) -> None:
    store.write("lease/one.json", b"{}")
    store.delete("lease/one.json")
    assert Store(store.uri).names("") == []
    refuse_foreign(store)
    assert lease.holders(store) == []


def test_a_file_of_others_is_told(store: Store) -> None:
    store.write("thesis.txt", b"precious")
    with pytest.raises(ExperimentError, match=r"holds files but no run of moot.*found thesis\.txt"):
        refuse_foreign(store)


def test_what_cannot_be_reached_is_told_at_once(server: ObjectServer) -> None:
    """With what was found and what to do; a store of the wrong credentials does not even try again."""
    reach(server.address())
    with pytest.raises(Unreachable, match="found no bucket 'none'; create it, or correct its name"):
        reach(server.in_bucket("none"))
    with pytest.raises(OSError, match=r"none/run/a cannot be written: .*NO_SUCH_BUCKET"):
        Store(server.in_bucket("none")).write("a", b"")
    address = server.address()
    with server.strict():
        with pytest.raises(Unreachable, match=r"INVALID_ACCESS_KEY_ID.*; give credentials that may list"):
            reach(address)
        with pytest.raises(Unreachable, match=r"some/run/a cannot be reached: .*ACCESS_DENIED"):
            Store(address).exists("a")
        with pytest.raises(OSError, match=r"some/run/a cannot be written: .*INVALID_ACCESS_KEY_ID"):
            Store(address).write("a", b"")


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("hdfs://host/run", "is no address of a run: Hadoop is no object store; allowed: a folder, s3://"),
        ("ftp://bucket/run", "is no address of a run: Unrecognized filesystem type"),
        ("s3://bucket/a run", "is no address of a run: Cannot parse URI"),
        ("s3://bucket/run?endpoint=localhost:1", "Unexpected query parameter in S3 URI: 'endpoint'"),
        ("s3://", "names no bucket; expected s3://BUCKET/FOLDER"),
    ],
)
def test_what_is_no_address_is_refused(address: str, says: str) -> None:
    with pytest.raises(AddressError) as refused:
        reach(address)
    assert says in str(refused.value)


@pytest.mark.parametrize("secret", ["se/cr+et", "secret with spaces", "sec@ret", "sec?ret"])
def test_a_secret_in_an_address_is_refused_and_never_shown(secret: str) -> None:
    with pytest.raises(AddressError) as refused:
        Store(f"s3://AKEY:{secret}@bucket/run?region=here")
    assert "'s3://***@bucket/run?region=here' holds a secret" in str(refused.value)
    assert secret not in str(refused.value)
    assert "AKEY" not in str(refused.value)


def test_what_may_pass_is_tried_again_and_what_is_certain_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ray_jobs.store.LONGEST_WAIT", 0.001)
    passing = OSError("AWS Error SLOW_DOWN during PutObject operation")
    certain = [OSError("AWS Error ACCESS_DENIED during x"), FileNotFoundError("a"), PartError("a")]
    for left in ([passing, passing], *([error] for error in certain)):
        raised = list(left)

        def tried(errors: list[Exception] = raised) -> str:
            if errors:
                raise errors.pop()
            return "done"

        if raised[0] is passing:
            assert patiently(tried, 10.0) == "done"
        else:
            with pytest.raises(type(raised[0])):
                patiently(tried, 10.0)
            assert tried() == "done"


def test_an_outage_that_lasts_is_told_with_the_path(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    monkeypatch.setattr("ray_jobs.store.PATIENCE_SECONDS", 0.0)

    def down(*_: object) -> None:
        raise OSError("AWS Error NETWORK_CONNECTION during an operation")

    monkeypatch.setattr(store, "_put", down)
    monkeypatch.setattr(store, "_read", down)
    path = store.path("file")
    with pytest.raises(OSError, match=f"{path} cannot be written: AWS Error .* run the same command again"):
        store.write("file", b"")
    with pytest.raises(Unreachable, match=f"{path} cannot be reached: AWS Error .*; check the network"):
        store.read("file")


def test_an_outage_makes_no_part_a_damaged_one(
    monkeypatch: pytest.MonkeyPatch, store: Store, debates: list[Rows]
) -> None:
    monkeypatch.setattr("ray_jobs.store.PATIENCE_SECONDS", 0.0)
    write_part(store, "debates", "one", list(debates[0]["debates"]))

    def down(*_: object, **__: object) -> None:
        raise OSError("AWS Error NETWORK_CONNECTION during GetObject operation")

    monkeypatch.setattr("analysis.part.pq.ParquetFile", down)
    with pytest.raises(Unreachable, match=r"debates/one\.parquet cannot be reached: AWS Error"):
        list(read_parts(store, "debates", ["debate_id"]))
    monkeypatch.undo()


def test_every_flush_is_an_object_until_its_debates_are_in_the_tables(
    store: Store, debates: list[Rows]
) -> None:
    log = Log(store, "writer")
    log.flush()
    assert store.names("log") == []
    for rows in debates:
        flushed(log, rows)
    first, second, third = store.names("log")
    assert [first, second, third] == [f"log/writer/{n:06d}.arrow" for n in range(3)]
    log.release([debate_id(debates[1]), debate_id(debates[2])])
    assert store.names("log") == [first, third], "the last stays until another follows or the log is closed"
    log.close()
    assert store.names("log") == [first]
    found = OpenLog(store)
    assert [row["text"] for row in found.rows(debate_id(debates[0]))] == [
        row["text"] for row in replies(debates[0])
    ]
    assert found.torn == []
    with pa.ipc.open_stream(store.read(first)) as stream:
        assert stream.read_all().num_rows == len(replies(debates[0]))


def test_a_reader_outlives_an_object_that_goes_while_it_reads(
    store: Store, debates: list[Rows], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Log(store, "writer")
    for rows in debates[:2]:
        flushed(log, rows)
    listed = store.names("log")
    store.delete(listed[0])
    monkeypatch.setattr(store, "names", lambda _: listed)
    assert set(OpenLog(store).replies) == {debate_id(debates[1])}


class Slow(Store):
    """A store that writes once it may."""

    may = threading.Event()
    writing = threading.Event()

    def write(self, name: str, data: bytes) -> None:
        self.writing.set()
        assert self.may.wait(10)
        super().write(name, data)


def test_a_slow_flush_holds_up_nobody_and_loses_nothing(server: ObjectServer, debates: list[Rows]) -> None:
    """While it is under way more is appended, more is flushed behind it, and ended debates are released."""
    one, other, third = debates
    store = Slow(server.address())
    log = Log(store, "writer")
    threads = []
    for rows in (one, other):
        for row in replies(rows):
            log.append(row)
        threads.append(threading.Thread(target=log.flush))
        threads[-1].start()
        assert store.writing.wait(10)
    for row in replies(third):
        log.append(row)
    log.release([debate_id(third)])
    assert store.names("log") == []
    store.may.set()
    for thread in threads:
        thread.join(10)
    log.close()
    assert set(OpenLog(store).replies) == {debate_id(rows) for rows in debates}


def test_a_run_goes_on_from_parts_and_log(store: Store, debates: list[Rows]) -> None:
    """One debate is in the tables, one in the log, of one the parts were cut short by a crash."""
    log, parts = Log(store, "one"), Parts("one")
    for rows in debates:
        flushed(log, rows)
    parts.add(debates[0], 0.0)
    write_batch(store, parts.take())
    write_part(store, "replies", "one-000001", replies(debates[1]))
    log.close()
    told = list(recover(store))
    assert [line.split(":")[0] for line in told] == ["tables/replies/one-000001.parquet"]
    assert set(OpenLog(store).replies) == {debate_id(rows) for rows in debates[1:]}
    [table] = read_parts(store, "debates", ["debate_id"])
    assert table["debate_id"].to_pylist() == [debate_id(debates[0])]
    assert list(recover(store)) == []


def test_the_second_is_refused_and_a_dead_claim_taken_over(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "SETTLE_SECONDS", {False: 0.0})
    put(store, OLD, process=2**22 + 1)
    with lease.lease(store, NEW):
        with pytest.raises(LeaseLost, match=OLD):
            lease.check(store, OLD)
        later = NEW.replace("T0", "T1")
        with pytest.raises(ExperimentError, match="is being played by process"), lease.lease(store, later):
            pass
        assert store.names("lease") == [f"lease/{NEW}.json"]
    assert store.names("lease") == []


def test_of_many_that_come_at_once_one_plays(server: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest, when every claim is there before anyone looks."""
    monkeypatch.setattr(lease, "SETTLE_SECONDS", {False: 0.0})
    address, refused, played = server.address(), [], []
    all_there, all_refused = threading.Barrier(4, timeout=10), threading.Event()

    class Together(Store):
        alone = True

        def write(self, name: str, data: bytes) -> None:
            super().write(name, data)
            if self.alone:
                self.alone = False
                all_there.wait()

    def come(claim: str) -> None:
        try:
            with lease.lease(Together(address), claim):
                played.append(claim)
                assert all_refused.wait(10)
        except ExperimentError:
            refused.append(claim)
            if len(refused) == 3:
                all_refused.set()

    claims = [OLD.replace("-a", f"-{letter}") for letter in "abcd"]
    threads = [threading.Thread(target=come, args=[claim]) for claim in reversed(claims)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert played == claims[:1]
    assert sorted(refused) == claims[1:]


def test_a_claim_that_is_late_is_withdrawn(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an outage: someone else may have looked, and begun, before it could be seen."""
    monkeypatch.setattr(lease, "PROMPT_SECONDS", {False: 0.0})
    with pytest.raises(ExperimentError, match="to take in a claim"), lease.lease(store, OLD):
        pass
    assert store.names("lease") == []


def test_a_local_store_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a disk refuses is told at once."""
    monkeypatch.setattr("ray_jobs.store.patiently", None)
    store = Store.__new__(Store)
    store.uri, store.root, store.local = "run", str(tmp_path), True

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        store.write("file", b"data")
