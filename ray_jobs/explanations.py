"""The explanations of a run, for people who label them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

import pyarrow as pa
import pyarrow.compute as pc

from protocols.columns import DESIGN
from ray_jobs.ended import Ended
from ray_jobs.ids import among, id_numbers
from ray_jobs.log import Row
from ray_jobs.parts import read_parts
from ray_jobs.store import Store

COLUMNS = [*(name for name, _, _ in DESIGN), "round", "seat", "label", "explanation", "opening"]

Place = tuple[str, int, str]  # of a turn: its debate, round and seat


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation in one turn, `place`; `design` are the design columns of its debate."""

    text: str
    place: Place
    design: Row

    @property
    def id(self) -> str:
        """A name that tells nothing of the turn, and that no spreadsheet takes for a number."""
        place = "\x1f".join(map(str, self.place))
        return f"t{blake2b(place.encode(), digest_size=8).hexdigest()}"


def explanations(run: Store) -> Iterator[Explanation]:
    """Those in the debates that have ended, each where it was said, that a labeller would be asked about."""
    finished = Ended.of(run, failed_by=()).finished
    for part in read_parts(run, "turns", COLUMNS):
        turns = _said_here(part)
        ended = among(id_numbers(turns["debate_id"].to_pylist()), finished)
        for row, has_ended in zip(turns.to_pylist(), ended, strict=True):
            if has_ended and row["explanation"].strip():
                place = row["debate_id"], row["round"], row["seat"]
                design = {name: row[name] for name, _, _ in DESIGN}
                yield Explanation(row["explanation"], place, design)


def _said_here(turns: pa.Table) -> pa.Table:
    return turns.filter(pc.and_(pc.is_valid(turns["label"]), pc.invert(turns["opening"])))
