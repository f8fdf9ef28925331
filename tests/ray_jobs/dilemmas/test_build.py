"""Whole builds: what comes out of made-up dumps whose every line is known, in any order and any files."""

from __future__ import annotations

import math
import re
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from protocols.answer_format import VERDICTS
from ray_jobs.case_block import CaseFile
from ray_jobs.cases import read_cases
from ray_jobs.cli import app
from ray_jobs.dilemmas import streams
from ray_jobs.dilemmas.comments import OUTCOMES
from ray_jobs.dilemmas.report import Report
from tests.ray_jobs.dilemmas import made_up_dumps as made_up
from tests.ray_jobs.dilemmas.builds import (
    built,
    built_from,
    cases_of,
    comment,
    ndjson,
    parquet,
    post,
    posts_of,
)

POSTS, EACH = 300, 12
SUBMISSIONS = list(made_up.submissions(5, POSTS))
COMMENTS = list(made_up.comments(5, POSTS, EACH))
KINDS = {number: kind for number, (kind, _) in enumerate(SUBMISSIONS)}


def counts(report: Report) -> dict[str, Any]:
    """A report without what names files and places."""
    whole = asdict(report)
    for kind in ("submissions", "comments"):
        del whole[kind]["examples"], whole[kind]["stopped"]
    return {name: whole[name] for name in ("submissions", "comments", "cases", "contestation")}


def test_every_line_of_a_made_up_dump_is_accounted_for(tmp_path: Path) -> None:
    rs = made_up.write_dump(tmp_path / "RS.zst", (line for _, line in SUBMISSIONS))
    rc = made_up.write_dump(tmp_path / "RC.zst", (line for *_, line in COMMENTS))
    report = built(tmp_path, [rs], [rc], top=20, verdicts=3)
    kinds = Counter(KINDS.values())
    assert set(kinds) == set(made_up.POST_KINDS)
    kept = {"chosen", "less contested", "too few verdicts"}
    told = Counter(report.submissions.used) + Counter(report.submissions.left_out)
    assert sum(told[why] for why in kept) == kinds["kept"]
    assert {why: told[why] for why in told if why not in kept} == {
        kind: count for kind, count in kinds.items() if kind != "kept"
    }
    unread = ("of another subreddit", "no JSON object", "bytes that are not UTF-8")
    expected = Counter(
        kind if kind in unread or KINDS[number] == "kept" else "on a post that is not kept, or not there"
        for number, kind, _ in COMMENTS
    )
    assert Counter(report.comments.used) + Counter(report.comments.left_out) == expected
    assert report.comments.lines == len(COMMENTS)
    assert report.submissions.lines == POSTS


def test_counts_shares_and_entropy_are_those_of_the_comments(tmp_path: Path) -> None:
    rs = made_up.write_dump(tmp_path / "RS.ndjson", (line for _, line in SUBMISSIONS))
    rc = made_up.write_dump(tmp_path / "RC.ndjson", (line for *_, line in COMMENTS))
    built(tmp_path, [rs], [rc], top=20, verdicts=3)
    table, contested = posts_of(tmp_path), []
    for number, kind in KINDS.items():
        if kind != "kept":
            continue
        row = table[made_up.post_id(number)]
        votes = [
            (said, orjson.loads(line)) for at, said, line in COMMENTS if at == number and said in VERDICTS
        ]
        given_ = Counter(said for said, _ in votes)
        weights = Counter[str]()
        for said, comment_ in votes:
            weights[said] += max(comment_["score"], 0)
        assert row["n_verdicts"] == len(votes)
        for verdict in VERDICTS:
            share, weighted = row[f"share_{verdict}"], row[f"weighted_{verdict}"]
            assert share == (pytest.approx(given_[verdict] / len(votes)) if votes else None)
            total = weights.total()
            assert weighted == (pytest.approx(weights[verdict] / total) if total else None)
        if votes:
            bits = -sum(count / len(votes) * math.log2(count / len(votes)) for count in given_.values())
            assert row["contestation"] == pytest.approx(bits, abs=1e-12)
        if len(votes) >= 3:
            contested.append((-row["contestation"], row["id"]))
    cases = cases_of(tmp_path)
    assert [case["id"] for case in cases] == [id for _, id in sorted(contested)[:20]]


def test_ties_are_broken_by_id_whatever_verdict_has_the_majority(tmp_path: Path) -> None:
    words = {
        "c": ("NTA", "NTA", "YTA"),
        "a": ("ESH", "INFO", "INFO"),
        "b": ("NAH", "ESH", "NAH"),
        "d": ("NTA",),
    }
    rows = [
        comment(f"{id}{at}", word, link_id=f"t3_{id}", parent_id=f"t3_{id}")  # type: ignore[arg-type]
        for id, said in words.items()
        for at, word in enumerate(said)
    ]
    report = built_from(tmp_path, [post(id=id) for id in words], rows, top=2)
    assert [case["id"] for case in cases_of(tmp_path)] == ["a", "b"]
    assert {id: row["why"] for id, row in posts_of(tmp_path).items()} == {
        **{"a": "chosen", "b": "chosen", "c": "less contested", "d": "less contested"}
    }
    bits = math.log2(3) - 2 / 3
    assert report.contestation == pytest.approx((bits, bits))
    assert posts_of(tmp_path)["d"]["contestation"] == 0


def test_no_name_of_an_account_is_in_any_file(tmp_path: Path) -> None:
    names = re.compile(rb"Poster_\d|Reader\d|helpful_person|t2_")
    lines = [line for _, line in SUBMISSIONS]
    assert all(name in b"".join(lines) for name in (b"Poster_1", b"u/helpful_person_7"))
    built(
        tmp_path,
        [made_up.write_dump(tmp_path / "RS.ndjson", lines)],
        [made_up.write_dump(tmp_path / "RC.ndjson", (line for *_, line in COMMENTS))],
        verdicts=3,
    )
    written = list((tmp_path / "out").iterdir())
    assert {file.name for file in written} == {"cases.jsonl", "cases.parquet", "posts.parquet", "report.json"}
    for text in (orjson.dumps(cases_of(tmp_path)), orjson.dumps(posts_of(tmp_path))):
        assert names.search(text) is None
    assert names.search((tmp_path / "out" / "report.json").read_bytes()) is None


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


def test_a_study_reads_the_cases(tmp_path: Path) -> None:
    built_from(tmp_path, [post()], [comment(1), comment(2, "YTA")])
    for name in ("cases.jsonl", "cases.parquet"):
        [case] = read_cases(CaseFile(file=str(tmp_path / "out" / name)))
        assert (case.id, case.title, case.source) == ("abc", post()["title"], "r/AmItheAsshole")
        assert (case.text, case.contestation) == (post()["selftext"].strip(), 1.0)


BASE = "dilemmas build --submissions RS.ndjson --comments RC.ndjson --subreddit AmItheAsshole"
DAYS = "--from 2025-01-01 --to 2025-03-30"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            f"{BASE} --from 2025-03-30 --to 2025-01-01 --out new",
            "--from: found 2025-03-30; allowed: a day up to",
        ),
        (f"{BASE} {DAYS} --out full", "--out full: found something there; allowed: a new or empty folder"),
        (f"{BASE} {DAYS} --out RS.ndjson", "--out RS.ndjson: found something there"),
        (
            f"{BASE} {DAYS} --submissions no.zst --out new",
            "--submissions no.zst: found no such file; allowed: a",
        ),
        (
            f"{BASE} {DAYS} --comments RC.txt --out new",
            "--comments RC.txt: found the ending '.txt'; allowed: .zst",
        ),
        (
            f"{BASE} {DAYS} --comments RC.ndjson --out new",
            "--comments: found RC.ndjson twice; allowed: every file",
        ),
        (
            f"{BASE} {DAYS} --subreddit r/x --out new",
            "--subreddit: found 'r/x'; allowed: its name without r/",
        ),
        (f"{BASE} --from soon --to 2025-01-01 --out new", "'soon' does not match the format"),
        (
            f"{BASE} {DAYS} --verdicts 3 --out new",
            "new: found no post that can be a case; the counts say why",
        ),
    ],
)
def test_what_cannot_be_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ndjson(Path("RS.ndjson"), [post()])
    ndjson(Path("RC.ndjson"), [comment()])
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    done = CliRunner().invoke(app, words.split())
    assert done.exit_code == 2
    assert told in done.output


def _plain(file: Path, lines: list[bytes]) -> Path:
    return made_up.write_dump(file, lines)


def _spread(folder: Path, stem: str, lines: list[bytes], files: int, draw: Random) -> list[Path]:
    """The lines, shuffled, over so many files, some compressed."""
    shuffled = draw.sample(lines, len(lines))
    return [
        made_up.write_dump(folder / f"{stem}-{at}.{draw.choice(('zst', 'ndjson'))}", shuffled[at::files])
        for at in range(files)
    ]
