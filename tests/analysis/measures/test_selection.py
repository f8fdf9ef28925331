"""Dilemmas selected by how much people disagreed on them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis.measures import consensus
from analysis.measures.selection import contestation, contested
from analysis.schema import schema
from analysis.tables import RunNotFound
from tests.analysis.counting import coursed, two_seats
from tests.analysis.synthetic import Debate


def test_only_debates_of_contested_cases_count(tmp_path: Path) -> None:
    entropies = {"calm": 0.2, "split": 1.0, "wild": 2.1, "unknown": None}
    cases = pa.Table.from_pylist(
        [{"case_id": name, "contestation": value} for name, value in entropies.items()], schema("cases")
    )
    folder = tmp_path / "tables" / "cases"
    folder.mkdir(parents=True)
    pq.write_table(cases, folder / "0.parquet")
    run = coursed(
        [replace(two_seats("NN"), id=name, case=name) for name in entropies]
        + [Debate("f", "synchronous", ("alpha", "beta"), "1-2", "default", error="Timeout", case="calm")]
    )
    entropy = contestation(tmp_path)
    for least, most, count, failed in ((0.5, 9, 2, 0), (0, 0.5, 1, 1), (0, 9, 3, 1)):
        found = consensus.derived(contested(run, entropy, least, most))
        assert (found["denominator"].iloc[0], found["failed"].iloc[0]) == (count, failed)
    with pytest.raises(RunNotFound):
        contestation(tmp_path / "none")
