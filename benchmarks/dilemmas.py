"""Cases from dumps of Reddit: seconds and memory for a gigabyte, beside plain decompression of the same."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import zstandard

from benchmarks.machine import machine
from benchmarks.processes import Processes
from ray_jobs.dilemmas.streams import WINDOW
from tests.ray_jobs.dilemmas import made_up_dumps as made_up

MEGABYTES = 1_000
EACH = 40  # comments on a post
SHARE_OF_POSTS = 0.1  # of the bytes
POSTS = 200  # made up at a time
READ = 1 << 20
HEADING = """\
`moot dilemmas build` on made-up dumps of one subreddit and of all of Reddit, of which the subreddit is a
twentieth; a tenth of the bytes are submissions. Decompression is the same files through zstandard alone;
the ratio is of CPU, which a busy machine changes less than seconds.
Memory is the peak of the process in resident megabytes; the frames' window is a part of it. Made-up text
compresses better than people's, so decompression is faster than it would be on real dumps.

| dump | MB | window, MB | lines | build, s | build, CPU s | decompression, CPU s | ratio | memory, MB |
|---|---|---|---|---|---|---|---|---|"""


def lines(kind: str, megabytes: float, others: int) -> Iterator[bytes]:
    """Lines of so many megabytes; after each of the subreddit `others` of another."""
    size = 0
    for part in count():
        if kind == "RS":
            made = [line for _, line in made_up.submissions(0, POSTS, part * POSTS)]
        else:
            made = [line for *_, line in made_up.comments(0, POSTS, EACH, part * POSTS)]
        elsewhere = made_up.SUBREDDIT.encode(), b"AskReddit"
        for line in made:
            for written in (line, *[line.replace(*elsewhere)] * others):
                size += len(written) + 1
                yield written
        if size >= megabytes * 1e6:
            return


def decompression(files: list[Path]) -> tuple[float, int]:
    """Seconds of CPU and bytes of plain decompression."""
    decompressor = zstandard.ZstdDecompressor(max_window_size=WINDOW)
    began, size = time.process_time(), 0
    for file in files:
        with file.open("rb") as raw, decompressor.stream_reader(raw, read_across_frames=True) as stream:
            while piece := stream.read(READ):
                size += len(piece)
    return time.process_time() - began, size


def measure(folder: Path, name: str, megabytes: float, others: int, window: int) -> str:
    """A row of the table."""
    sizes = {"RS": megabytes * SHARE_OF_POSTS, "RC": megabytes * (1 - SHARE_OF_POSTS)}
    files = [
        made_up.write_dump(folder / f"{kind}.zst", lines(kind, size, others), window)
        for kind, size in sizes.items()
    ]
    plain, size = decompression(files)
    out = folder / "out"
    words = ["--submissions", str(files[0]), "--comments", str(files[1]), "--out", str(out)]
    words += [*("--subreddit", made_up.SUBREDDIT), *("--from", "2025-01-01"), *("--to", "2025-03-30")]
    began = time.monotonic()
    command = [sys.executable, "-m", "ray_jobs.cli", "dilemmas", "build", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with Processes(process.pid) as processes:
        said, _ = process.communicate()
    seconds = time.monotonic() - began
    cpu = sum(processes.cpu(0, time.time()).values())
    if process.returncode != 0:
        raise SystemExit(f"the build failed: {said}")
    read = sum(int(line.split(": ")[1].split()[0].replace(",", "")) for line in said.splitlines()[:2])
    shutil.rmtree(out)
    figures = (f"{size / 1e6:,.0f}", f"{2**window / 1e6:,.0f}", f"{read:,}", f"{seconds:.1f}")
    ratios = (f"{cpu:.1f}", f"{plain:.1f}", f"{cpu / plain:.1f}")
    return "| " + " | ".join((name, *figures, *ratios, f"{processes.peak['driver']:,.0f}")) + " |"


def main(megabytes: float = MEGABYTES) -> None:
    """Measures both kinds of dumps, and the first with the window with which dumps are published."""
    print(f"## Dilemmas\n\n{machine()}\n\n{HEADING}", flush=True)
    for name, others, window in (("subreddit", 0, 27), ("all of Reddit", 19, 27), ("subreddit", 0, 31)):
        with tempfile.TemporaryDirectory() as folder:
            print(measure(Path(folder), name, megabytes, others, window), flush=True)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
