"""Whole builds: what comes out of made-up dumps whose every line is known, in any order and any files."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path

import orjson
import pytest

from protocols.answer_format import VERDICTS
from ray_jobs.case_block import CaseFile
from ray_jobs.cases import read_cases
from tests.ray_jobs.dilemmas import made_up_dumps as made_up
from tests.ray_jobs.dilemmas.builds import (
    built,
    built_from,
    cases_of,
    comment,
    post,
    posts_of,
)

POSTS, EACH = 300, 12
SUBMISSIONS = list(made_up.submissions(5, POSTS))
COMMENTS = list(made_up.comments(5, POSTS, EACH))
KINDS = {number: kind for number, (kind, _) in enumerate(SUBMISSIONS)}


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


def test_a_study_reads_the_cases(tmp_path: Path) -> None:
    built_from(tmp_path, [post()], [comment(1), comment(2, "YTA")])
    for name in ("cases.jsonl", "cases.parquet"):
        [case] = read_cases(CaseFile(file=str(tmp_path / "out" / name)))
        assert (case.id, case.title, case.source) == ("abc", post()["title"], "r/AmItheAsshole")
        assert (case.text, case.contestation) == (post()["selftext"].strip(), 1.0)
