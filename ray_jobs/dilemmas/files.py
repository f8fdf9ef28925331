"""The files of a build."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ray_jobs.dilemmas.report import Report


def write_cases(folder: Path, posts: pa.Table, cases: pa.Table) -> None:
    """Writes `posts.parquet`, and the cases as `cases.parquet` and `cases.jsonl`, which a study reads."""
    pq.write_table(posts, folder / "posts.parquet")
    pq.write_table(cases, folder / "cases.parquet")
    lines = (json.dumps(case, ensure_ascii=False) for case in cases.to_pylist())
    (folder / "cases.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def write_report(folder: Path, report: Report) -> None:
    """Writes `report.json`."""
    (folder / "report.json").write_text(
        json.dumps(asdict(report), indent=2, ensure_ascii=False) + "\n", "utf-8"
    )
