"""The repetitions of runs: the debates of each, and whether they are of one design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from analysis.naming import label
from analysis.tally import CONDITION

MOST = 3
"""Things of a kind that a message names."""


class CannotReplicate(ValueError):
    """Runs that cannot be taken for repetitions of one design; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """One play of a whole design: its name, and the turns of its debates.

    `planned` are the debates that ended, finished or failed, each as its condition and its case.
    """

    name: str
    turns: pd.DataFrame
    planned: frozenset[tuple[str, ...]]

    @property
    def conditions(self) -> frozenset[tuple[str, ...]]:
        """The conditions of its debates."""
        return frozenset(one[:-1] for one in self.planned)

    @property
    def cases(self) -> frozenset[str]:
        """The cases of its debates."""
        return frozenset(one[-1] for one in self.planned)

    @property
    def models(self) -> frozenset[str]:
        """The models that sit in its debates."""
        panel = CONDITION.index("panel")
        return frozenset(model for one in self.conditions for model in one[panel].split("+"))


def repetitions(runs: Mapping[str, tuple[pd.DataFrame, pd.DataFrame]]) -> list[Repetition]:
    """The repetitions of runs, in the order of runs and numbers.

    A run, by its name, is the turns of its debates (see `reading.read_debates`) and its failed debates: both
    with the columns of `CONDITION`, case_id and repetition. Raises `CannotReplicate` where there are fewer
    than two, or where they are of unlike designs.
    """
    found = [
        one for run, (turns, failed) in runs.items() for one in _of_run(run, turns, failed, len(runs) > 1)
    ]
    if len(found) < 2:
        raise CannotReplicate(
            f"found {len(found) or 'no'} repetition, expected two or more: give the experiment repetitions: 5"
            " and go on with the run, or name further runs of the same design"
        )
    reasons = [reason for other in found[1:] for reason in unlike(found[0], other)]
    if reasons:
        raise CannotReplicate("the repetitions are not of one design: " + "; ".join(reasons[: 2 * MOST]))
    return found


def _of_run(run: str, turns: pd.DataFrame, failed: pd.DataFrame, several: bool) -> Iterator[Repetition]:
    for number in sorted(set(turns["repetition"]) | set(failed["repetition"])):
        own = turns[turns["repetition"] == number].reset_index(drop=True)
        lost = failed[failed["repetition"] == number]
        planned = pd.concat([one[[*CONDITION, "case_id"]].astype("str") for one in (own, lost)])
        rows = planned.drop_duplicates().itertuples(index=False, name=None)
        yield Repetition(f"{run} {number}" if several else str(number), own, frozenset(rows))


def unlike(one: Repetition, other: Repetition) -> Iterator[str]:
    """How the designs of two repetitions differ: in models, else conditions, else cases, else debates."""
    for name, had, has in (
        ("model", one.models, other.models),
        ("condition", _words(one.conditions), _words(other.conditions)),
        ("case", one.cases, other.cases),
    ):
        if had != has:
            sides = ((one.name, had - has), (other.name, has - had))
            said = [f"{_named(name, alone)} only in {place}" for place, alone in sides if alone]
            yield " and ".join(said)
            return
    alone = [
        (side.name, len(side.planned - against.planned)) for side, against in ((one, other), (other, one))
    ]
    if any(count for _, count in alone):
        said = [f"{count:,} debates are only in {place}" for place, count in alone if count]
        yield " and ".join(said) + "; play what is unfinished first"


def same_verdicts(found: Sequence[Repetition]) -> Iterator[tuple[str, str]]:
    """The names of repetitions that gave the same verdicts in every turn."""
    seen: dict[int, str] = {}
    keys = [*CONDITION, "case_id", "round", "position"]
    for one in found:
        told = one.turns[[*keys, "label"]].astype("str").sort_values(keys)
        told_hash = int(pd.util.hash_pandas_object(told, index=False).to_numpy().view("int64").sum())
        if told_hash in seen:
            yield seen[told_hash], one.name
        seen.setdefault(told_hash, one.name)


def _words(conditions: frozenset[tuple[str, ...]]) -> frozenset[str]:
    return frozenset(label(dict(zip(CONDITION, one, strict=True))) for one in conditions)


def _named(name: str, alone: frozenset[str]) -> str:
    some = ", ".join(sorted(alone)[:MOST])
    more = f" and {len(alone) - MOST:,} more" if len(alone) > MOST else ""
    return f"{name}{'s' * (len(alone) > 1)} {some}{more}"
