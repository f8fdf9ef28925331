"""From the turns of debates to the rows of the likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.model.convention import DEFAULT, Convention
from analysis.model.rows import Flags, Floats, Ints, Rows
from protocols.answer_format import VERDICTS

COLUMNS = (
    *("debate_id", "case_id", "stage", "protocol", "round", "position", "seat", "model", "label"),
    "opening",
)
"""What is read of `turns`."""

Counts = NDArray[np.int16]

SEQUENTIAL = ("round_robin",)
"""Protocols in which a seat hears those who spoke earlier in the round, from round 1 on."""

IN_TURN_FROM = {**dict.fromkeys(SEQUENTIAL, 1), "hybrid": 2}
"""The round from which on a seat hears those who spoke earlier in it."""


class NothingToFit(ValueError):
    """Debates of which the model has nothing to say; the message says what they lack."""


class UnknownLabel(ValueError):
    """A turn has a label that is not among those the model is fitted to."""


@dataclass(frozen=True, slots=True)
class _Turns:
    """The turns as numbers, each an array of their length; `code` is -1 where unreadable."""

    debate: Ints
    slot: Ints
    round: Ints
    position: Ints
    code: Ints
    width: int

    @property
    def rounds(self) -> int:
        return int(self.round.max(initial=0)) + 1


def rows_of(turns: pd.DataFrame, convention: Convention = DEFAULT, labels: Sequence[str] = VERDICTS) -> Rows:
    """The rows of the likelihood of `turns`, which has the columns `COLUMNS` and all turns of each debate.

    A verdict said in the debate that another goes on from (`opening`) is history there and no row: it has
    its row in the first debate. `labels` are the verdicts, or answers, that may be given. Raises
    `UnknownLabel`, or `NothingToFit` where no row is left.
    """
    if turns.empty:
        raise NothingToFit("there is no finished debate of two seats or more in which seats hear each other")
    said, named = _numbered(turns, labels)
    first = turns["protocol"].astype("object").map(IN_TURN_FROM)
    x = _features(said, convention, (turns["round"] >= first).to_numpy(bool))
    kept = _kept(said, turns["opening"].eq(True).to_numpy(), convention)
    if not kept.any():
        raise NothingToFit("no turn has a readable label, so there is nothing to fit; look at their statuses")
    codes = {name: codes for name, (codes, _) in named.items()}
    names = {name: names for name, (_, names) in named.items()}
    rows = Rows(
        y=said.code,
        case=codes["case_id"],
        model=codes["model"],
        protocol=codes["protocol"],
        stage=codes["stage"],
        debate=said.debate,
        round=said.round,
        x=x,
        labels=tuple(labels),
        cases=names["case_id"],
        models=names["model"],
        protocols=names["protocol"],
        stages=names["stage"],
        convention=convention,
    )
    order = np.lexsort((rows.protocol, rows.model, rows.case))
    return rows.where(order[kept[order]])


NAMED = ("case_id", "model", "protocol", "stage")
"""The columns of which the rows keep the names."""


def _numbered(
    turns: pd.DataFrame, labels: Sequence[str]
) -> tuple[_Turns, dict[str, tuple[Ints, tuple[str, ...]]]]:
    """The turns as numbers, and for each of `NAMED` the numbers of its names and the sorted names."""
    label = turns["label"]
    code = pd.Index(labels).get_indexer(pd.Index(label)).astype(np.int64)
    strange = label[(code < 0) & label.notna()]
    if len(strange):
        raise UnknownLabel(
            f"a turn of debate {turns['debate_id'].loc[strange.index[0]]} has the label"
            f" {strange.iloc[0]!r}, expected one of {', '.join(labels)}; give the labels of these cases"
        )
    debate, seat = (pd.factorize(turns[name])[0].astype(np.int64) for name in ("debate_id", "seat"))
    slot = pd.factorize(debate * (seat.max(initial=0) + 1) + seat)[0].astype(np.int64)
    round, position = (turns[name].to_numpy(np.int64) for name in ("round", "position"))
    named: dict[str, tuple[Ints, tuple[str, ...]]] = {}
    for name in NAMED:
        codes, names = pd.factorize(turns[name])
        named[name] = np.argsort(np.argsort(names.astype(str)))[codes], tuple(sorted(map(str, names)))
    return _Turns(debate, slot, round, position, code, len(labels)), named


def _features(said: _Turns, convention: Convention, sequential: Flags) -> Floats:
    """3 by labels by turns: own, prev and within of every turn."""
    own = _counts(said, said.slot)
    everyone = _counts(said, said.debate)
    before = said.round - 1
    previous_own = own[said.slot, before]
    if convention.window == "cumulative":
        own, everyone = (one.cumsum(axis=1, dtype=np.int16) for one in (own, everyone))
    prev = everyone[said.debate, before]
    if convention.prev_of == "others":
        prev = prev - own[said.slot, before]
    within = _earlier_in_round(said) * sequential[:, None]
    scaled = (_shares(prev), _shares(within)) if convention.scale == "share" else (prev, within)
    x = [np.asarray(one.T, np.float64) for one in (previous_own, *scaled)]
    return np.stack(x)


def _counts(said: _Turns, group: Ints) -> Counts:
    """Groups by rounds by labels: how often each label was given; round 0, before all, has none."""
    shape = (int(group.max(initial=-1)) + 1, said.rounds, said.width)
    some = said.code >= 0
    at = np.ravel_multi_index((group[some], said.round[some], said.code[some]), shape)
    return np.bincount(at, minlength=int(np.prod(shape))).astype(np.int16).reshape(shape)


def _earlier_in_round(said: _Turns) -> Counts:
    """Turns by labels: how often each label was given by those who spoke earlier in the round."""
    shape = (int(said.debate.max(initial=-1)) + 1, said.rounds, int(said.position.max(initial=0)) + 1)
    counts = np.zeros((*shape, said.width), np.int16)
    some = said.code >= 0
    counts[said.debate[some], said.round[some], said.position[some], said.code[some]] = 1
    earlier: Counts = counts.cumsum(axis=2, dtype=np.int16)[said.debate, said.round, said.position - 1]
    return earlier


def _shares(counts: Counts) -> Floats:
    total = counts.sum(axis=-1, keepdims=True)
    shares: Floats = counts / np.maximum(total, 1)
    return shares


def _kept(said: _Turns, opening: Flags, convention: Convention) -> Flags:
    """Which turns are rows."""
    readable = said.code >= 0
    if convention.unreadable == "debate":
        spoilt = np.unique(said.debate[~readable])
        readable = ~np.isin(said.debate, spoilt)
    kept: Flags = readable & ~opening
    return kept
