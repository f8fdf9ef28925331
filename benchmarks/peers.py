"""The same debates by moot, by scripts, by AutoGen and by inspect_ai: speed, CPU, memory, and a kill."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.machine import machine
from benchmarks.remote import DEBATES, SLOW, moot, script
from benchmarks.trial import Command, Server, mock_server, run, run_killed
from benchmarks.workload import IN_FLIGHT
from serving.catalogue import models_folder

PACKAGES = {
    "autogen": ("autogen-agentchat==0.7.5", "autogen-ext[openai]==0.7.5"),
    "inspect": ("inspect-ai==0.3.285", "openai"),
}
CLIENTS = {  # the module of `benchmarks.clients`, and the environment it needs
    "aiohttp script": ("raw_aiohttp", None),
    "openai script": ("plain_openai", None),
    "AutoGen, its client": ("autogen_client", "autogen"),
    "AutoGen, RoundRobinGroupChat": ("autogen_team", "autogen"),
    "inspect_ai": ("inspect_task", "inspect"),
}
HEADING = """\
| | debates/s | calls | CPU a call, ms | MB | replies paid for twice after kill -9 |
|---|---|---|---|---|---|"""

Making = Callable[[Path], Command]


class Absent(Exception):
    """A peer that could not be installed."""


def environment(name: str) -> str:
    """The interpreter of a virtual environment with a peer, built where it is not there yet."""
    folder = models_folder().with_name("peers") / name
    python, uv = folder / "bin" / "python", Path(sys.executable).with_name("uv")
    for command in (
        [uv, "venv", "--allow-existing", "--python", sys.executable, folder],
        [uv, "pip", "install", "--python", python, *PACKAGES[name]],
    ):
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if done.returncode != 0:
            raise Absent(done.stderr.strip().splitlines()[-1])
    return str(python)


def clients(server: Server, debates: int) -> Iterator[tuple[str, Making]]:
    """Every client that can be had, with what makes its command in a folder."""
    for transport in ("lean", "official"):
        yield f"moot, {transport}", partial(moot, server=server, debates=debates, transport=transport)
    for title, (name, needs) in CLIENTS.items():
        try:
            python = environment(needs) if needs else sys.executable
        except Absent as absent:
            print(f"| {title} | absent: {absent} | | | | |", flush=True)
            continue
        yield title, partial(script, server=server, debates=debates, name=name, python=python)


def row(title: str, make: Making, server: Server, debates: int) -> str:
    """Plays the debates once undisturbed and once killed in their middle; a row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        trial = run(server, make(Path(folder)))
    if trial.counts.calls != trial.counts.distinct:
        raise SystemExit(f"{title} asked something twice, undisturbed; expected every question once")
    with tempfile.TemporaryDirectory() as folder:
        killed = run_killed(server, make(Path(folder)), trial.counts.calls // 2)
    if killed.which != trial.counts.which:
        raise SystemExit(f"{title} did not ask everything after its kill; expected the same debates again")
    twice = killed.calls - killed.distinct
    return (
        f"| {title} | {debates / trial.seconds:.1f} | {trial.counts.calls:,}"
        f" | {trial.milliseconds_per_call:.2f} | {trial.megabytes:,.0f} | {twice:,} |"
    )


def main(debates: int = DEBATES) -> None:
    """Prints the table."""
    print(f"## Peers\n\n{machine()}\n", flush=True)
    print(
        f"{debates:,} debates on a mock server, {SLOW} s a reply, {IN_FLIGHT} asks in flight;"
        " synchronous and the very same questions, but for RoundRobinGroupChat, whose debates are"
        " round-robin. Killed after half of the calls and begun again by the same command: scripts and"
        " AutoGen keep a line for each debate that has ended, inspect_ai its own log.\n"
    )
    print(HEADING, flush=True)
    with mock_server(SLOW) as server:
        for title, make in clients(server, debates):
            print(row(title, make, server, debates), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
