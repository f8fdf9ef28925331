"""Playing an experiment as `moot run` does, and what came of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds


def play(file: Path) -> Path:
    """Plays the experiment beside its file; returns the run directory. Ends the benchmark where it fails."""
    out = file.with_name("run")
    command = [sys.executable, "-m", "ray_jobs.run", str(file), "--out", str(out)]
    ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode != 0:
        raise SystemExit(f"the run of {file} failed:\n{ended.stderr[-3000:]}")
    return out


def replies(out: Path, *columns: str) -> list[dict[str, Any]]:
    """The replies of a run in the order in which they were asked, with these columns.

    Each also has `asked`, when its ask came to the agent, `began`, when the engine took it up, and `ended`,
    in seconds since the epoch.
    """
    table: pa.Table = ds.dataset(out / "tables" / "replies").to_table(
        [*columns, "time", "seconds", "wait_seconds"]
    )
    rows = table.to_pylist()
    for row in rows:
        row["ended"] = row.pop("time").timestamp()
        row["began"] = row["ended"] - row["seconds"]
        row["asked"] = row["began"] - row["wait_seconds"]
    return sorted(rows, key=lambda row: row["asked"])


def span(rows: list[dict[str, Any]]) -> float:
    """Seconds from the first ask to the last reply."""
    return float(max(row["ended"] for row in rows) - min(row["asked"] for row in rows))
