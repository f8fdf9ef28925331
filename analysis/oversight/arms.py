"""What is set against each other: one arm of a study is a protocol with its parameters and steering.

The usual arm of a protocol is the one with the fewest departures from `USUAL` parameters and with the usual
steering in all seats; of several such the first by the alphabet. It stands for its protocol where protocols
are compared, and all other arms of the protocol are ablations of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.oversight.study import NAIVE

PROTOCOLS = ("consultancy", "double_consultancy", "debate", "disagreement_resolution")
"""The order in which protocols are set against each other: each against those before it. Others come between
the naive judge and these."""

NAIVE_ARM = "naive judge"
VANILLA = "vanilla"
"""The steering of seats that are told nothing, and what the usual arm is called among its ablations."""

UNSTEERED = (VANILLA, "default", "none", "")

USUAL: Mapping[str, Any] = {
    "history": "last",
    "form": "simultaneous",
    "first": "simultaneous",
    "words": 0,
    "consultant": 1,
}
TURNS: Mapping[str, int] = {**dict.fromkeys(PROTOCOLS, 3), "disagreement_resolution": 5}
"""Parameters as they are unless an experiment says otherwise: of all protocols, and the turns of each."""

ORIGIN = "after"
"""The parameter that tells what a debate goes on from, which is no choice of the protocol."""


def usual(judged: pd.DataFrame) -> pd.DataFrame:
    """The judgments of the usual arms, with the column `arm`: their protocol, or `NAIVE_ARM`."""
    chosen = {str(protocol): _usual(own) for protocol, own in judged.groupby("protocol")}
    own = judged["variant"].eq(judged["protocol"].map(chosen)) & _unsteered(judged)
    arm = judged["protocol"].where(judged["sees"] != NAIVE, NAIVE_ARM)
    return judged.assign(arm=arm)[own | (judged["sees"] == NAIVE)]


def ablations(judged: pd.DataFrame) -> pd.DataFrame:
    """The judgments of transcripts, with the column `arm`: how it departs from the usual one, if it does."""
    seen = judged[judged["sees"] != NAIVE]
    kinds = seen[["protocol", "variant", "steering"]].drop_duplicates()
    chosen = {str(protocol): _usual(own) for protocol, own in seen.groupby("protocol")}
    told = [
        _departure(json.loads(variant or "{}"), json.loads(chosen[protocol] or "{}"), steering)
        for protocol, variant, steering in kinds.itertuples(index=False, name=None)
    ]
    return seen.merge(kinds.assign(arm=pd.Series(told, kinds.index, dtype="str")), on=list(kinds))


def rank(arm: str) -> tuple[int, str]:
    """Where an arm stands: the naive judge first, then others, then `PROTOCOLS` in their order."""
    return (PROTOCOLS.index(arm) + 2 if arm in PROTOCOLS else int(arm != NAIVE_ARM), arm)


def _usual(own: pd.DataFrame) -> str:
    """The usual variant of a protocol, of those with the usual steering where there are any."""
    plain = own[_unsteered(own)]
    variants = sorted(set((plain if len(plain) else own)["variant"]))
    expected = {**USUAL, "turns": TURNS.get(str(own["protocol"].iloc[0]))}

    def departures(variant: str) -> int:
        told: dict[str, Any] = json.loads(variant or "{}")
        return sum(value != expected.get(name) for name, value in told.items() if name != ORIGIN)

    return str(min(variants, key=departures))


def _unsteered(rows: pd.DataFrame) -> pd.Series[bool]:
    kinds = {one: set(one.split("+")) <= set(UNSTEERED) for one in rows["steering"].unique()}
    return rows["steering"].map(kinds).astype(bool)


def _departure(variant: Mapping[str, Any], chosen: Mapping[str, Any], steering: str) -> str:
    names = [name for name in dict.fromkeys((*variant, *chosen)) if name != ORIGIN]
    said = [_said(name, variant.get(name)) for name in names if variant.get(name) != chosen.get(name)]
    seats = steering.split("+")
    steered = (
        [] if set(seats) <= set(UNSTEERED) else [seats[0] if len(set(seats)) == 1 else " + ".join(seats)]
    )
    return ", ".join([*said, *steered]) or VANILLA


def _said(name: str, value: Any) -> str:
    """A parameter in words: "history full", "best of n (n 4)", "without best of n"."""
    called = name.replace("_", " ")
    if value is None:
        return f"without {called}"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key.replace('_', ' ')} {one}" for key, one in value.items())
        return f"{called} ({inside})"
    return f"{called} {value}"
