"""What is to be kept in mind in the sections on verdicts."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pandas as pd

from analysis.courses import ORIGIN
from analysis.report.units import listed
from protocols.sections import OPENED

HEARD = (
    "In round 1 of round-robin every speaker but the first has already heard a verdict: agreement there is"
    " partly answer to what was heard, and cannot be set against round 1 of synchronous or solo answers as if"
    " it were independent."
)

ALONE = (
    "Solo answers come from another prompt: it has no goals (but a value, where one is given) and no word of"
    " a debate. What debates differ in from solo answers is due to that as well as to debating."
)

BEGUN = (
    "Debates that go on from others are not set against solo answers here: they begin with such answers, and"
    " a stage may go on with some of them only because of these."
)

STANCES = (
    "Debates in which seats argue for a stance that they are given have no verdicts of their own and are not"
    " here. In a disagreement resolution the answer of a seat stands until it gives another that is readable"
    " and was held by either: by the answers that stand there is consensus."
)

FILTERED = ("Agreement", "Change of verdict", "Verdicts")
"""The sections in which stages stand beside each other."""


def cautions(title: str, rows: pd.DataFrame, kept: Mapping[str, str]) -> list[str]:
    """What is to be kept in mind in a section."""
    heard = [HEARD] if "round_robin" in set(rows["protocol"]) else []
    later = [one for one in set(rows["variant"]) if ORIGIN in json.loads(one or "{}")]
    argued = [STANCES] if set(rows["protocol"]) & set(OPENED) else []
    if title == "Without debate":
        return [ALONE, *[BEGUN] * bool(later), *heard]
    chosen = [_chosen(*one) for one in kept.items() if one[0] in set(rows["stage"])]
    if title == "Agreement":
        return [*never(rows), *heard, *argued, *chosen]
    return chosen if title in FILTERED else []


def never(rows: pd.DataFrame) -> list[str]:
    """Within how many rounds "never" is, by the parameters of the protocols."""
    long = sorted({json.loads(one).get("rounds") for one in set(rows["variant"])} - {None})
    return [f"Never: not within the {listed([str(one) for one in long])} rounds of a debate."] if long else []


def _chosen(stage: str, rule: str) -> str:
    """That a stage has chosen its debates by how those before them ended."""
    return (
        f"Stage {stage} goes on only with debates that ended with {rule.replace('_', ' ')}. Its figures are"
        " of these, its round 1 is theirs, and how it differs there from other stages is due to that rule:"
        " they cannot be set against each other."
    )
