"""Experiment files of the studies that are played here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml

CASES = Path("experiments/data/dilemmas.jsonl")
SOME = 25  # of these cases
CELLS = 3  # synchronous, and round-robin in both orders


def write_study(folder: Path, debates: int, latency: float = 0, judged: bool = False) -> Path:
    """Writes an experiment of about `debates` two-seat debates over 25 cases; returns its file.

    With `judged`, a third model judges every debate. Models take `latency` seconds for a reply.
    """
    simulated: dict[str, object] = {"backend": "simulated", "latency": latency}
    return write(
        folder,
        cases={"file": str(CASES.absolute()), "limit": SOME},
        models={"a": simulated, "b": {**simulated, "alpha": 0.5}, "judge": simulated},
        panels=[["a", "b"]],
        protocols=["synchronous", {"round_robin": {"orders": "all"}}],
        repetitions=max(1, round(debates / (SOME * CELLS))),
        stages=[{"name": "judged", "judges": ["judge"]}] if judged else [],
    )


def write_synchronous(
    folder: Path,
    model: Mapping[str, object],
    repetitions: int = 1,
    rounds: int = 4,
    cases: Path = CASES,
    limit: int | None = None,
) -> Path:
    """Writes an experiment of synchronous debates of one model with itself; returns its file.

    Every one of the first `limit` cases is debated `repetitions` times.
    """
    return write(
        folder,
        cases={"file": str(cases.absolute()), "limit": limit},
        models={"m": dict(model)},
        panels=[["m", "m"]],
        protocols=["synchronous"],
        labels="fixed",
        rounds=rounds,
        repetitions=repetitions,
    )


def write(folder: Path, **experiment: object) -> Path:
    """Writes an experiment; returns its file."""
    file = folder / "bench.yaml"
    file.write_text(yaml.safe_dump({"name": "bench", "seed": 7, "rounds": 4} | experiment), "utf-8")
    return file
