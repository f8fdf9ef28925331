"""Everything that can be wrong with a dump: counted, named, skipped, and the rest is used."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.answer_format import VERDICTS
from ray_jobs.dilemmas import comments, submissions
from ray_jobs.dilemmas.cleaning import first_version, plain, without_names
from ray_jobs.dilemmas.comments import Vote, read_comment
from ray_jobs.dilemmas.fields import Unusable, edited, flag, identifier, seconds, whole
from ray_jobs.dilemmas.submissions import Bounds, read_post
from ray_jobs.dilemmas.verdict_words import verdicts
from tests.ray_jobs.dilemmas.builds import built, built_from, comment, ndjson, parquet, post, posts_of

TIMES: list[tuple[Any, int | None]] = [
    *[(1_735_700_000, 1_735_700_000), ("1735700000", 1_735_700_000), (1_735_700_000.0, 1_735_700_000)],
    *[("1735700000.5", 1_735_700_000), (datetime(2025, 1, 1, 2, 53, 20), 1_735_700_000)],
    *[(datetime(2025, 1, 1, 2, 53, 20, tzinfo=UTC), 1_735_700_000)],
    *[(None, None), ("", None), ("soon", None), (True, None), ([], None), ("nan", None), (1e300, None)],
    *[(-1, None), (10**400, None)],
]
EDITED: list[tuple[Any, bool | None]] = [
    *[
        (False, False),
        (None, False),
        ("", False),
        ("false", False),
        ("False", False),
        (0, False),
        ("0", False),
    ],
    *[(True, True), ("true", True), (1_735_700_000, True), (1.7e9, True), ("1735700000.0", True)],
    *[("often", None), ([], None), ({}, None)],
]


@pytest.mark.parametrize(("written", "read"), TIMES)
def test_times(written: Any, read: int | None) -> None:
    if read is None:
        with pytest.raises(Unusable, match="'created_utc' that is no time"):
            seconds({"created_utc": written}, "created_utc")
    else:
        assert seconds({"created_utc": written}, "created_utc") == read


@pytest.mark.parametrize(("written", "read"), EDITED)
def test_edited(written: Any, read: bool | None) -> None:
    assert edited({}) is False
    if read is None:
        with pytest.raises(Unusable, match="'edited' that is neither"):
            edited({"edited": written})
    else:
        assert edited({"edited": written}) is read


def test_ids_and_numbers() -> None:
    for written in ("abc", "t1_abc", "t3_abc"):
        assert identifier({"id": written}, "id") == "abc"
    for wrong in (None, 7, "", "t9_abc", "ABC", "a_b", "a" * 13, " abc"):
        with pytest.raises(Unusable, match="'id' that is no id"):
            identifier({"id": wrong}, "id")
    assert [whole({"n": n}, "n") for n in (3, "3", 3.0, Decimal("3.0"), -3)] == [3, 3, 3, 3, -3]
    for wrong in (None, 3.5, "many", True, 2**31):
        with pytest.raises(Unusable, match="'n' that is no whole number"):
            whole({"n": wrong}, "n")


@pytest.mark.parametrize("written", ["{", "[]", "deleted", 7, [True]])
def test_notes_on_what_became_of_it_that_are_none(tmp_path: Path, written: Any) -> None:
    report = built_from(
        tmp_path, [post(), post(id="x1", _meta=written)], [comment(1), comment(2, _meta=written)]
    )
    assert report.submissions.left_out == report.comments.left_out == {"'_meta' that is no object": 1}


def test_what_holds_or_not() -> None:
    for yes in (True, 1, 1.0, "true", "True", " 1 "):
        assert flag({"x": yes}, "x") is True
    for no in (False, 0, 0.0, "false", "FALSE", "0"):
        assert flag({"x": no}, "x") is False
    assert flag({}, "x") is flag({"x": None}, "x") is None
    for wrong in ("", "yes", 2, [True], {}):
        with pytest.raises(Unusable, match="'x' that is neither true nor false"):
            flag({"x": wrong}, "x")


def test_every_bad_line_is_counted_and_named(tmp_path: Path) -> None:
    good = orjson.dumps(post())
    lines: list[Any] = [
        good,
        good[:-20],
        b"",
        b"no json",
        b"[1, 2]",
        good.replace(b'"id":', b'"id"'),
        good.replace(b'"author":"', b'"author":"\xff'),
        b"\xfe\xfe",
        {key: value for key, value in post(id="x1").items() if key != "title"},
        {key: value for key, value in post(id="x2").items() if key != "subreddit"} | {"x": "AmItheAsshole"},
        post(id="x3", author=["Poster_1"]),
        post(id="x4", edited="often"),
        post(id="X5"),
        post(id="x6", score="lots"),
        post(id="x7", created_utc=None),
        post(id="x8", link_flair_text=["META"]),
        post(id="y1", score="8", created_utc="1735700000", edited=1.7e9),
        b'{"subreddit": "AskReddit"}',
        good.replace(b"abc", b"y2") + b"\r",
    ]
    report = built_from(tmp_path, lines, [comment()])
    file = tmp_path / "RS.ndjson"
    assert report.submissions.left_out == {
        "no JSON object": 4,
        "bytes that are not UTF-8": 2,
        "missing column 'title'": 1,
        "missing column 'subreddit'": 1,
        "'author' that is no text": 1,
        "'link_flair_text' that is no text": 1,
        "'edited' that is neither true, false nor a time": 1,
        "'id' that is no id": 1,
        "'score' that is no whole number": 1,
        "'created_utc' that is no time": 1,
        "of another subreddit": 1,
    }
    assert report.submissions.examples["no JSON object"] == [
        *[f"{file}:{number}: not from {{ to }}" for number in (2, 4, 5)]
    ]
    assert report.submissions.examples["bytes that are not UTF-8"] == [
        f"{file}:7: found 0xff at byte {good.index(b'Poster') + 1}",
        f"{file}:8: found 0xfe at byte 1",
    ]
    assert report.submissions.examples["'score' that is no whole number"] == [f"{file}:14: found 'lots'"]
    assert sorted(posts_of(tmp_path)) == ["abc", "y1", "y2"]
    assert (posts_of(tmp_path)["y1"]["score"], posts_of(tmp_path)["y1"]["edited"]) == (8, True)
    kind = report.submissions
    assert kind.lines == sum(kind.left_out.values()) + kind.again + sum(kind.used.values()) == 18


def test_in_a_sound_block_a_bad_line_of_the_subreddit_has_its_number(tmp_path: Path) -> None:
    """Where all lines look like objects they are not split; numbers are right all the same."""
    other = {"subreddit": "AskReddit"}
    lines: list[Any] = [other, other, post(), other, b'{"subreddit":"AmItheAsshole",}', post(id="x")]
    lines += [b'{"subreddit":"AmItheAsshole","author":"\xff"}', other]
    report = built_from(tmp_path, lines, [comment()])
    told = report.submissions.examples
    assert told["no JSON object"][0].startswith(f"{tmp_path / 'RS.ndjson'}:5: ")
    assert told["bytes that are not UTF-8"] == [f"{tmp_path / 'RS.ndjson'}:7: found 0xff at byte 40"]
    assert (report.submissions.lines, report.submissions.left_out["of another subreddit"]) == (8, 4)


@pytest.mark.parametrize("column", ["id", "author", "body", "score", "parent_id", "link_id"])
def test_a_missing_column_of_comments_is_named(tmp_path: Path, column: str) -> None:
    lacking = {name: value for name, value in comment(1).items() if name != column}
    report = built_from(tmp_path, [post()], [lacking, comment(2)])
    assert report.comments.left_out == {f"missing column '{column}'": 1}
    assert report.comments.used["NTA"] == 1


def test_a_column_that_is_missing_from_parquet_is_named(tmp_path: Path) -> None:
    rows = [{name: value for name, value in comment(n).items() if name != "score"} for n in range(2)]
    files = [parquet(tmp_path / "1.parquet", rows), parquet(tmp_path / "2.parquet", [comment(9)])]
    report = built(tmp_path, [parquet(tmp_path / "RS.parquet", [post()])], files)
    assert report.comments.left_out == {"missing column 'score'": 2}
    assert report.comments.examples["missing column 'score'"] == [
        f"{files[0]}: row 1",
        f"{files[0]}: row 2",
    ]
    assert report.comments.used["NTA"] == 1


def test_text_in_parquet_that_is_not_utf8(tmp_path: Path) -> None:
    rows = [{**comment(n), "body": b"NTA"} for n in range(3)]
    rows[1]["body"] = b"NTA \xff"
    table = pa.Table.from_pylist(rows)
    bodies = pa.Array.from_buffers(pa.string(), 3, table["body"].combine_chunks().buffers())
    table = table.set_column(table.schema.get_field_index("body"), "body", bodies)
    pq.write_table(table, tmp_path / "RC.parquet")
    report = built(tmp_path, [ndjson(tmp_path / "RS.jsonl", [post()])], [tmp_path / "RC.parquet"])
    assert report.comments.left_out == {"bytes that are not UTF-8": 1}
    assert (
        report.comments.examples["bytes that are not UTF-8"][0]
        == f"{tmp_path / 'RC.parquet'}: row 2: found 0xff"
    )
    assert report.comments.used["NTA"] == 2


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(column=st.sampled_from(submissions.COLUMNS), value=JSON)
def test_whatever_stands_in_a_post_is_read_or_named(column: str, value: Any) -> None:
    with suppress(Unusable):
        assert read_post(post(**{column: value}), Bounds(0, 2**33)).why in submissions.REASONS


@given(column=st.sampled_from(comments.COLUMNS), value=JSON)
def test_whatever_stands_in_a_comment_is_read_or_named(column: str, value: Any) -> None:
    with suppress(Unusable):
        assert isinstance(read_comment(comment(**{column: value}), {int("abc", 36): 0}, [1]), Vote | str)


@given(st.text(alphabet="EDITedit:upaTL;R \n()*#>2-") | st.text())
def test_any_text_can_be_cleaned(written: str) -> None:
    """What is left are words that were there, and of verdicts there are no others than the five."""
    left = first_version(plain(written))
    assert set(left) <= set(plain(written)) | {"\n"}
    assert "Poster_1" not in without_names(f"{left} Poster_1", {"Poster_1"}).split()
    assert verdicts(written) <= set(VERDICTS)
