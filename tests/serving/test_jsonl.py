"""Lines of JSON: where one ends, and what is said of one that is none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from serving.jsonl import objects


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    """Texts may hold the breaks of Unicode, which JSON need not escape."""
    file = tmp_path / "replies.jsonl"
    rows = ['{"text": "one\u2028two\x85three"}', "", '{"text": "four"}\r']
    file.write_text("\ufeff" + "\n".join(rows) + "\n", encoding="utf-8", newline="")
    found = list(objects(file, "replies"))
    assert found == [
        (f"{file}, line 1", {"text": "one\u2028two\x85three"}),
        (f"{file}, line 3", {"text": "four"}),
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{}\n{", "line 2: not JSON"),
        (b"[1]", "line 1: found [1]; expected an object"),
        (b"[" * 100_000, "line 1: not JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "line 1: not JSON"),
        (b'{"a": "\xff"}', "cannot read the replies in"),
    ],
)
def test_what_is_no_object_is_told_with_its_place(tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(told)):
        list(objects(file, "replies"))


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot read the replies in .*No such file"):
        list(objects(tmp_path / "none.jsonl", "replies"))
