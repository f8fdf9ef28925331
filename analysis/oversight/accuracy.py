"""How often judges find the right answer, and how often consultants have it from the start.

A judge that calls for neither agent, or that cannot be read, is wrong. What failed has no score. Questions
of which the truth is not known are left out, and counted as `unknown`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from analysis.estimates import Terms, estimated
from analysis.oversight.debated import ALONE
from analysis.oversight.options import NONE
from analysis.oversight.scores import scored
from analysis.oversight.study import BY, OF_JUDGE, Study
from analysis.tally import groups

EMPTY = "no judgment of a question with a known truth"
NO_OPENING = "no opening of such a question with a known truth"

ARGUED = ("its own answer", "the other's")
"""What a consultant argues for: its own opening, or with stances exchanged that of the other seat."""

AMONG = ("all", "disagreed", "one right")
"""All openings; those with two different answers; of these, those with one seat that is right."""


def estimate(study: Study, by: Sequence[str] = BY, pooled: bool = False) -> pd.DataFrame:
    """The share of instances that each judge decides rightly, in each condition.

    Keys: those of `by`, see `study.BY`; judge; sees, which is "nothing" for a naive judge; answers. Numerator
    and denominator are in instances, see `scores`; with `pooled` in judgments. `unreadable` and, after the
    usual columns, `neither` are judgments counted as wrong; `failed` are judgments and debates given up;
    `unknown` are judgments of questions without a known truth. Sorted by the keys.
    """
    keys = [*by, *OF_JUDGE]
    found = scored(study.known, keys, pooled)
    grid = groups(keys, study.judged).sort_values(keys, ignore_index=True)
    told = found.estimate(grid, found.rows["right"], [], study.lost(by), EMPTY)
    counts = {
        "neither": study.known[study.known["neither"]],
        "unknown": study.judged[study.judged["truth"] == NONE],
    }
    return told.assign(
        **{name: Terms(rows.assign(count=1), keys).total(grid) for name, rows in counts.items()}
    )


def consultancies(study: Study, by: Sequence[str] = BY) -> pd.DataFrame:
    """The same of consultancies, by who argues and for which answer.

    Keys: those of `by`; consultant, a seat; argues_for, of `ARGUED`; judge; sees; answers. Other columns are
    those of `estimate`.
    """
    own = replace(study, judged=_lone(study.judged), failed=_lone(study.failed))
    return estimate(own, [*by, "consultant", "argues_for"])


def _lone(rows: pd.DataFrame) -> pd.DataFrame:
    own = rows[(rows["protocol"] == ALONE)]
    swapped = own["stance_swap"].eq(True).to_numpy(bool)
    return own.assign(argues_for=pd.Categorical(np.where(swapped, ARGUED[1], ARGUED[0]), ARGUED))


def consultants(study: Study, by: Sequence[str] = ("protocol", "panel", "steering")) -> pd.DataFrame:
    """The share of openings that are right, by seat.

    Keys: those of `by`; model; seat; among, of `AMONG`. Among `one right` the shares of two seats sum to 1.
    An opening that cannot be read is wrong, and counted as `unreadable`. `failed` are debates of openings;
    `unknown`, the last column, are openings of questions without a known truth. Sorted by the keys.
    """
    said = _openings(study, by)
    known = said[said["truth"] != NONE]
    keys = [*by, "model", "seat", "among"]
    among = pd.DataFrame({"among": pd.Categorical(AMONG, AMONG)})
    grid = groups(keys[:-1], said).merge(among, how="cross").sort_values(keys, ignore_index=True)
    rows = _among(known)
    lost = study.failed[(study.failed["judge"] == "") & study.failed["protocol"].isin(said["protocol"])]
    told = estimated(
        grid,
        Terms(rows[rows["right"]], keys),
        Terms(rows, keys),
        Terms(rows[~rows["readable"]], keys),
        Terms(lost.assign(count=1), by),
        NO_OPENING,
    )
    return told.assign(unknown=Terms(said[said["truth"] == NONE], keys[:-1]).total(grid))


def _openings(study: Study, by: Sequence[str]) -> pd.DataFrame:
    """The first turns of debates of openings, each with `SEATS` of its debate."""
    own = study.openings[list(dict.fromkeys(["debate_id", "case_id", "truth", *by, "first", "second"]))]
    said = study.turns[study.turns["t"] == 0].merge(own, on="debate_id")
    return said.assign(right=(said["answer"] == said["truth"]) & (said["truth"] != NONE), count=1)


def _among(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows once for each of `AMONG` that they are among."""
    both = (rows["first"] != NONE) & (rows["second"] != NONE)
    apart = both & (rows["first"] != rows["second"])
    one = apart & ((rows["first"] == rows["truth"]) | (rows["second"] == rows["truth"]))
    flags = (np.ones(len(rows), bool), apart, one)
    parts: list[pd.DataFrame] = [
        rows[flag].assign(among=name) for name, flag in zip(AMONG, flags, strict=True)
    ]
    return pd.concat(parts)
