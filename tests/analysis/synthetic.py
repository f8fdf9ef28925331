"""Synthetic runs: debates drawn at random as plain data, and written as a run writes its tables."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from analysis.schema import schema
from analysis.tally import CONDITION
from protocols.answer_format import VERDICTS

TABLES = ("turns", "replies", "debates", "failures")
UNREADABLE = ("missing", "invalid", "refusal", "truncated")
PANELS = (
    ("solo", ("alpha",)),
    ("solo", ("alpha", "beta")),
    ("synchronous", ("alpha", "beta")),
    ("synchronous", ("alpha", "alpha")),
    ("round_robin", ("beta", "alpha", "gamma")),
    ("round_robin", ("alpha", "beta", "alpha", "gamma", "beta")),
)


@dataclass(frozen=True)
class Said:
    """One turn: its label, None where unreadable, and its status."""

    label: str | None
    status: str

    @property
    def finish_reason(self) -> str:
        """How its reply ended: one with a repaired verdict was cut off here too."""
        return "length" if self.status in ("truncated", "repaired") else "stop"

    @property
    def cost(self) -> float | None:
        """What its reply cost; unknown where it was refused."""
        return None if self.status == "refusal" else len(self.status) / 1e5


@dataclass(frozen=True)
class Debate:
    """One debate as plain data: `said[r][i]` is the turn of seat i in round r + 1; `error` if it failed."""

    id: str
    protocol: str
    models: tuple[str, ...]
    order: str | None
    steering: str
    said: tuple[tuple[Said, ...], ...] = ()
    error: str | None = None
    case: str = "a case"

    @property
    def design(self) -> dict[str, Any]:
        """Its design columns; those left out are null."""
        return {
            "run_id": "run",
            "debate_id": self.id,
            "case_id": self.case,
            "protocol": self.protocol,
            "variant": "{}",
            "panel": "+".join(self.models),
            "order": self.order,
            "n_seats": len(self.models),
            "steering": self.steering,
            "answer_format": "json",
        }

    @property
    def cell(self) -> tuple[str, ...]:
        """Its condition as a result names it: null is ""."""
        return tuple(self.design[name] or "" for name in CONDITION)

    def filled(self, verdict: str) -> Debate:
        """The same debate, had every unreadable turn given `verdict`."""
        rounds = (tuple(Said(said.label or verdict, "ok") for said in row) for row in self.said)
        return replace(self, said=tuple(rounds))

    @property
    def turns(self) -> list[dict[str, Any]]:
        """Its rows of `turns`."""
        return [
            {"round": r, "seat": f"seat {i}", "model": model, "label": said.label, "status": said.status}
            for r, row in enumerate(self.said, start=1)
            for i, (model, said) in enumerate(zip(self.models, row, strict=True), start=1)
        ]

    @property
    def replies(self) -> list[dict[str, Any]]:
        """Its rows of `replies`."""
        return [
            {
                "model": model,
                "finish_reason": said.finish_reason,
                "prompt_tokens": 100,
                "cached_tokens": 40,
                "completion_tokens": 7,
                "cost_usd": said.cost,
            }
            for row in self.said
            for model, said in zip(self.models, row, strict=True)
        ]

    @property
    def summary(self) -> list[dict[str, Any]]:
        """Its row of `debates`."""
        costs = [reply["cost_usd"] for reply in self.replies]
        sums = {
            name: sum(reply[name] for reply in self.replies)
            for name in ("prompt_tokens", "cached_tokens", "completion_tokens")
        }
        cost = None if None in costs else sum(costs)
        return [
            {"rounds": len(self.said), "calls": len(costs), **sums, "cost_usd": cost, "status": "finished"}
        ]


def draw(seed: int, n: int, unreadable: float = 0.15, failing: float = 0.1) -> list[Debate]:
    """`n` debates of panels of 1, 2, 3 and 5 seats, stopped at consensus or after 4 rounds."""
    dice = random.Random(seed)
    return [_debate(dice, f"{seed}-{number:04}", unreadable, failing) for number in range(n)]


def rows(debates: Iterable[Debate], table: str) -> list[dict[str, Any]]:
    """The rows of `debates` in a table; failed debates have rows in `failures` alone."""
    if table == "failures":
        return [{**one.design, "error_class": one.error, "attempts": 3} for one in debates if one.error]
    own = {"turns": "turns", "replies": "replies", "debates": "summary"}[table]
    return [{**one.design, **row} for one in debates if not one.error for row in getattr(one, own)]


def table(debates: Iterable[Debate], name: str) -> pa.Table:
    """Those rows under the table's schema."""
    return pa.Table.from_pylist(rows(debates, name), schema(name))


def write(run: Path, parts: Sequence[Sequence[Debate]], tables: Sequence[str] = TABLES) -> Path:
    """Writes each group of debates as one part of each of the tables."""
    for name in tables:
        folder = run / "tables" / name
        folder.mkdir(parents=True, exist_ok=True)
        for group in parts:
            if len(rows(group, name)):
                number = len(list(folder.iterdir()))
                pq.write_table(table(group, name), folder / f"{number:05}-a.parquet")
    return run


def _debate(dice: random.Random, id: str, unreadable: float, failing: float) -> Debate:
    protocol, models = dice.choice(PANELS)
    order = None if len(models) == 1 else dice.choice(("1-2", "2-1"))
    steering = dice.choice(("default", "balanced"))
    if dice.random() < failing:
        return Debate(id, protocol, models, order, steering, error=dice.choice(("Timeout", "Refused")))
    case = f"case {dice.randrange(20)}"
    rounds: list[tuple[Said, ...]] = []
    while not rounds or (protocol != "solo" and len(rounds) < 4 and not _agreed(rounds[-1])):
        rounds.append(tuple(_said(dice, unreadable) for _ in models))
    return Debate(id, protocol, models, order, steering, tuple(rounds), case=case)


def _said(dice: random.Random, unreadable: float) -> Said:
    if dice.random() < unreadable:
        return Said(None, dice.choice(UNREADABLE))
    return Said(dice.choice(VERDICTS[:3]), dice.choice(("ok", "ok", "repaired")))


def _agreed(round: tuple[Said, ...]) -> bool:
    labels = {said.label for said in round}
    return len(labels) == 1 and None not in labels
