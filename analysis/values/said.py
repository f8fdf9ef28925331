"""What was said, as columns of numbers: turns with what the measures of values need of their debates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from analysis.courses import confederates
from analysis.tally import CONDITION
from analysis.values.codes import Keys, coded, combined, hashed, separated, turn_keys
from analysis.values.sets import Bools, Ints

COLUMNS = ("debate_id", *CONDITION, "n_seats", "case_id", "round", "seat", "model", "label", "opening")
"""What is read of `turns`."""

SEPARATOR = "\x1f"
"""Stands between the columns of a design in its name."""


@dataclass(frozen=True, slots=True)
class Said:
    """Turns sorted by debate, round and seat, a row each. A debate is there as a whole.

    Columns of numbers stand for the names beside them. `verdict` is -1 where it could not be read;
    `keys` are those of the labels of a turn; `opening` turns were said in the debate gone on from.
    `slot` numbers the seats of debates. A design is named by the columns of the condition and the number
    of seats, joined by `SEPARATOR`.
    """

    designs: list[str]
    cases: list[str]
    models: list[str]
    verdicts: list[str]
    debates: list[str]
    design: Ints
    case: Ints
    model: Ints
    verdict: Ints
    round: Ints
    debate: Ints
    seat: Ints
    slot: Ints
    seats: Ints
    opening: Bools
    keys: Keys

    def __len__(self) -> int:
        return len(self.debate)


def said(rows: pa.Table) -> Said:
    """The turns of a table with `COLUMNS`."""
    debate, debates = coded(rows["debate_id"])
    seat, seat_names = coded(rows["seat"])
    round = rows["round"].to_numpy().astype(np.int64)
    order = np.lexsort((seat, round, debate))
    debate, seat, round = debate[order], seat[order], round[order]
    design, designs, seats = _designs(rows)
    case, cases = coded(rows["case_id"])
    model, models = coded(rows["model"])
    verdict, verdicts = coded(rows["label"])
    unread = np.array([-1 if not name else number for number, name in enumerate(verdicts)], np.int64)
    return Said(
        designs=designs,
        cases=cases,
        models=models,
        verdicts=verdicts,
        debates=debates,
        design=design[order],
        case=case[order],
        model=model[order],
        verdict=unread[verdict[order]],
        round=round,
        debate=debate,
        seat=seat,
        slot=np.unique(debate * max(len(seat_names), 1) + seat, return_inverse=True)[1].astype(np.int64),
        seats=seats[order],
        opening=pc.fill_null(rows["opening"], False).to_numpy()[order],
        keys=turn_keys(hashed(debates)[debate], round, hashed(seat_names)[seat]),
    )


def planted(rows: pa.Table) -> pa.ChunkedArray:
    """Which turns are of debates with a planted verdict."""
    variants = rows["variant"].cast(pa.string())
    distinct = variants.unique().drop_null()
    return pc.is_in(variants, value_set=distinct.filter(pa.array(confederates(distinct.to_pandas()))))


def _designs(rows: pa.Table) -> tuple[Ints, list[str], Ints]:
    """The number of the design of each row, the names of designs, and the seats of the panel of each row."""
    columns = [coded(rows[name]) for name in CONDITION]
    seats = rows["n_seats"].to_numpy().astype(np.int64)
    bounds = [*(len(names) for _, names in columns), int(seats.max(initial=0)) + 1]
    keys = combined(list(zip([*(numbers for numbers, _ in columns), seats], bounds, strict=True)))
    distinct, design = np.unique(keys, return_inverse=True)
    *numbers, panel = separated(distinct, bounds)
    names = [
        SEPARATOR.join(
            [*(names[own[i]] for own, (_, names) in zip(numbers, columns, strict=True)), str(panel[i])]
        )
        for i in range(len(distinct))
    ]
    return design.astype(np.int64), names, seats
