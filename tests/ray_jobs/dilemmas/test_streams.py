"""Files that are torn, of another kind, or with lines and windows of any size."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
import zstandard

from ray_jobs.dilemmas import streams
from ray_jobs.dilemmas.streams import Torn, blocks, chunks
from ray_jobs.located import ExperimentError
from tests.ray_jobs.dilemmas.builds import built, built_from, comment, ndjson, post, posts_of


def compressed(rows: list[dict[str, Any]]) -> bytes:
    return zstandard.compress(b"".join(orjson.dumps(row) + b"\n" for row in rows))


def test_a_truncated_dump_is_used_up_to_there(tmp_path: Path) -> None:
    """The first frame is whole, of the second the last half of its only block is missing."""
    whole_frame, torn = compressed([comment(1), comment(2)]), compressed([comment(n) for n in range(3, 50)])
    (tmp_path / "RC.zst").write_bytes(whole_frame + torn[: len(torn) // 2])
    report = built(tmp_path, [ndjson(tmp_path / "RS.json", [post()])], [tmp_path / "RC.zst"])
    assert report.comments.stopped == {
        str(tmp_path / "RC.zst"): "truncated: the file ends within a zstandard frame, after 2 whole lines"
    }
    assert report.comments.used["NTA"] == report.comments.lines == 2


@pytest.mark.parametrize("after", [b"no zstandard", b""])
def test_what_is_no_zstandard_is_named(tmp_path: Path, after: bytes) -> None:
    (tmp_path / "RC.zst").write_bytes(compressed([comment(1)]) + after)
    report = built(tmp_path, [ndjson(tmp_path / "RS.json", [post()])], [tmp_path / "RC.zst"])
    assert report.comments.used["NTA"] == 1
    told = report.comments.stopped.get(str(tmp_path / "RC.zst"), "")
    assert told.startswith("no zstandard from here on (") if after else not told


@pytest.mark.parametrize("ending", ["parquet", "zst"])
def test_a_file_of_another_kind_is_named(tmp_path: Path, ending: str) -> None:
    file = ndjson(tmp_path / f"RC.{ending}", [comment(1)])
    with pytest.raises(ExperimentError, match="found no post that can be a case"):
        built(tmp_path, [ndjson(tmp_path / "RS.json", [post()])], [file])
    told = orjson.loads((tmp_path / "out" / "report.json").read_bytes())["comments"]["stopped"]
    assert list(told) == [str(file)]


def test_windows_up_to_two_gibibytes_are_read(tmp_path: Path) -> None:
    for bits in (27, 31):
        settings = zstandard.ZstdCompressionParameters.from_level(1, window_log=bits)
        frame = zstandard.ZstdCompressor(compression_params=settings)
        stream = io.BytesIO()
        with frame.stream_writer(stream, closefd=False) as writer:
            writer.write(b"{}\n")
        assert zstandard.get_frame_parameters(stream.getvalue()).window_size == 2**bits
        (tmp_path / "dump.zst").write_bytes(stream.getvalue())
        assert b"".join(chunks(tmp_path / "dump.zst")) == b"{}\n"


def test_a_line_without_end_is_no_danger_to_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LONGEST", 2_000)
    monkeypatch.setattr("ray_jobs.dilemmas.lines.LONGEST", 2_000)
    monkeypatch.setattr(streams, "BLOCK", 500)
    monkeypatch.setattr(streams, "PLAIN", 100)
    endless = orjson.dumps(post(id="zz", selftext="x" * 50_000))
    report = built_from(tmp_path, [post(id="aa"), endless, post()], [comment()])
    assert report.submissions.left_out == {"longer than 64 MB": 1}
    assert report.submissions.examples == {"longer than 64 MB": [f"{tmp_path / 'RS.ndjson'}:2"]}
    assert sorted(posts_of(tmp_path)) == ["aa", "abc"]


def test_a_long_line_is_not_looked_through_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0

    def counted(block: bytes) -> tuple[bytes, bytes]:
        nonlocal looked
        looked += len(block)
        return whole_lines(block)

    whole_lines = streams._whole_lines
    monkeypatch.setattr(streams, "_whole_lines", counted)
    line = b"x" * 8_000_000 + b"\n"
    pieces = [line[at : at + 10_000] for at in range(0, len(line), 10_000)]
    assert list(blocks(iter([b"{}\n", *pieces, b"{}\n"]))) == [b"{}\n" + line, b"{}\n"]
    assert looked < 2.5 * len(line)


def test_blocks_are_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "BLOCK", 4)
    assert list(blocks(iter([b"a", b"b\nc", b"d\n", b"e", b"f"]))) == [b"ab\n", b"cd\n", b"ef"]

    def torn() -> Iterator[bytes]:
        yield b"ab\ncd"
        raise Torn("here")

    found = blocks(torn())
    assert next(found) == b"ab\n"
    with pytest.raises(Torn, match="here"):
        next(found)
