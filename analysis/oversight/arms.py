"""What is set against each other: one arm of a study is a protocol in one of its forms.

The usual arm of a protocol is its plain form: without transformers, in seats that are steered to nothing, all
parameters as they are unless an experiment says otherwise. Where a study has a protocol with other parameters
only, the plain form is the one that departs from these last, in the order of the protocol's own. It stands
for its protocol where protocols are compared, and all other arms of the protocol are ablations of it. A
protocol that a study has in no plain form is compared under the names of the forms that there are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from inspect import signature
from typing import Any

import pandas as pd

from analysis.courses import ORIGIN
from analysis.oversight.study import NAIVE
from protocols import PROTOCOLS as PLAYED

PROTOCOLS = ("consultancy", "double_consultancy", "debate", "disagreement_resolution")
"""The order in which protocols are set against each other: each against those before it. Others come between
the naive judge and these."""

NAIVE_ARM = "naive judge"
VANILLA = "vanilla"
"""The steering of seats that are told nothing, and what the usual arm is called among its ablations."""

UNSTEERED = (VANILLA, "default", "none", "")

TRANSFORMERS = ("best_of_n", "critiqued")
"""Parameters that put something around a protocol: no form with one of them is plain."""

BEGUN = "solo"
"""What debates of a study usually go on from."""


def usual(judged: pd.DataFrame) -> pd.DataFrame:
    """The judgments of what stands for each protocol, with the column `arm`: its name, or `NAIVE_ARM`."""
    naive = judged["sees"] == NAIVE
    told = _with_form(judged[~naive])
    plain = told["form"] == VANILLA
    alone = ~told["protocol"].isin(set(told.loc[plain, "protocol"]))
    arm = told["protocol"].where(plain, told["protocol"] + ", " + told["form"])
    of_protocols = told.assign(arm=arm)[plain | alone].drop(columns="form")
    return pd.concat([judged[naive].assign(arm=NAIVE_ARM), of_protocols], ignore_index=True)


def ablations(judged: pd.DataFrame) -> pd.DataFrame:
    """The judgments of transcripts, with the column `arm`: how it departs from the usual one, if it does."""
    return _with_form(judged[judged["sees"] != NAIVE]).rename(columns={"form": "arm"})


def rank(arm: str) -> tuple[int, str]:
    """Where an arm stands: the naive judge first, then others, then `PROTOCOLS` in their order."""
    protocol = arm.partition(", ")[0]
    return (PROTOCOLS.index(protocol) + 2 if protocol in PROTOCOLS else int(arm != NAIVE_ARM), arm)


def _with_form(seen: pd.DataFrame) -> pd.DataFrame:
    """Judgments with the column `form`: `VANILLA` for the plain one of their protocol, else what differs."""
    kinds = seen[["protocol", "variant", "steering"]].drop_duplicates()
    plain = {str(protocol): _plain(str(protocol), own) for protocol, own in kinds.groupby("protocol")}
    forms = [
        _departure(str(protocol), _parameters(variant), plain[protocol], steering)
        for protocol, variant, steering in kinds.itertuples(index=False, name=None)
    ]
    return seen.merge(kinds.assign(form=pd.Series(forms, kinds.index, dtype="str")), on=list(kinds))


def _plain(protocol: str, own: pd.DataFrame) -> Mapping[str, Any]:
    """The parameters of the plain form of a protocol; the usual ones where the study has none."""
    found = {
        variant: _parameters(variant)
        for variant, steering in zip(own["variant"], own["steering"], strict=True)
        if _unsteered(steering) and not set(TRANSFORMERS) & set(_parameters(variant))
    }
    return min(found.items(), key=lambda one: (_departures(protocol, one[1]), one[0]), default=("", {}))[1]


def _departures(protocol: str, own: Mapping[str, Any]) -> list[bool]:
    """Which parameters are not as they usually are, in the order of the protocol's own."""
    names = dict.fromkeys((ORIGIN, *defaults(protocol), *sorted(own)))
    return [_value(protocol, own, name) != _value(protocol, {}, name) for name in names]


@cache
def defaults(protocol: str) -> Mapping[str, Any]:
    """The parameters of a protocol as they are unless an experiment says otherwise; none where unknown."""
    known = signature(PLAYED[protocol]).parameters if protocol in PLAYED else {}
    return {name: one.default for name, one in known.items() if name not in ("case", "transcript")}


def _value(protocol: str, own: Mapping[str, Any], name: str) -> Any:
    """A parameter, or what it usually is."""
    return own.get(name, BEGUN if name == ORIGIN else defaults(protocol).get(name))


def _departure(protocol: str, own: Mapping[str, Any], plain: Mapping[str, Any], steering: str) -> str:
    names = [
        name
        for name in dict.fromkeys((*own, *plain))
        if _value(protocol, own, name) != _value(protocol, plain, name)
    ]
    seats = steering.split("+")
    steered = seats[0] if len(set(seats)) == 1 else " + ".join(seats)
    said = [_said(name, _value(protocol, own, name)) for name in names]
    return ", ".join([*said, *([] if _unsteered(steering) else [steered])]) or VANILLA


def _unsteered(steering: str) -> bool:
    return set(steering.split("+")) <= set(UNSTEERED)


def _parameters(variant: str) -> dict[str, Any]:
    own: dict[str, Any] = json.loads(variant or "{}")
    return own


def _said(name: str, value: Any) -> str:
    """A parameter in words: "history full", "best of n (n 4)", "after solo+debate"."""
    called = name.replace("_", " ")
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key.replace('_', ' ')} {one}" for key, one in value.items())
        return f"{called} ({inside})"
    return f"{called} {value}"
