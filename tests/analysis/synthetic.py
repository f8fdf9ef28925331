"""Synthetic runs: debates drawn at random as plain data, and written as a run writes its tables."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from analysis.schema import schema
from analysis.tally import CONDITION
from protocols.answer_format import VERDICTS

TABLES = ("turns", "replies", "judgments", "debates", "failures")
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
    """One turn: its label, None where unreadable, its status, and the rule that it broke."""

    label: str | None
    status: str
    violation: str | None = None

    @property
    def finish_reason(self) -> str:
        """How its reply ended: one with a repaired verdict was cut off here too."""
        return "length" if self.status in ("truncated", "repaired") else "stop"

    @property
    def cost(self) -> float | None:
        """What its reply cost; unknown where it was refused."""
        return None if self.status == "refusal" else len(self.status) / 1e5


@dataclass(frozen=True)
class Judged:
    """One judgment of a debate as plain data, in a stage of judges; `error` if it failed."""

    stage: str
    judge: str
    said: Said = Said(None, "missing")
    error: str | None = None
    kind: str = "judge"


@dataclass(frozen=True)
class Debate:
    """One debate as plain data: `said[r][i]` is the turn of seat i in round r + 1; `error` if it failed.

    Its first `inherited` rounds were said in the debate that it goes on from, in another stage.
    """

    id: str
    protocol: str
    models: tuple[str, ...]
    order: str | None
    steering: str
    said: tuple[tuple[Said, ...], ...] = ()
    error: str | None = None
    case: str = "a case"
    stage: str = "debate"
    inherited: int = 0
    judged: tuple[Judged, ...] = ()
    variant: str = "{}"

    @property
    def design(self) -> dict[str, Any]:
        """Its design columns; those left out are null."""
        return {
            "run_id": "run",
            "stage": self.stage,
            "debate_id": self.id,
            "case_id": self.case,
            "protocol": self.protocol,
            "variant": self.variant,
            "panel": "+".join(self.models),
            "order": self.order,
            "n_seats": len(self.models),
            "steering": self.steering,
            "answer_format": "json",
        }

    @cached_property
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
            {
                "round": r,
                "position": i,
                "seat": f"seat {i}",
                "model": model,
                "label": said.label,
                "status": said.status,
                "violation": said.violation,
                "opening": r <= self.inherited,
            }
            for r, row in enumerate(self.said, start=1)
            for i, (model, said) in enumerate(zip(self.models, row, strict=True), start=1)
        ]

    @property
    def replies(self) -> list[dict[str, Any]]:
        """Its rows of `replies`."""
        return [
            _reply(model, said)
            for row in self.said[self.inherited :]
            for model, said in zip(self.models, row, strict=True)
        ]

    @property
    def summary(self) -> list[dict[str, Any]]:
        """Its row of `debates`."""
        ended = {"outcome": "no_consensus", "standing": "disagree"}
        return [{"rounds": len(self.said), **ended, **_sums(self.replies)}]

    def judgments(self, table: str) -> list[dict[str, Any]]:
        """The rows of its judgments in a table."""
        found = []
        for number, one in enumerate(self.judged):
            reply = _reply(one.judge, one.said)
            own: dict[str, dict[str, Any]] = {
                "judgments": {
                    "kind": one.kind,
                    "judge": one.judge,
                    "decision": one.said.label,
                    "status": one.said.status,
                },
                "replies": reply,
                "debates": {"outcome": "judgment", "standing": "judgment", **_sums([reply])},
                "failures": {"error_class": one.error, "seat": "judge", "attempts": 3},
            }
            if table in own and (table == "failures") == bool(one.error):
                id = f"{self.id} judged {number}"
                design = {**self.design, "debate_id": id, "stage": one.stage, "answer_format": "text"}
                found.append({**design, **own[table]})
        return found


def draw(seed: int, n: int, unreadable: float = 0.15, failing: float = 0.1) -> list[Debate]:
    """`n` debates of panels of 1, 2, 3 and 5 seats, stopped at consensus or after 4 rounds."""
    dice = random.Random(seed)
    return [_debate(dice, f"{seed}-{number:04}", unreadable, failing) for number in range(n)]


def judge(debates: Iterable[Debate], seed: int, unreadable: float = 0.15) -> list[Debate]:
    """The same debates, of which those that finished have up to 3 judgments, or labels, in two stages."""
    dice = random.Random(f"judge {seed}")
    return [
        one
        if one.error
        else replace(one, judged=tuple(_judged(dice, unreadable) for _ in range(dice.randrange(4))))
        for one in debates
    ]


def rows(debates: Iterable[Debate], table: str) -> list[dict[str, Any]]:
    """The rows of `debates` in a table; what failed has rows in `failures` alone."""
    return [row for one in debates for row in (*_own(one, table), *one.judgments(table))]


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
    case, stage = f"case {dice.randrange(20)}", dice.choice(("debate", "debate", "longer"))
    rounds: list[tuple[Said, ...]] = []
    while not rounds or (protocol != "solo" and len(rounds) < 4 and not _agreed(rounds[-1])):
        rounds.append(tuple(_said(dice, unreadable) for _ in models))
    inherited = dice.randrange(len(rounds)) if stage == "longer" else 0
    return Debate(id, protocol, models, order, steering, tuple(rounds), None, case, stage, inherited)


def _own(debate: Debate, table: str) -> list[dict[str, Any]]:
    """The rows of a table that are of the debate itself."""
    if (table == "failures") != bool(debate.error) or table == "judgments":
        return []
    failure = [{"error_class": debate.error, "seat": "seat1", "attempts": 3}]
    found = {"turns": debate.turns, "replies": debate.replies, "debates": debate.summary, "failures": failure}
    return [{**debate.design, **row} for row in found[table]]


def _reply(model: str, said: Said) -> dict[str, Any]:
    return {
        "model": model,
        "finish_reason": said.finish_reason,
        "prompt_tokens": 100,
        "cached_tokens": 40,
        "completion_tokens": 7,
        "cost_usd": said.cost,
    }


def _sums(replies: Sequence[dict[str, Any]]) -> dict[str, Any]:
    costs = [reply["cost_usd"] for reply in replies]
    tokens = ("prompt_tokens", "cached_tokens", "completion_tokens")
    return {
        **{name: sum(reply[name] for reply in replies) for name in tokens},
        "calls": len(costs),
        "cost_usd": None if None in costs else sum(costs),
        "status": "finished",
    }


def _judged(dice: random.Random, unreadable: float) -> Judged:
    stage, model = dice.choice(("judged", "blind")), dice.choice(("alpha", "delta"))
    if dice.random() < 0.1:
        return Judged(stage, model, error="Timeout")
    return Judged(
        stage, model, _said(dice, unreadable), kind=dice.choice(("judge", "judge", "judge", "label"))
    )


def _said(dice: random.Random, unreadable: float) -> Said:
    if dice.random() < unreadable:
        return Said(None, dice.choice(UNREADABLE))
    return Said(dice.choice(VERDICTS[:3]), dice.choice(("ok", "ok", "repaired")))


def _agreed(round: tuple[Said, ...]) -> bool:
    labels = {said.label for said in round}
    return len(labels) == 1 and None not in labels
