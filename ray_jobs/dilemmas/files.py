"""The files of a build."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ray_jobs.dilemmas.report import Report

UNREAD_FILE = "unread.jsonl"


def write_cases(folder: Path, posts: pa.Table, cases: pa.Table) -> None:
    """Writes `posts.parquet`, and the cases as `cases.parquet` and `cases.jsonl`, which a study reads."""
    pq.write_table(posts, folder / "posts.parquet")
    pq.write_table(cases, folder / "cases.parquet")
    lines = (json.dumps(case, ensure_ascii=False) for case in cases.to_pylist())
    (folder / "cases.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def write_unread(folder: Path, questions: Iterable[dict[str, Any]]) -> int:
    """Writes questions for a judge as `UNREAD_FILE`, which a study reads; returns how many."""
    with (folder / UNREAD_FILE).open("w", encoding="utf-8", newline="\n") as file:
        return sum(1 for each in questions if file.write(json.dumps(each, ensure_ascii=False) + "\n"))


def write_report(folder: Path, report: Report) -> None:
    """Writes `report.json`."""
    (folder / "report.json").write_text(
        json.dumps(asdict(report), indent=2, ensure_ascii=False) + "\n", "utf-8"
    )
