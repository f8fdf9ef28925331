"""Repetitions of simulated debates, as turns and as the tables of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.model.plan import Condition, full_design, plan
from analysis.model.reading import ordered
from analysis.model.simulate import turns_of
from analysis.model.truth import PAPER_TRUTH, Truth
from analysis.replication.repetitions import Repetition, repetitions
from analysis.schema import schema
from analysis.tally import CONDITION

NOTHING = pd.DataFrame(columns=[*CONDITION, "case_id", "repetition"])
"""No debate that failed."""


def played(
    cases: int,
    repetitions: int,
    seed: int = 1,
    truth: Truth = PAPER_TRUTH,
    conditions: Sequence[tuple[str, tuple[str, ...]]] | None = None,
) -> pd.DataFrame:
    """The turns of one run as they are read: the same cases, with the same phi, in all repetitions."""
    played = [Condition(*each) for each in conditions] if conditions else full_design(truth.models)
    drawn = plan(played, cases, repetitions)
    turns = turns_of(drawn, truth.draw(drawn, seed))
    number = turns["debate_id"] % (len(played) * repetitions) // len(played)
    parts = [designed(turns[number == place], place + 1) for place in range(repetitions)]
    return ordered(pd.concat(parts, ignore_index=True))


def designed(turns: pd.DataFrame, repetition: int) -> pd.DataFrame:
    """The turns with the columns of their design."""
    said = turns.astype({"debate_id": "str", "seat": "str", "model": "str"})
    first = said[said["round"] == 1].sort_values(["debate_id", "position"])
    panel = first.groupby("debate_id")["model"].agg("+".join)
    seats = first.groupby("debate_id")["model"].size()
    number = said["debate_id"].map(seats)
    return said.assign(
        debate_id=[f"{repetition:02x}{int(number):014x}" for number in said["debate_id"]],
        variant="{}",
        panel=said["debate_id"].map(panel),
        order=["-".join(str(seat + 1) for seat in range(count)) for count in number],
        n_seats=number,
        steering=["+".join(["default"] * count) for count in number],
        answer_format="json",
        repetition=repetition,
    )


def again(turns: pd.DataFrame) -> pd.DataFrame:
    """The turns of a first repetition as those of a second."""
    ids = turns["debate_id"].astype("str")
    return turns.assign(debate_id="f" + ids.str[1:], repetition=2)


def found(turns: pd.DataFrame, run: str = "run") -> list[Repetition]:
    """The repetitions of one run."""
    return repetitions({run: (turns, NOTHING)})


def write_run(folder: Path, turns: pd.DataFrame) -> Path:
    """Writes turns as the tables of a run whose debates have all finished."""
    rows = turns.astype({name: "str" for name in turns if isinstance(turns[name].dtype, pd.CategoricalDtype)})
    rows = rows.assign(run_id=folder.name, status="ok", outcome="no_consensus", standing="disagree")
    tables = {"turns": rows, "debates": rows.drop_duplicates("debate_id")}
    for name, own in tables.items():
        place = folder / "tables" / name
        place.mkdir(parents=True, exist_ok=True)
        arrays = [
            pa.array(own[field.name], field.type, from_pandas=True)
            if field.name in own and (name == "turns" or field.name not in ("status",))
            else pa.nulls(len(own), field.type)
            for field in schema(name)
        ]
        pq.write_table(pa.table(arrays, schema=schema(name)), place / "00000-a.parquet")
    return folder
