"""Pairs of verdicts on one case that differ: what each says about the parameters, whatever phi is.

Verdict i gave a and verdict j gave b. Given that these two labels were given, that it was so and not the
other way round has the logit eta_i[a] - eta_i[b] - eta_j[a] + eta_j[b], from which phi cancels. The two are
of different debates, so neither is in the other's history; and each pair counts once, for weights that depend
on how a debate went would bias.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.model.design import Design
from analysis.model.rows import Flags, Floats, Ints, Rows

AT_ONCE = 10_000
"""Pairs worked on at once, so that memory stays bounded."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """`first` and `second` are the rows of each pair; `start` says where the pairs of each case begin."""

    first: Ints
    second: Ints
    start: Ints

    def __len__(self) -> int:
        return len(self.first)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Where blocks of whole cases begin and end, as numbers of cases."""
        begin, cases = 0, len(self.start) - 1
        while begin < cases:
            limit = self.start[begin] + AT_ONCE
            end = max(int(np.searchsorted(self.start, limit, side="right")) - 1, begin + 1)
            yield begin, end
            begin = end


def pairs(rows: Rows, same_model: bool) -> Pairs:
    """All pairs of verdicts on a case that differ, of different debates of one stage.

    With `same_model`, only those of one model. A debate of a later stage may go on from one of an earlier
    stage, so verdicts of two stages make no pair. Nor do verdicts of which a model never gives the other's.
    """
    bounds = np.searchsorted(rows.case, np.arange(len(rows.cases) + 1))
    used = np.zeros((len(rows.models), len(rows.labels)), bool)
    used[rows.model, rows.y] = True
    found = [_of_case(rows, used, begin, end, same_model) for begin, end in itertools.pairwise(bounds)]
    counts = [part.shape[1] for part in found]
    both = np.concatenate(found, axis=1)
    return Pairs(both[0], both[1], np.append(0, np.cumsum(counts)))


def _of_case(rows: Rows, used: Flags, begin: int, end: int, same_model: bool) -> Ints:
    """2 by pairs: those of the rows from `begin` to `end`."""
    y, model = rows.y[begin:end], rows.model[begin:end]
    allowed = used[model][:, y]
    good = (y[:, None] != y) & allowed & allowed.T
    debate, stage = rows.debate[begin:end], rows.stage[begin:end]
    good &= (debate[:, None] != debate) & (stage[:, None] == stage)
    if same_model:
        good &= model[:, None] == model
    return begin + np.stack(np.nonzero(np.triu(good)))


def contrasts(design: Design, first: Ints, second: Ints) -> Floats:
    """Pairs by P: how the logit of each pair depends on the parameters."""
    rows = design.rows
    a, b = rows.y[first], rows.y[second]
    at, width = np.arange(len(first)), len(rows.labels)
    z = np.zeros((len(first), design.n_parameters))
    for row, sign in ((first, 1.0), (second, -1.0)):
        theta = rows.model[row] * width
        z[at, theta + a] += sign
        z[at, theta + b] -= sign
        for place, term in enumerate(design.terms):
            column = design.n_theta + place * len(design.groups) + design.row_group[row]
            z[at, column] += sign * (rows.x[term, a, row] - rows.x[term, b, row])
    return z
