"""A measure of one's own, tried on made-up debates: neither the order of rows nor their spread may matter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pandas as pd
import pyarrow as pa

from analysis.own_measure import MeasureError, OwnMeasure, read_measure
from analysis.schema import schema
from protocols.laws.panels import play_out
from protocols.laws.replies import SCRIPTS
from protocols.laws.trial import Panel, panels
from protocols.own.source import Source
from protocols.play import Play
from protocols.seeds import shuffled
from protocols.synchronous import synchronous
from ray_jobs.log import Row
from ray_jobs.rows import turn_rows

SHUFFLES = 3
ROUNDS = 4
WHOLE = "a debate's value may depend on its own turns alone: group by debate_id, and sort within it by round"


def measure_found(source: Source, name: str) -> list[str]:
    """What is wrong with the measure of this name in a source, as it is in its file."""
    try:
        return list(measure_problems(read_measure(Path(source.file), name), made_up_turns()))
    except MeasureError as error:
        return [str(error)]


def made_up_turns() -> pd.DataFrame:
    """The turns of scripted debates of several panels, with confidence in some; columns as in `turns`."""
    games = enumerate(product(panels((1, 2, 3)), SCRIPTS))
    rows = [row for number, (panel, script) in games for row in _rows(number, panel, script)]
    columns = schema("turns").names
    frame: pd.DataFrame = pa.Table.from_pylist(
        [{name: row.get(name) for name in columns} for row in rows], schema("turns")
    ).to_pandas()
    return frame


def measure_problems(own: OwnMeasure, turns: pd.DataFrame) -> Iterator[str]:
    """What is wrong with a measure, in words."""
    kept = turns.copy()
    try:
        whole = own.values(turns)
        if not turns.equals(kept):
            yield "it changes the turns that it is given; work on a copy: turns = turns.assign(...)"
            return
        for number in range(SHUFFLES):
            order = shuffled(range(len(turns)), number, "rows")
            if not _same(whole, own.values(turns.iloc[order].reset_index(drop=True))):
                yield f"it depends on the order of rows; {WHOLE}"
                return
        debates = list(turns["debate_id"].unique())
        halves = [turns["debate_id"].isin(debates[start::2]) for start in (0, 1)]
        apart = pd.concat([own.values(turns[half].reset_index(drop=True)) for half in halves])
        if not _same(whole, apart):
            yield f"it depends on which debates are read together; {WHOLE}"
        elif not _same(own.values(turns[:0]), whole[:0]):
            yield "of no turns it makes rows; return none"
        elif whole.empty:
            yield "it has no value for any debate"
    except MeasureError as error:
        yield str(error)


def _same(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    keys = ["debate_id", "of"]
    return _in_order(one, keys).equals(_in_order(other, keys))


def _in_order(frame: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    kinds = {"debate_id": "object", "of": "object", "value": "float64"}
    rounded = frame.astype(kinds).round({"value": 9})
    return rounded.sort_values(keys, ignore_index=True)


def _rows(number: int, panel: Panel, script: str) -> Iterator[Row]:
    on = panel.case(ROUNDS)
    outcome = play_out(Play(synchronous(on), seed=7), SCRIPTS[script]).outcome
    design = {
        "debate_id": f"{number:016x}",
        "case_id": f"case{number % 5}",
        "stage": "debate",
        "protocol": "synchronous",
        "variant": f'{{"rounds":{ROUNDS}}}',
        "panel": "+".join(seat.model for seat in on.seats),
        "n_seats": len(on.seats),
        "repetition": 1,
    }
    for place, row in enumerate(turn_rows(design, outcome)):
        yield {**row, "confidence": (None, 0.25, 0.5, 0.75)[(number + place) % 4]}
