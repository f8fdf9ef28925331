"""Verdicts at the beginning and at the end of debates, and what panels agree on.

A debate that goes on from another has its whole transcript here: round 1 is that of the debate it goes on
from, see `turns`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis import outcomes
from analysis.contrast import differences, pairs
from analysis.courses import UNREADABLE, Codes, Courses
from analysis.estimates import Terms, estimated
from analysis.measures import consensus
from analysis.measures.change import heard
from analysis.outcomes import Missing
from analysis.tally import CONDITION, groups

WHEN = ("round 1", "last round", "last readable")
"""A seat's verdict in round 1, in the debate's last round, and its last readable one of any round."""

EMPTY = "no readable verdict"
NO_CONSENSUS = "no debate with consensus"


def estimate(courses: Courses, by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """Shares of each verdict among the readable ones, by model, in each condition.

    Keys: those of `by`; model; when, one of `WHEN`; latest, the last round that any of these verdicts is
    from (1 for `last round` where nobody spoke after round 1); verdict. Every verdict has its row, also
    with count 0. Sorted by `by`, model, `WHEN`, verdict.
    """
    rows = pd.concat(given(courses, when) for when in WHEN)
    keys = [*by, "model", "when"]
    latest = rows.groupby(keys, observed=True)["round"].max().reset_index(name="latest")
    grid = latest.merge(pd.DataFrame({"verdict": courses.vocabulary}), how="cross")
    readable = rows[rows["verdict"].notna()]
    unreadable = Terms(rows[rows["verdict"].isna()], keys)
    failed = Terms(courses.failed, by)
    return estimated(
        grid, Terms(readable, [*keys, "verdict"]), Terms(readable, keys), unreadable, failed, EMPTY
    )


def shift(courses: Courses, after: str = "last round", by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """What became of the share of each verdict from round 1 to `after`, by model: a paired difference.

    Only seats with a readable verdict at both times count. Keys: those of `by`; model; verdict; value, which
    is `after`; against, which is "round 1". Where nobody hears anybody there is nothing to compare.
    """
    moves = before_and_after(courses, after)
    readable = moves[moves["before"].notna() & moves["then"].notna()]
    lost = moves.drop(readable.index)
    keys = [*by, "model"]
    rows = pd.concat(
        readable.assign(verdict=readable[column], when=pd.Categorical([when] * len(readable), WHEN))
        for column, when in (("before", WHEN[0]), ("then", after))
    )
    grid = pairs(rows, keys, "when", baselines=WHEN[:1])
    grid = grid.merge(pd.DataFrame({"verdict": courses.vocabulary}), how="cross")
    return differences(
        grid[[*keys, "verdict", "value", "against"]],
        "when",
        Terms(rows, [*keys, "when", "verdict"]),
        Terms(rows, [*keys, "when"]),
        Terms(lost, keys),
        Terms(courses.lost(heard=True), by),
    )


def agreed(courses: Courses, missing: Missing = "disagree", by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """What panels agreed on: shares of each verdict among the debates with consensus, in any round.

    Keys: those of `by`; verdict. Under `worst` a consensus of turns that could not be read is of no verdict
    and counts as unreadable, with the debates that have an unreadable turn.
    """
    rows = decided(courses, missing)
    conditions = groups(by, courses.panels, courses.lost()).sort_values(list(by))
    grid = conditions.merge(pd.DataFrame({"verdict": courses.vocabulary}), how="cross")
    return estimated(
        grid,
        Terms(rows, [*by, "verdict"]),
        Terms(rows, by),
        consensus.unreadable(courses, by),
        Terms(courses.lost(), by),
        NO_CONSENSUS,
    )


def decided(courses: Courses, missing: Missing = "disagree") -> pd.DataFrame:
    """The rows of debates with consensus, with its `verdict`."""
    rows = consensus.debates(courses, missing)
    codes = outcomes.consensus_verdict(courses.verdicts, missing)[rows["course"]]
    return rows.assign(verdict=named(courses, codes))[codes >= 0]


def given(courses: Courses, when: str) -> pd.DataFrame:
    """The slots with their `verdict` at one of `WHEN`, null where unreadable, and its `round`."""
    slots = courses.slots
    rounds = outcomes.rounds(courses.verdicts)
    whole = np.broadcast_to(rounds[:, None], outcomes.opening(courses.verdicts).shape)
    said, latest = {
        WHEN[0]: (outcomes.opening(courses.verdicts), np.ones_like(whole)),
        WHEN[1]: (outcomes.ending(courses.verdicts), whole),
        WHEN[2]: outcomes.last_readable(courses.verdicts),
    }[when]
    at = (slots["course"], slots["place"])
    codes, number = said[at], latest[at]
    rows = slots.assign(
        verdict=named(courses, codes), round=number, when=pd.Categorical([when] * len(slots), WHEN)
    )
    return rows[codes >= UNREADABLE]


def before_and_after(courses: Courses, after: str) -> pd.DataFrame:
    """The slots of debates in which seats hear each other, with their verdict of round 1 and that at `after`.

    Adds `before` and `then`, null where unreadable.
    """
    if after not in WHEN[1:]:
        raise ValueError(f"after is {after!r}; it may be {' or '.join(WHEN[1:])}")
    first, last = (given(courses, when)["verdict"] for when in (WHEN[0], after))
    slots = heard(courses)
    return slots.assign(before=first.reindex(slots.index), then=last.reindex(slots.index))


def named(courses: Courses, codes: Codes) -> pd.Categorical:
    """Codes as verdicts, null where unreadable."""
    return pd.Categorical.from_codes(np.maximum(codes, -1), pd.Index(courses.vocabulary, dtype="str"))
