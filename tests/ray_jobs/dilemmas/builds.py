"""Dumps of hand-made rows, and builds from them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console

from ray_jobs.dilemmas.build import build
from ray_jobs.dilemmas.report import Report
from ray_jobs.dilemmas.request import Request

TEXT = "I told my brother that he could not bring his three dogs to my wedding; he is not coming now. " * 3
POST: dict[str, Any] = {
    "id": "abc",
    "author": "Poster_1",
    "title": "AITA for a wedding without dogs?",
    "selftext": TEXT,
    "score": 7,
    "created_utc": 1_735_700_000,
    "subreddit": "AmItheAsshole",
}
COMMENT: dict[str, Any] = {
    "id": "t1_c0",
    "author": "reader",
    "body": "NTA",
    "score": 3,
    "subreddit": "AmItheAsshole",
    "parent_id": "t3_abc",
    "link_id": "t3_abc",
    "is_submitter": False,
}


def post(**changes: Any) -> dict[str, Any]:
    """A post that is kept, but for the changes."""
    return POST | changes


def comment(number: int = 0, body: str = "NTA", **changes: Any) -> dict[str, Any]:
    """A comment on it with an id of its own."""
    return COMMENT | {"id": f"c{number}", "body": body} | changes


def ndjson(file: Path, rows: Iterable[dict[str, Any] | bytes]) -> Path:
    """A plain dump of rows, or of lines as they are."""
    file.write_bytes(b"".join((row if isinstance(row, bytes) else orjson.dumps(row)) + b"\n" for row in rows))
    return file


def built(
    folder: Path,
    submissions: Sequence[Path],
    comments: Sequence[Path],
    top: int = 100,
    verdicts: int = 1,
    name: str = "out",
    subreddit: str = "AmItheAsshole",
    **asked: Any,
) -> Report:
    """Builds from dumps into a folder within `folder`."""
    days = date(2025, 1, 1), date(2025, 3, 30)
    request = Request(
        tuple(submissions), tuple(comments), subreddit, *days, top, folder / name, verdicts=verdicts, **asked
    )
    return build(request, Console(file=io.StringIO(), width=120))


def built_from(folder: Path, posts: list[Any], comments: list[Any], **asked: Any) -> Report:
    """Builds from rows or lines."""
    rs, rc = ndjson(folder / "RS.ndjson", posts), ndjson(folder / "RC.ndjson", comments)
    return built(folder, [rs], [rc], **asked)


def posts_of(folder: Path, name: str = "out") -> dict[str, dict[str, Any]]:
    """The table of posts by id."""
    return {row["id"]: row for row in pq.read_table(folder / name / "posts.parquet").to_pylist()}


def cases_of(folder: Path, name: str = "out") -> list[dict[str, Any]]:
    """The cases, as JSONL and as Parquet have them."""
    lines = (folder / name / "cases.jsonl").read_text("utf-8").splitlines()
    cases: list[dict[str, Any]] = [orjson.loads(line) for line in lines]
    assert pq.read_table(folder / name / "cases.parquet").to_pylist() == cases
    return cases


def parquet(file: Path, rows: list[dict[str, Any]]) -> Path:
    """A dump in Parquet."""
    pq.write_table(pa.Table.from_pylist(rows), file, row_group_size=50)
    return file
