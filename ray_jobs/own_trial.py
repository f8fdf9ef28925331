"""A protocol of one's own on trial, in two processes that hash differently, each with an end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from protocols.own.source import Source
from ray_jobs.located import ExperimentError

PATIENCE = 120.0  # seconds that all scripted debates together may take
HASH_SEEDS = ("1", "2")
SORTED = (
    "the order of a set is another one in every process: use sorted(...), or a list or dict from the start"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found, a message each, in how many debates; and the golden script of one, if all end."""

    found: tuple[str, ...]
    debates: int
    script: str


def tried(
    source: Source, name: str, sizes: Sequence[int], rounds: int = 4, params: Mapping[str, Any] | None = None
) -> Verdict:
    """Tries the protocol of this name on panels of these sizes. Raises `ExperimentError` where it hangs."""
    order = json.dumps(
        {
            "file": source.file,
            "text": source.text,
            "name": name,
            "sizes": list(sizes),
            "rounds": rounds,
            "params": dict(params or {}),
        }
    )
    with ExitStack() as started:
        processes = [_start(seed) for seed in HASH_SEEDS]
        for process in processes:
            started.enter_context(process)
            started.callback(process.kill)
        one, other = (_answer(process, order, source, name) for process in processes)
    found = [": ".join(filter(None, each)) for each in one["found"]]
    return Verdict((*found, *_unlike(one, other)), len(one["digests"]), one["script"])


def _start(hash_seed: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "protocols.laws.watched"],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _answer(process: subprocess.Popen[str], order: str, source: Source, name: str) -> dict[str, Any]:
    try:
        told, broken = process.communicate(order, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise ExperimentError(
            f"{source.file}: {name}: found no end of its scripted debates in {PATIENCE:.0f} s; one call into"
            " Python may go on for ever, as sum(itertools.count()) does, or each step takes very long"
        ) from None
    if process.returncode:
        raise ExperimentError(f"{source.file}: {name}: it ended the process that played it: {broken[-500:]}")
    answer: dict[str, Any] = json.loads(told)
    return answer


def _unlike(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """That the same debate is another one under another hash seed, where nothing else told so."""
    if one["found"]:
        return []
    for game, asked in one["digests"].items():
        for then, now in zip(asked, other["digests"].get(game, ()), strict=False):
            if then != now:
                place = then.partition(":")[0]
                return [
                    f"deterministic: {game}: in another process {place} is asked something else; {SORTED}"
                ]
    return []
