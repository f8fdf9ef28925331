"""Whoever reads the tables of a run, with whatever, and while it grows, finds them consistent."""

import math
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Semaphore, Thread

import pytest
import ray

from ray_jobs.log import Log
from ray_jobs.parts import ORDER, Parts, Rows, part_name, write_batch
from ray_jobs.store import Store
from tests.ray_jobs.disturbed import Play, logged
from tests.ray_jobs.moot_runs import check_whole, start, wait_until, write_study
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.readers import HERE, Reader, Watch, by_ray_data, check_schemas
from tests.ray_jobs.studies import study

ROUNDS = 6
BATCHES_AT_ONCE = 3
PLAYED_SECONDS = 5.0  # before an interrupt: many debates have ended by then


def write(run: Path, debates: list[Rows], turn: Semaphore) -> None:
    """What a moderator does, a few debates to a batch, each batch when it has a turn."""
    store, parts = Store(str(run)), Parts("writer")
    log = Log(store, "writer")
    for at_once in range(0, len(debates), 3):
        turn.acquire()
        for rows in debates[at_once : at_once + 3]:
            for row in rows["replies"]:
                log.append(row)
            parts.add(rows, 0.0)
        log.flush()
        batch = parts.take()
        write_batch(store, batch)
        log.release(batch.finished)
    log.close()


def test_tables_are_consistent_whenever_they_are_read(tmp_path: Path) -> None:
    """While a writer adds small batches, three of them for each time that the readers look."""
    experiment = study(panels=[["a", "b"]], protocols=["synchronous"], rounds=2)
    debates = played(experiment, case_rows(3 * BATCHES_AT_ONCE * ROUNDS))
    turn, watches = Semaphore(0), [Watch(reader, tmp_path) for reader in HERE]
    writer = Thread(target=write, args=(tmp_path, debates, turn))
    writer.start()
    turn.release()
    wait_until(lambda: any(tmp_path.glob("tables/debates/*.parquet")), lambda: "nothing is written")
    while writer.is_alive():
        turn.release(BATCHES_AT_ONCE)
        for watch in watches:
            watch.look()
        check_schemas(tmp_path)
    writer.join()
    for watch in watches:
        watch.look()
        assert len(watch.counts) > ROUNDS / 4, "it grew between looks"
        assert len(watch.debates) == len(debates)


class Killed(BaseException):
    """The process ended here."""


@pytest.mark.parametrize("reader", HERE)
def test_no_reader_takes_up_an_unfinished_file(
    tmp_path: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of any table, as a process leaves it that is killed before the whole file is on disk."""
    [debate] = played(study(panels=[["a"]], protocols=["solo"]), case_rows(1))
    write(tmp_path, [debate], Semaphore(1))

    def kill(_: int) -> None:
        raise Killed

    monkeypatch.setattr("os.fsync", kill)
    for table in ORDER:
        with pytest.raises(Killed):
            Store(str(tmp_path)).write(part_name(table, "killed-000000"), b"the beginning")
        assert len(list(tmp_path.rglob(f"*{table}-killed*"))) == 1
    watch = Watch(reader, tmp_path)
    watch.look()
    assert watch.counts == {1}


@pytest.fixture
def cluster() -> Iterator[None]:
    """Ray for this process, beside that of the run."""
    ray.init(address="local", num_cpus=4, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.ray
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("cluster")
def test_a_run_can_be_read_while_it_is_played(tmp_path: Path) -> None:
    """By two moderators, interrupted once, so that parts come at several moments and not only at the end."""
    model = {"backend": "simulated", "latency": 1.0, "in_flight": 520}
    design = {"panels": [["a", "b"]], "protocols": ["synchronous", "round_robin"], "repetitions": 8}
    file, run = write_study(tmp_path, 25, models={"a": model, "b": model}, **design), tmp_path / "run"
    watches, slow = [Watch(reader, run) for reader in HERE], Watch(by_ray_data, run)
    with ThreadPoolExecutor(1) as beside:
        for interrupted in (True, False):
            play = Play(run, start("run", file, "--out", run))
            before, end, look = logged(run), math.inf, beside.submit(slow.look)
            try:
                while not play.ended():
                    for watch in watches:
                        watch.look()
                    check_schemas(run)
                    time.sleep(0.2)
                    if look.done():
                        look.result()
                        look = beside.submit(slow.look)
                    if interrupted and logged(run) != before:
                        end, interrupted = time.monotonic() + PLAYED_SECONDS, False
                    if time.monotonic() > end:
                        play.process.send_signal(signal.SIGINT)
                        end = math.inf
            finally:
                play.stop()
            look.result()
    check_whole(run, file)
    for watch in (*watches, slow):
        watch.look()
        assert len(watch.counts) > 1, "it grew between looks"
