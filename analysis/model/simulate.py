"""Debates drawn from Eq. 2 under the rules of the protocols: all debates at once, turn by turn."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.model.convention import DEFAULT, Convention
from analysis.model.plan import Plan
from analysis.model.rows import Flags, Floats, Ints
from protocols.answer_format import VERDICTS

Verdicts = NDArray[np.int8]
"""B debates by rounds by K seats: the place of each label given, -1 where there is no turn."""


def play(
    plan: Plan, intercept: Floats, slopes: Floats, chance: Floats, convention: Convention = DEFAULT
) -> Verdicts:
    """The verdicts of every debate of `plan`, each ended as its condition says.

    `intercept`, B by K by labels, is theta + phi (and whatever else leans); `slopes`, 3 by B by K, those of
    `TERMS`; `chance`, B by rounds by K, a number from 0 to 1 for each turn: the label in whose part it falls
    is given. Histories are counted as `convention` says.
    """
    debates, seats, width = intercept.shape
    verdicts = np.full((debates, plan.rounds, seats), -1, np.int8)
    counts = np.zeros((debates, seats, width))
    going = np.ones(debates, dtype=bool)
    for round in range(plan.rounds):
        going &= plan.limit > round
        told, in_turn = counts.sum(axis=1), plan.in_turn(round + 1)
        within = np.zeros((debates, width))
        for seat in range(seats):
            at = np.flatnonzero(going & (plan.model[:, seat] >= 0))
            own = _one_hot(verdicts[at, round - 1, seat], width) if round else np.zeros((len(at), width))
            others = told[at] - counts[at, seat] * (convention.prev_of == "others")
            x = np.stack([own, _scaled(others, convention), _scaled(within[at], convention)])
            eta = intercept[at, seat] + (slopes[:, at, seat, None] * x).sum(axis=0)
            verdicts[at, round, seat] = said = _drawn(eta, chance[at, round, seat])
            within[at] += _one_hot(said, width) * in_turn[at, None]
        said_now = _one_hot(verdicts[:, round], width)
        counts = counts + said_now if convention.window == "cumulative" else said_now
        going &= ~(agreed(verdicts[:, round], plan.seats) & plan.stops)
    return verdicts


def chances(plan: Plan, dice: np.random.Generator) -> Floats:
    """A number from 0 to 1 for each turn that a debate of `plan` may have: B by rounds by K."""
    drawn: Floats = dice.random((len(plan.case), plan.rounds, plan.model.shape[1]))
    return drawn


def agreed(said: Verdicts, seats: Ints) -> Flags:
    """Whether all `seats` of each debate gave one and the same label in a round; `said` is B by K."""
    last = said.max(axis=1)
    same: Flags = (last >= 0) & ((said == last[:, None]).sum(axis=1) == seats)
    return same


def turns_of(plan: Plan, verdicts: Verdicts, labels: tuple[str, ...] = VERDICTS) -> pd.DataFrame:
    """The debates as a table of turns with the columns that `features.rows_of` reads."""
    debate, round, seat = np.nonzero(verdicts >= 0)

    def named(codes: NDArray[np.integer], names: tuple[str, ...]) -> pd.Categorical[str]:
        return pd.Categorical.from_codes(codes, pd.Index(names))

    return pd.DataFrame(
        {
            "debate_id": debate,
            "case_id": named(plan.case[debate], plan.cases),
            "stage": named(np.zeros_like(debate), ("debate",)),
            "protocol": named(plan.protocol[debate], plan.protocols),
            "round": round + 1,
            "position": seat + 1,
            "seat": seat,
            "model": named(plan.model[debate, seat], plan.models),
            "label": named(verdicts[debate, round, seat], labels),
            "opening": False,
        }
    )


def _one_hot(codes: NDArray[np.integer], width: int) -> Floats:
    """The codes with one more axis of `width`: 1 at the code, and nowhere for -1."""
    hot: Floats = (codes[..., None] == np.arange(width)).astype(np.float64)
    return hot


def _scaled(counts: Floats, convention: Convention) -> Floats:
    if convention.scale == "count":
        return counts
    scaled: Floats = counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)
    return scaled


def _drawn(eta: Floats, chance: Floats) -> Verdicts:
    """A label for each row of `eta`, rows by labels."""
    odds = np.exp(eta - eta.max(axis=1, keepdims=True)).cumsum(axis=1)
    drawn: Verdicts = (odds[:, :-1] <= chance[:, None] * odds[:, -1:]).sum(axis=1).astype(np.int8)
    return drawn
