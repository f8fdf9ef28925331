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
from ray_jobs.dilemmas.request import dumps
from tests.ray_jobs.dilemmas import made_up_dumps as made_up
from tests.ray_jobs.dilemmas.builds import built, built_from, cases_of, comment, parquet, post, posts_of

pytestmark = pytest.mark.long

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


def test_parquet_of_arctic_shift_on_the_hub(tmp_path: Path) -> None:
    """Shards in folders, with fewer columns than lines have: names tell whose a comment is."""
    of_both = ("id", "author", "subreddit", "score", "created_utc", "author_flair_text")
    of_posts = (*of_both, "title", "selftext", "num_comments", "url", "over_18", "link_flair_text")
    of_comments = (*of_both, "body", "link_id", "parent_id", "distinguished")
    told = {"created_utc": 1_735_700_000, "author_flair_text": None, "url": "", "over_18": False}
    told |= {"num_comments": 3, "link_flair_text": None, "distinguished": None}
    posts = [post(id=id) | told for id in ("abc", "abd")]
    rows = [comment(1), comment(2, "YTA"), comment(3, author="Poster_1"), comment(4, link_id="t3_abd")]
    for kind, columns, made in (("RS", of_posts, posts), ("RC", of_comments, rows)):
        (tmp_path / kind / "2025" / "01").mkdir(parents=True)
        (tmp_path / kind / "README.md").touch()
        for number, row in enumerate(made):
            shard = {name: (row | told if kind == "RC" else row)[name] for name in columns}
            parquet(tmp_path / kind / "2025" / "01" / f"{number:03}.parquet", [shard])
    report = built(tmp_path, dumps([tmp_path / "RS"]), dumps([tmp_path / "RC"]))
    assert (report.submissions.lines, report.comments.lines) == (2, 4)
    assert report.comments.left_out == {"by the post's author": 1, "reply to a comment": 1}
    assert posts_of(tmp_path)["abc"]["n_verdicts"] == 2


def _plain(file: Path, lines: list[bytes]) -> Path:
    return made_up.write_dump(file, lines)


def _spread(folder: Path, stem: str, lines: list[bytes], files: int, draw: Random) -> list[Path]:
    """The lines, shuffled, over so many files, some compressed."""
    shuffled = draw.sample(lines, len(lines))
    return [
        made_up.write_dump(folder / f"{stem}-{at}.{draw.choice(('zst', 'ndjson'))}", shuffled[at::files])
        for at in range(files)
    ]
