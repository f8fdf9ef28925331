"""The same results through Ray Data as from the debates at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
import ray

from analysis.part import PartError
from analysis.summary import Summary, summarise, summary
from analysis.tables import PARTS_PER_TASK, RunNotFound, read
from tests.analysis.counting import tallied
from tests.analysis.synthetic import Debate, draw, judge, rows, write

pytestmark = pytest.mark.ray


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def same(one: Summary, other: Summary) -> None:
    for field in fields(Summary)[3:]:
        found, expected = getattr(one, field.name), getattr(other, field.name)
        if isinstance(expected, pd.DataFrame):
            pd.testing.assert_frame_equal(found, expected)
        else:
            assert found == expected


def test_a_run_in_many_parts_gives_what_its_debates_give(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.counting.COUNTED_HERE", 0)
    debates = judge(draw(8, 120), 8)
    run = write(tmp_path, [debates[start :: 2 * PARTS_PER_TASK] for start in range(2 * PARTS_PER_TASK)])
    write(run, [draw(9, 5, failing=0)], tables=("turns", "replies"))  # not yet in `debates`
    for missing in ("disagree", "exclude", "worst"):
        same(summarise(run, missing), summary(str(run), tallied(debates), missing))
    by = ("steering", "protocol")
    same(summarise(run, by=by), summary(str(run), tallied(debates), by=by))
    assert capfd.readouterr() == ("", ""), "Ray Data keeps quiet"


@pytest.mark.parametrize(("spare", "connections"), [(1, 0), (0, 1)])
def test_a_run_smaller_than_the_limit_is_counted_without_a_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spare: int, connections: int
) -> None:
    debates = draw(12, 40)
    run = write(tmp_path, [debates[start::20] for start in range(20)])
    size = sum(part.stat().st_size for part in run.rglob("*.parquet"))
    monkeypatch.setattr("analysis.counting.COUNTED_HERE", size + spare)
    connected = []

    @contextmanager
    def connect() -> Iterator[None]:
        connected.append(True)
        yield

    same(summarise(run, connect=connect), summary(str(run), tallied(debates)))
    assert len(connected) == connections


def test_a_run_without_parts_is_empty(tmp_path: Path) -> None:
    (tmp_path / "lease").mkdir()
    found = summarise(tmp_path)
    same(found, summary(str(tmp_path), tallied([])))
    assert found.totals["debates"].tolist() == [0]


def test_reading_gives_the_columns_asked_for_of_finished_debates(tmp_path: Path) -> None:
    debates: list[Debate] = draw(10, 30)
    run = write(tmp_path, [debates[:10], debates[10:]])
    write(run, [draw(11, 5, failing=0)], tables=("turns",))
    found = read(run, "turns", ["seat", "round", "label"]).to_pandas()
    expected = pd.DataFrame(rows(debates, "turns"))[["seat", "round", "label"]]
    order = ["seat", "round", "label"]
    pd.testing.assert_frame_equal(
        found.sort_values(order, ignore_index=True),
        expected.sort_values(order, ignore_index=True),
        check_dtype=False,
    )


def test_reading_a_table_without_parts_keeps_its_schema(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    assert read(tmp_path, "turns", ["seat", "round"]).schema().names == ["seat", "round"]


def test_errors_come_as_they_are(tmp_path: Path) -> None:
    with pytest.raises(RunNotFound):
        summarise(tmp_path / "none")
    run = write(tmp_path / "run", [draw(1, 3)])
    pq.write_table(
        pq.read_table(run / "tables/turns").slice(0, 1).select(["seat"]), run / "tables/turns/1.parquet"
    )
    with pytest.raises(PartError, match=r"1\.parquet"):
        summarise(run)
