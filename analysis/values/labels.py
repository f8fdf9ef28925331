"""Labels read back: which values of a taxonomy a judge found in which turn, as bits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from analysis.readings import READABLE
from analysis.values.codes import Keys, coded, hashed, turn_keys
from analysis.values.sets import MOST, Ints, Sets, nothing, pack, size
from analysis.values.taxonomy import Taxonomy

COLUMNS = (
    *("stage", "case_id", "kind", "judge", "pass", "source_debate", "source_round", "source_seat"),
    *("judged_labels", "status"),
)
"""What is read of `judgments`. The stage is the name of the labels: a folder's, or that of a stage."""

STATES = ("labelled", "unreadable", "unknown", "too many")
"""How a label was read: a set of values, perhaps empty; nothing; a value not in the list; more than five."""

LABELLED, UNREADABLE, UNKNOWN, TOO_MANY = range(4)

HUMAN = "human:"
"""What stands before the name of a person who judges."""

States = npt.NDArray[np.int8]

Source: TypeAlias = tuple[str, str, int]
"""Where labels are from: their judge, their name and their pass."""


@dataclass(frozen=True, slots=True)
class Labelling:
    """The labels that one judge gave under one name in one pass, a row each, sorted by the key of the turn.

    Labels under different names are different labellings, also by one judge: `place` is the name, and
    `called` the judge, followed by the name in brackets where there are labels by it under several. `cases`
    are places in the cases of the `Labels` it belongs to; `states` are places in `STATES`; a set is empty
    unless its state is labelled. A turn comes once: one with several labels under one name is left out,
    for nothing tells which of them holds, and `repeated` says how many turns that are.
    """

    judge: str
    place: str
    number: int
    called: str
    turns: Keys
    cases: Ints
    states: States
    sets: Sets
    repeated: int = 0

    @property
    def name(self) -> str:
        """The judge and its pass in words."""
        return f"{self.called}, pass {self.number}"

    @property
    def human(self) -> bool:
        """Whether the judge is a person."""
        return self.judge.startswith(HUMAN)


@dataclass(frozen=True, slots=True)
class Labels:
    """All labels of one taxonomy: a labelling for every judge, name and pass, those of people last."""

    taxonomy: Taxonomy
    cases: tuple[str, ...]
    labellings: tuple[Labelling, ...]


def gather(tables: Iterable[pa.Table], taxonomy: Taxonomy) -> Labels:
    """The labels in tables of judgments, with `COLUMNS`; rows of other kinds are none."""
    numbers: dict[str, int] = {}
    found: dict[Source, list[Labelling]] = {}
    for table in tables:
        for one in _labellings(table, taxonomy, numbers):
            found.setdefault((one.judge, one.place, one.number), []).append(one)
    cases = tuple(sorted(numbers))
    place = np.zeros(len(cases), np.int64)
    for rank, case in enumerate(cases):
        place[numbers[case]] = rank
    ordered = sorted(found, key=lambda source: (source[0].startswith(HUMAN), source))
    called = _called(ordered)
    return Labels(taxonomy, cases, tuple(_joined(found[own], called[own], place) for own in ordered))


def _called(sources: Collection[Source]) -> dict[Source, str]:
    """How the judge of each is called: with the name of its labels where it has labels under several."""
    several = Counter(judge for judge, _ in {(judge, place) for judge, place, _ in sources})
    return {
        (judge, place, number): f"{judge} ({place})" if several[judge] > 1 else judge
        for judge, place, number in sources
    }


def _labellings(table: pa.Table, taxonomy: Taxonomy, numbers: dict[str, int]) -> Iterator[Labelling]:
    """The labels of one table by judge, name and pass; `numbers` are those of the cases met so far."""
    kinds, names = coded(table["kind"])
    rows = table.filter(pa.array(kinds == names.index("label"))) if "label" in names else table.slice(0, 0)
    if not len(rows):
        return
    (judges, judge_names), (places, place_names) = coded(rows["judge"]), coded(rows["stage"])
    passes = pc.fill_null(rows["pass"], 1).to_numpy().astype(np.int64)
    cases, case_names = coded(rows["case_id"])
    known = np.array([numbers.setdefault(name, len(numbers)) for name in case_names], np.int64)
    states, sets = _read(rows, taxonomy)
    keys = _keys(rows)
    for source in np.unique(np.stack([judges, places, passes], axis=1), axis=0).tolist():
        judge, place, number = source
        own = np.flatnonzero((judges == judge) & (places == place) & (passes == number))
        whose = judge_names[judge], place_names[place], number, judge_names[judge]
        yield Labelling(*whose, keys[own], known[cases[own]], states[own], sets[own])


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


def _joined(pieces: Sequence[Labelling], called: str, place: Ints) -> Labelling:
    """One labelling of the pieces of it that several tables have."""
    turns = np.concatenate([one.turns for one in pieces])
    distinct, first, times = np.unique(turns, return_index=True, return_counts=True)
    kept = first[times == 1]
    return replace(
        pieces[0],
        called=called,
        turns=turns[kept],
        cases=place[np.concatenate([one.cases for one in pieces])[kept]],
        states=np.concatenate([one.states for one in pieces])[kept],
        sets=np.concatenate([one.sets for one in pieces])[kept],
        repeated=len(distinct) - len(kept),
    )
