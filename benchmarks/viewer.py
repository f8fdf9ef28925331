"""The viewer on a run of a million turns: until it opens, and how long pages take."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import psutil

from benchmarks.machine import machine
from benchmarks.viewed import NEEDLE, REPETITIONS, write_viewed

TIMES = 5
"""How often each page is asked for; the slowest counts."""

PAGES = {
    "overview": "/run",
    "debates, first page": "/run/debates",
    "debates, page 2,000": "/run/debates?page=2000",
    "sorted by rounds, falling": "/run/debates?sort=-rounds",
    "sorted by changes, page 500": "/run/debates?sort=-change&page=500",
    "filtered by protocol, model, change": "/run/debates?protocol=round_robin&model=gpt&change=yes&page=3",
    "filtered by a reading": "/run/debates?reading=missing",
}


def viewer(run: Path) -> str:
    """In words and a table: what was measured of the run in this folder."""
    command = [
        sys.executable,
        "-c",
        "from ray_jobs.cli import main; main()",
        "view",
        str(run),
        "--no-browser",
    ]
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        place, token = re.findall(r"(http://[^/]+)/\?token=(\S+)", process.stdout.readline())[0]
        listening = time.monotonic() - began
        port = place.rpartition(":")[2]
        with httpx.Client(base_url=place, cookies={f"moot-{port}": token}, timeout=60) as client:
            first = _seconds(client, "/run/debates")
            told = [
                f"| until the command listens | {listening:.2f} |",
                f"| first page after that | {first:.2f} |",
            ]
            _seconds(client, "/run/debates?change=yes")  # waits for the verdicts of all turns
            told.append(f"| until verdicts of all turns are there | {time.monotonic() - began:.2f} |")
            for name, address in {**PAGES, **_of_a_debate(client), **_compared(client)}.items():
                told.append(f"| {name} | {max(_seconds(client, address) for _ in range(TIMES)):.3f} |")
            told += [f"| {name} | {seconds:.2f} |" for name, seconds in _search(client).items()]
        memory = psutil.Process(process.pid).memory_info().rss / 2**20
    finally:
        process.terminate()
        process.wait()
    return "\n".join([*told, f"| memory of the process, MB | {memory:,.0f} |"])


def _of_a_debate(client: httpx.Client) -> dict[str, str]:
    listed = client.get("/run/debates?page=1500&sort=-rounds").text
    [debate, *_] = re.findall(r"/run/debates/(\w+)", listed)
    return {
        "one debate": f"/run/debates/{debate}?sort=-rounds",
        "what a seat was shown": f"/run/debates/{debate}/turns/1/seat1",
    }


def _compared(client: httpx.Client) -> dict[str, str]:
    one, *_, other = re.findall(r'<option value="(run:\w+)"', client.get("/compare").text)
    return {"two cells compared": f"/compare?a={one}&b={other}"}


def _search(client: httpx.Client) -> dict[str, float]:
    """A word that few turns have: seconds to its first row, to the first fifty, and to a page afterwards."""
    began = time.monotonic()
    found: dict[str, float] = {}
    with client.stream("GET", f"/run/debates?text={NEEDLE}") as answer:
        for piece in answer.iter_text():
            if '<th scope="row">' in piece:
                found.setdefault("text search, first hit", time.monotonic() - began)
    found["text search, to its end"] = time.monotonic() - began
    found["text search, a page of its hits"] = _seconds(client, f"/run/debates?text={NEEDLE}&page=2")
    return found


def _seconds(client: httpx.Client, address: str) -> float:
    began = time.monotonic()
    client.get(address).raise_for_status()
    return time.monotonic() - began


if __name__ == "__main__":
    given = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        run = Path(given[0]) if given else Path(folder) / "run"
        turns = f"{write_viewed(run, REPETITIONS):,}" if not (run / "tables").is_dir() else "the"
        print(f"## viewer\n\n{machine()}\n\n`moot view` on {turns} turns; of pages the slowest of {TIMES}.\n")
        print(f"| | seconds |\n|---|---|\n{viewer(run)}")
