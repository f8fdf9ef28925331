"""Labels read back: which values of a taxonomy a judge found in which turn, as bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from analysis.readings import READABLE
from analysis.values.codes import Keys, coded, hashed, turn_keys
from analysis.values.sets import MOST, Ints, Sets, nothing, pack, size
from analysis.values.taxonomy import Taxonomy

COLUMNS = (
    *("case_id", "kind", "judge", "pass", "source_debate", "source_round", "source_seat"),
    *("judged_labels", "status"),
)
"""What is read of `judgments`."""

STATES = ("labelled", "unreadable", "unknown", "too many")
"""How a label was read: a set of values, perhaps empty; nothing; a value not in the list; more than five."""

LABELLED, UNREADABLE, UNKNOWN, TOO_MANY = range(4)

HUMAN = "human:"
"""What stands before the name of a person who judges."""

States = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Labelling:
    """The labels that one judge gave in one pass, a row each, sorted by the key of the turn.

    `cases` are places in the cases of the `Labels` it belongs to; `states` are places in `STATES`; a set
    is empty unless its state is labelled. A turn comes once: of several labels to it one that could be read
    counts, whatever the order of rows; `repeated` says how many others there were.
    """

    judge: str
    number: int
    turns: Keys
    cases: Ints
    states: States
    sets: Sets
    repeated: int = 0

    @property
    def name(self) -> str:
        """The judge and its pass in words."""
        return f"{self.judge}, pass {self.number}"

    @property
    def human(self) -> bool:
        """Whether the judge is a person."""
        return self.judge.startswith(HUMAN)


@dataclass(frozen=True, slots=True)
class Labels:
    """All labels of one taxonomy: a labelling for every judge and pass, those of people last."""

    taxonomy: Taxonomy
    cases: tuple[str, ...]
    labellings: tuple[Labelling, ...]


def gather(tables: Iterable[pa.Table], taxonomy: Taxonomy) -> Labels:
    """The labels in tables of judgments, with `COLUMNS`; rows of other kinds are none."""
    numbers: dict[str, int] = {}
    found: dict[tuple[str, int], list[Labelling]] = {}
    for table in tables:
        for one in _labellings(table, taxonomy, numbers):
            found.setdefault((one.judge, one.number), []).append(one)
    cases = tuple(sorted(numbers))
    place = np.zeros(len(cases), np.int64)
    for rank, case in enumerate(cases):
        place[numbers[case]] = rank
    ordered = sorted(found, key=lambda key: (key[0].startswith(HUMAN), key))
    return Labels(taxonomy, cases, tuple(_joined(found[key], place) for key in ordered))


def _labellings(table: pa.Table, taxonomy: Taxonomy, numbers: dict[str, int]) -> Iterator[Labelling]:
    """The labels of one table by judge and pass; `numbers` are those of the cases met so far."""
    kinds, names = coded(table["kind"])
    rows = table.filter(pa.array(kinds == names.index("label"))) if "label" in names else table.slice(0, 0)
    if not len(rows):
        return
    judges, judge_names = coded(rows["judge"])
    passes = pc.fill_null(rows["pass"], 1).to_numpy().astype(np.int64)
    cases, case_names = coded(rows["case_id"])
    known = np.array([numbers.setdefault(name, len(numbers)) for name in case_names], np.int64)
    states, sets = _read(rows, taxonomy)
    keys = _keys(rows)
    for judge, number in sorted(set(zip(judges.tolist(), passes.tolist(), strict=True))):
        own = np.flatnonzero((judges == judge) & (passes == number))
        yield Labelling(judge_names[judge], number, keys[own], known[cases[own]], states[own], sets[own], 0)


def _keys(rows: pa.Table) -> Keys:
    debates, debate_names = coded(rows["source_debate"])
    seats, seat_names = coded(rows["source_seat"])
    rounds = pc.fill_null(rows["source_round"], 0).to_numpy().astype(np.int64)
    return turn_keys(hashed(debate_names)[debates], rounds, hashed(seat_names)[seats])


def _read(rows: pa.Table, taxonomy: Taxonomy) -> tuple[States, Sets]:
    """The state and the set of each label."""
    status, names = coded(rows["status"])
    state_of = {**dict.fromkeys(READABLE, LABELLED), "unknown": UNKNOWN, "too_many": TOO_MANY}
    states = np.array([state_of.get(name, UNREADABLE) for name in names], np.int8)[status]
    given = rows["judged_labels"].combine_chunks()
    states[(states == LABELLED) & given.is_null().to_numpy(zero_copy_only=False)] = UNREADABLE
    owner = pc.list_parent_indices(given).to_numpy().astype(np.int64)
    known = pc.index_in(pc.list_flatten(given), value_set=pa.array(taxonomy.values, pa.string()))
    value = pc.fill_null(known, -1).to_numpy().astype(np.int64)
    claimed = states == LABELLED
    strange = np.unique(owner[value < 0])
    states[strange[claimed[strange]]] = UNKNOWN
    good = value >= 0
    sets = (
        pack(owner[good], value[good], len(rows), len(taxonomy)) if len(rows) else nothing(0, len(taxonomy))
    )
    states[(states == LABELLED) & (size(sets) > MOST)] = TOO_MANY
    sets[states != LABELLED] = 0
    return states, sets


def _joined(pieces: list[Labelling], place: Ints) -> Labelling:
    """One labelling of several by the same judge in the same pass."""
    turns = np.concatenate([one.turns for one in pieces])
    states = np.concatenate([one.states for one in pieces])
    sets = np.concatenate([one.sets for one in pieces])
    order = np.lexsort((*sets.T, states, turns))
    distinct, first = np.unique(turns[order], return_index=True)
    kept = order[first]
    return Labelling(
        judge=pieces[0].judge,
        number=pieces[0].number,
        turns=distinct,
        cases=place[np.concatenate([one.cases for one in pieces])[kept]],
        states=states[kept],
        sets=sets[kept],
        repeated=len(turns) - len(distinct),
    )
