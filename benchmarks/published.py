"""The published design of the study of interaction protocols as a run's tables, made up, not played.

Three models on 1,000 dilemmas: every pair at the same time, every pair in both orders and all three in all
six orders one after another, at most four rounds: 15,000 debates. Verdicts follow the law of the simulated
agents; labels are drawn from the 48 values.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from analysis.schema import schema
from protocols.answer_format import VERDICTS

MODELS = ("claude", "gpt", "gemini")
LEANING = np.array([[1.7, 0.9, 0.9, 0.8, -1], [2.6, 0.6, 0.2, 0.3, -1], [1.5, 1.4, 0.4, 0.0, -1]])
INERTIA, PREVIOUS, WITHIN = (1.50, 2.11, 1.04), (1.10, 0.26, 0.69), (0.69, 2.16, 1.65)
DILEMMAS, ROUNDS, MOST = 1_000, 4, 5
SILENT = -1

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Cell:
    """A condition: the seats by the place of their model, and the order in which they speak."""

    protocol: str
    seats: tuple[int, ...]
    order: tuple[int, ...]


def cells() -> list[Cell]:
    """The fifteen conditions."""
    pairs = list(combinations(range(3), 2))
    together = [Cell("synchronous", pair, (0, 1)) for pair in pairs]
    in_turn = [Cell("round_robin", pair, order) for pair in pairs for order in ((0, 1), (1, 0))]
    three = [Cell("round_robin", (0, 1, 2), order) for order in permutations(range(3))]
    return together + in_turn + three


def write_published(run: Path, repetitions: int = 1, values: Sequence[str] = (), passes: int = 2) -> int:
    """Writes the tables of a run, a part for each condition; returns how many turns there are.

    With `values` every turn is labelled with up to five of them, by one judge in so many passes.
    """
    chance, turns = np.random.default_rng(7), 0
    leaning = np.tile(chance.normal(0, 2.0, (DILEMMAS, len(VERDICTS))), (repetitions, 1))
    for number, cell in enumerate(cells()):
        said = play(cell, leaning, chance)
        tables = dict(_tables(number, cell, said))
        _write(run, tables, number)
        if values:
            _write(run / "judgments" / "judge", _labelled(tables["turns"], values, passes, chance), number)
        turns += len(tables["turns"])
    if values:
        listed = "\n".join(["value,definition,group", *(f"{value},in words," for value in values)])
        (run / "judgments" / "judge" / "values.csv").write_text(listed + "\n", "utf-8")
    return turns


def play(cell: Cell, leaning: NDArray[np.float64], chance: np.random.Generator) -> Codes:
    """The verdicts of a debate on each case: debates by rounds by seats, `SILENT` after consensus."""
    debates, seats = len(leaning), len(cell.seats)
    said = np.full((debates, ROUNDS, seats), SILENT)
    going = np.ones(debates, bool)
    labels = np.arange(len(VERDICTS))
    for round in range(ROUNDS):
        heard = np.zeros((debates, len(VERDICTS)))
        for seat in cell.order:
            model = cell.seats[seat]
            odds = LEANING[model] + leaning + chance.gumbel(size=leaning.shape)
            if round:
                before = said[:, round - 1, :, None] == labels
                odds += INERTIA[model] * before[:, seat]
                odds += PREVIOUS[model] * (before.sum(axis=1) - before[:, seat])
            odds += WITHIN[model] * heard
            said[:, round, seat] = np.where(going, odds.argmax(axis=1), SILENT)
            if cell.protocol == "round_robin":
                heard += said[:, round, seat, None] == labels
        going = going & (said[:, round] != said[:, round, :1]).any(axis=1)
    return said


def _write(run: Path, tables: Mapping[str, pa.Table], number: int) -> None:
    for name, table in tables.items():
        folder = run / "tables" / name
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, folder / f"{number:05}-a.parquet")


def _labelled(
    turns: pa.Table, values: Sequence[str], passes: int, chance: np.random.Generator
) -> dict[str, pa.Table]:
    """The tables of the labels of some turns: each label is a judgment of its own that has finished."""
    labels, first = _labels(turns, values, passes, chance), turns["debate_id"][0].as_py()
    ids = pa.array([f"{first}-{place}" for place in range(len(labels))])
    at = labels.schema.get_field_index("debate_id")
    labels = labels.set_column(at, labels.schema.field(at), ids)
    design = {name: labels[name] for name in _design(0, cells()[0], np.arange(1))}
    ended = _table(
        "debates", **design, outcome=_same("judgment", len(labels)), calls=np.ones(len(labels), int)
    )
    return {"judgments": labels, "debates": ended}


def _tables(number: int, cell: Cell, said: Codes) -> Iterator[tuple[str, pa.Table]]:
    debates, seats = len(said), len(cell.seats)
    spoken = said != SILENT
    last = spoken.any(axis=2).sum(axis=1)
    debate, round, place = (at.astype(np.int64) for at in np.nonzero(spoken[:, :, list(cell.order)]))
    seat = np.array(cell.order)[place]
    model = np.array(MODELS)[np.array(cell.seats)[seat]]
    names = np.array([f"seat{number + 1}" for number in range(seats)])
    yield (
        "turns",
        _table(
            "turns",
            **_design(number, cell, debate),
            round=round + 1,
            position=place + 1,
            seat=names[seat],
            model=model,
            label=np.array(VERDICTS)[said[debate, round, seat]],
            status=_same("ok", len(debate)),
            opening=np.zeros(len(debate), bool),
        ),
    )
    calls = spoken.sum(axis=(1, 2))
    tokens = {"prompt_tokens": 900 * calls, "completion_tokens": 120 * calls}
    ended = {"rounds": last, "calls": calls, "outcome": _same("consensus", debates), **tokens}
    yield "debates", _table("debates", **_design(number, cell, np.arange(debates)), **ended)
    one = np.ones(len(debate), np.int64)
    asked = {"model": model, "finish_reason": _same("stop", len(debate))}
    spent = {"prompt_tokens": 900 * one, "completion_tokens": 120 * one}
    yield "replies", _table("replies", **_design(number, cell, debate), **asked, **spent)


def _labels(turns: pa.Table, values: Sequence[str], passes: int, chance: np.random.Generator) -> pa.Table:
    """Labels of every turn: up to five values each, some of them used more than others."""
    design = {name: turns[name] for name in _design(0, cells()[0], np.arange(1))}
    weight = 1 / np.arange(2, len(values) + 2)
    parts = []
    for number in range(1, passes + 1):
        keys = chance.random((len(turns), len(values))) ** (1 / weight)
        best = np.argpartition(-keys, MOST, axis=1)[:, :MOST]
        many = chance.integers(0, MOST + 1, len(turns))
        kept = best[np.arange(MOST) < many[:, None]]
        offsets = np.concatenate([[0], np.cumsum(many)]).astype(np.int32)
        lists = pa.ListArray.from_arrays(offsets, pa.array(np.array(values)[kept], pa.string()))
        parts.append(
            _table(
                "judgments",
                **{**design, "stage": _same("labels", len(turns))},
                kind=_same("label", len(turns)),
                judge=_same("judge", len(turns)),
                sees=_same("explanation", len(turns)),
                status=_same("ok", len(turns)),
                source_debate=turns["debate_id"],
                source_round=turns["round"],
                source_seat=turns["seat"],
                judged_labels=lists,
                **{"pass": np.full(len(turns), number)},
            )
        )
    return pa.concat_tables(parts)


def _design(number: int, cell: Cell, debate: Codes) -> dict[str, NDArray[np.generic] | pa.Array]:
    ids = [f"{number:02}{place:014x}" for place in range(int(debate.max(initial=-1)) + 1)]
    dilemmas = np.array([f"dilemma-{place:04}" for place in range(DILEMMAS)])
    fixed = {
        "run_id": "published",
        "stage": "debate",
        "protocol": cell.protocol,
        "variant": json.dumps({"rounds": ROUNDS}, separators=(",", ":")),
        "panel": "+".join(MODELS[seat] for seat in cell.seats),
        "order": "-".join(str(seat + 1) for seat in cell.order),
        "steering": "+".join("default" for _ in cell.seats),
        "answer_format": "json",
    }
    return {
        **{name: _same(value, len(debate)) for name, value in fixed.items()},
        "debate_id": np.array(ids)[debate],
        "case_id": dilemmas[debate % DILEMMAS],
        "n_seats": np.full(len(debate), len(cell.seats)),
        "repetition": debate // DILEMMAS + 1,
    }


def _same(value: str, length: int) -> pa.Array:
    return pa.repeat(value, length)


def _table(name: str, **columns: NDArray[np.generic] | pa.Array | pa.ChunkedArray) -> pa.Table:
    """A table of that name; columns that are not given are null."""
    length = len(next(iter(columns.values())))
    arrays = [
        pa.nulls(length, field.type)
        if field.name not in columns
        else pa.chunked_array([columns[field.name]]).cast(field.type)
        if not isinstance(columns[field.name], pa.ChunkedArray)
        else columns[field.name]
        for field in schema(name)
    ]
    return pa.table(arrays, schema=schema(name))
