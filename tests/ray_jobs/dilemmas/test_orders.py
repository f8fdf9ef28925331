"""Neither order nor files nor their kind matter to what is built."""

from __future__ import annotations

import tempfile
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ray_jobs.dilemmas import streams
from ray_jobs.dilemmas.comments import OUTCOMES
from ray_jobs.dilemmas.report import Report
from tests.ray_jobs.dilemmas import made_up_dumps as made_up
from tests.ray_jobs.dilemmas.builds import built, built_from, cases_of, parquet, posts_of

SUBMISSIONS = list(made_up.submissions(5, 300))
COMMENTS = list(made_up.comments(5, 300, 12))


def counts(report: Report) -> dict[str, Any]:
    """A report without what names files and places."""
    whole = asdict(report)
    for kind in ("submissions", "comments"):
        del whole[kind]["examples"], whole[kind]["stopped"]
    return {name: whole[name] for name in ("submissions", "comments", "cases", "contestation")}


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), files=st.integers(1, 4), block=st.sampled_from([200, 5_000, 1 << 20]))
def test_neither_order_nor_files_nor_compression_matter(seed: int, files: int, block: int) -> None:
    """Copies of lines in other files matter no more than once, wherever they stand."""
    draw = Random(seed)
    posts = [line for _, line in SUBMISSIONS[:60]] + [line for _, line in SUBMISSIONS[:9]]
    comments = [line for number, _, line in COMMENTS if number < 60] + [line for *_, line in COMMENTS[:30]]
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patched:
        folder = Path(name)
        straight = built(
            folder,
            [_plain(folder / "RS.ndjson", posts)],
            [_plain(folder / "RC.ndjson", comments)],
            9,
            2,
            "one",
        )
        patched.setattr(streams, "BLOCK", block)
        shuffled = built(
            folder,
            _spread(folder, "RS", posts, files, draw),
            _spread(folder, "RC", comments, files, draw),
            9,
            2,
            "other",
        )
        assert counts(shuffled) == counts(straight)
        assert posts_of(folder, "other") == posts_of(folder, "one")
        assert cases_of(folder, "other") == cases_of(folder, "one")


def test_parquet_gives_what_lines_give(tmp_path: Path) -> None:
    sound = {"created_utc": int, "edited": bool}
    posts = [
        orjson.loads(line) for kind, line in SUBMISSIONS if kind in ("kept", "meta", "of another subreddit")
    ]
    for row in posts:
        row.pop("crosspost_parent_list", None)
        row |= {
            name: kind(float(row[name])) if kind is int else bool(row[name]) for name, kind in sound.items()
        }
    comments = [
        orjson.loads(line) for _, kind, line in COMMENTS if kind in (*OUTCOMES, "of another subreddit")
    ]
    one = built_from(tmp_path, posts, comments, top=9, name="one")
    other = built(
        tmp_path,
        [parquet(tmp_path / "RS.parquet", posts)],
        [parquet(tmp_path / "RC.parquet", comments)],
        top=9,
        name="other",
    )
    assert counts(one) == counts(other)
    assert cases_of(tmp_path, "one") == cases_of(tmp_path, "other")
    assert posts_of(tmp_path, "one") == posts_of(tmp_path, "other")


def _plain(file: Path, lines: list[bytes]) -> Path:
    return made_up.write_dump(file, lines)


def _spread(folder: Path, stem: str, lines: list[bytes], files: int, draw: Random) -> list[Path]:
    """The lines, shuffled, over so many files, some compressed."""
    shuffled = draw.sample(lines, len(lines))
    return [
        made_up.write_dump(folder / f"{stem}-{at}.{draw.choice(('zst', 'ndjson'))}", shuffled[at::files])
        for at in range(files)
    ]
