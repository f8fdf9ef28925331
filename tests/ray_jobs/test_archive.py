"""Replies read back from a run's tables: whole, in order, and never from what is damaged or missing."""

from pathlib import Path

import pytest

from analysis.part import PartError
from ray_jobs.archive import Archive
from ray_jobs.case_table import add_cases
from ray_jobs.claims import claim_id, claim_run
from ray_jobs.log import Row
from ray_jobs.parts import Part, part_name
from ray_jobs.plan import Plan
from ray_jobs.recovery import check_replies, recover
from ray_jobs.repertoire import Repertoire
from ray_jobs.store import Store
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.studies import study

EXPERIMENT = study(panels=[["a", "b"]], protocols=["synchronous", "round_robin"], rounds=3)
TREES = played(EXPERIMENT, case_rows(6))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A run in two batches, whose replies stand in many small row groups."""
    monkeypatch.setattr("ray_jobs.parts.GROUP_BYTES", 2000)
    store = Store(str(tmp_path))
    claim_run(store, EXPERIMENT, claim_id())
    add_cases(store, case_rows(6), {"run_id": "r"}, "cases")
    for number in (0, 1):
        for table in ("replies", "debates"):
            part = Part(table)
            for rows in TREES[number::2]:
                part.add(list(rows[table]))
            store.write(part_name(table, f"w-{number:06d}"), part.end())
    return store


def asked(row: Row) -> tuple[object, ...]:
    return row["step"], row["slot"], row["fingerprint"], row["text"]


def test_every_debate_is_found_whole_and_in_order(store: Store) -> None:
    archive = Archive(store)
    for rows in TREES:
        found = archive.rows(rows["debates"][0]["debate_id"])
        assert list(map(asked, found)) == list(map(asked, rows["replies"]))
    assert archive.rows("0" * 16) == []


def test_of_a_run_that_grows_what_came_later_is_found_too(store: Store) -> None:
    """An archive of any other run holds what was there when it was first asked."""
    part = part_name("replies", "w-000001")
    later, whole = TREES[1], store.read(part)
    store.delete(part)
    growing, other = Archive(store, grows=True), Archive(store)
    wanted = later["debates"][0]["debate_id"]
    assert growing.rows(wanted) == other.rows(wanted) == []
    store.write(part, whole)
    assert list(map(asked, growing.rows(wanted))) == list(map(asked, later["replies"]))
    assert other.rows(wanted) == []
    first = TREES[0]
    found = growing.rows(first["debates"][0]["debate_id"])
    assert list(map(asked, found)) == list(map(asked, first["replies"]))


def test_a_transcript_is_rebuilt_from_replies(store: Store) -> None:
    repertoire = Repertoire(store, EXPERIMENT)
    plan = Plan(EXPERIMENT, [row.id for row in case_rows(6)])
    for debate, rows in zip(plan, TREES, strict=True):
        said = [
            (turn.round, turn.seat, turn.label, turn.shown) for turn in repertoire.transcript(debate).turns
        ]
        assert said == [(row["round"], row["seat"], row["label"], row["shown"]) for row in rows["turns"]]


def test_a_damaged_part_is_named(store: Store) -> None:
    name = part_name("replies", "w-000001")
    store.write(name, store.read(name)[:500])
    with pytest.raises(PartError, match=r"w-000001\.parquet was damaged"):
        Archive(store).rows("0" * 16)


def test_replies_that_are_missing_are_told_before_anything_is_played(store: Store) -> None:
    store.delete(part_name("replies", "w-000001"))
    with pytest.raises(PartError, match=r"replies/w-000001\.parquet is missing, with the replies"):
        check_replies(store)
    with pytest.raises(PartError, match="is missing"):
        list(recover(store))
