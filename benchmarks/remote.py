"""Debates a second through remote models, over those of scripts that do nothing but ask."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from benchmarks.machine import NICENESS, machine
from benchmarks.mock_server import question_of, reply_to
from benchmarks.schedule import Steps, first_come
from benchmarks.study import write_synchronous
from benchmarks.trial import Command, Server, Trial, mock_server, run
from benchmarks.workload import IN_FLIGHT, Messages, case_rows, debate, play_one, write_cases
from ray_jobs.driver import handed_out, staffing

DEBATES = 1_000
SLOW, FAST = 0.5, 0.05  # seconds for a reply
HEADING = """\
| {slow} s a reply | debates/s | of ideal | calls | CPU a call, ms | agent | moderator | driver | other | MB |
|---|---|---|---|---|---|---|---|---|---|"""


def moot(folder: Path, server: Server, debates: int, transport: str) -> Command:
    """The command that plays the workload with moot, in `folder`."""
    folder.mkdir(exist_ok=True)
    model = {
        "backend": "openai",
        "model": "mock",
        "base_url": server.url,
        "key": None,
        "transport": transport,
        "in_flight": IN_FLIGHT,
        "limits": {"start": IN_FLIGHT},
    }
    file = write_synchronous(folder, model, cases=write_cases(folder / "cases.jsonl", debates))
    return [sys.executable, "-m", "ray_jobs.run", file, "--out", folder / "run"]


def script(folder: Path, server: Server, debates: int, name: str, python: str = sys.executable) -> Command:
    """The command that plays the workload with one of `benchmarks.clients`."""
    file = folder / f"{name}.jsonl"
    client = [python, "-m", f"benchmarks.clients.{name}", server.url, str(debates), str(file)]
    return ["nice", "-n", str(NICENESS), *client]


def row(name: str, trial: Trial, debates: int, latency: float) -> str:
    """A row of the table."""
    ideal = trial.counts.calls * latency / IN_FLIGHT
    each = [
        1000 * trial.cpu.get(kind, 0.0) / trial.counts.calls for kind in ("agents", "moderators", "driver")
    ]
    other = trial.milliseconds_per_call - sum(each)
    cpu = " | ".join(f"{ms:.2f}" for ms in (trial.milliseconds_per_call, *each, other))
    return (
        f"| {name} | {debates / trial.seconds:.1f} | {ideal / trial.seconds:.2f} | {trial.counts.calls:,}"
        f" | {cpu} | {trial.megabytes:,.0f} |"
    )


def slow(debates: int) -> str:
    """The table at half a second a reply, and both ratios."""
    lines = HEADING.format(slow=SLOW).splitlines()
    with tempfile.TemporaryDirectory() as name, mock_server(SLOW) as server:
        folder = Path(name)
        commands = {
            "aiohttp script": script(folder, server, debates, "raw_aiohttp"),
            "moot, lean": moot(folder / "lean", server, debates, "lean"),
            "openai script": script(folder, server, debates, "plain_openai"),
            "moot, official": moot(folder / "official", server, debates, "official"),
        }
        trials = {name: run(server, command) for name, command in commands.items()}
    same_questions(trials)
    lines += [row(name, trial, debates, SLOW) for name, trial in trials.items()]
    for ours, theirs, goal in (
        ("moot, lean", "aiohttp script", 0.95),
        ("moot, official", "openai script", 1.0),
    ):
        ratio = trials[theirs].seconds / trials[ours].seconds
        lines += ["", f"**{ours} over {theirs}: {ratio:.2f}** (goal {goal})."]
    _, places = staffing(IN_FLIGHT)
    handed = handed_out(places) - places
    scheduled = first_come(asyncio.run(latencies(debates)), IN_FLIGHT, places, handed)
    lines += [
        "",
        "Scripts open all debates at once. Moot has few open and lets the oldest go first until all have"
        f" begun; if nothing but the replies took time, that would take {scheduled:.1f} s, which is"
        f" {scheduled / trials['moot, lean'].seconds:.2f} of what the lean transport took and"
        f" {scheduled / trials['moot, official'].seconds:.2f} of the official one.",
    ]
    return "\n".join(lines)


async def latencies(debates: int) -> list[Steps]:
    """The seconds of every reply of the workload, by debate and step."""

    async def ask(messages: Messages) -> str:
        return reply_to(question_of(messages))

    played = [await play_one(debate(row), ask) for row in case_rows(debates)]
    return [[[SLOW] * len(turns) for turns in rounds] for rounds in played]


def fast(debates: int) -> str:
    """Calls a second at a twentieth of a second a reply."""
    with tempfile.TemporaryDirectory() as name, mock_server(FAST) as server:
        folder = Path(name)
        raw = run(server, script(folder, server, debates, "raw_aiohttp"))
        lean = run(server, moot(folder / "lean", server, debates, "lean"))
    same_questions({"aiohttp script": raw, "moot, lean": lean})
    return (
        f"At {FAST} s a reply the lean transport made **{lean.calls_per_second:.0f} calls/s** (goal 500), at"
        f" {lean.milliseconds_per_call:.2f} ms of CPU a call; the aiohttp script {raw.calls_per_second:.0f}."
    )


def same_questions(trials: dict[str, Trial]) -> None:
    """Ends the benchmark unless all have asked the very same questions, each once."""
    asked = {name: (trial.counts.calls, trial.counts.which) for name, trial in trials.items()}
    if len(set(asked.values())) != 1:
        raise SystemExit(f"expected the same questions from all; found {asked}")


def main(debates: int = DEBATES) -> None:
    """Prints the table and the ratios."""
    print(f"## Remote models\n\n{machine()}\n", flush=True)
    print(f"{debates:,} synchronous debates on a mock server, {IN_FLIGHT} asks in flight.\n")
    print(slow(debates), flush=True)
    print(f"\n{fast(debates)}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
