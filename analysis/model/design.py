"""Which parameters a fit has, and the cells of rows that share them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.model.rows import TERMS, Flags, Floats, Ints, Rows

Factor = Literal["model", "protocol"]

GROUPED_BY: dict[tuple[Factor, ...], str] = {
    ("model",): "one for each model",
    ("model", "protocol"): "one for each model and protocol",
}
"""What slopes may be told apart by."""


@dataclass(frozen=True, slots=True)
class Design:
    """The structure of a fit to `rows`: M models, V labels, D cases, T terms, G groups of slopes.

    The parameters are theta, M by V, then the slopes, T by G, in one vector of length P = M V + T G. A case
    has an effect phi on `levels` times V places: one for all models, or one for each.

    A cell is what one model was asked on one case (under one protocol, where slopes are told apart by it);
    `case`, `model` and `group` say for each of the C cells what it shares, `row_group` (n) the group of each
    row. `choices`, C by V, says which labels a cell may give; `totals`, C by V + T, how often each label was
    given in it, and how much of each x was in what was given.

    Rows of a cell with the same history are one of U patterns: `x`, T by V by U, is the history; `given`, V
    by U, how often each label was given; `start`, C, where the patterns of each cell begin; `pattern`, n,
    the pattern of each row.
    """

    rows: Rows
    terms: tuple[int, ...]
    groups: tuple[str, ...]
    levels: int
    case: Ints
    model: Ints
    group: Ints
    row_group: Ints
    start: Ints
    pattern: Ints
    x: Floats
    given: Floats
    choices: Flags
    totals: Floats

    @property
    def level(self) -> Ints:
        """The level of phi of each cell."""
        return self.model if self.levels > 1 else np.zeros_like(self.model)

    @property
    def size(self) -> Ints:
        """The number of patterns of each cell."""
        return np.diff(np.append(self.start, self.given.shape[1]))

    @property
    def n_theta(self) -> int:
        """How many of the parameters are theta."""
        return len(self.rows.models) * len(self.rows.labels)

    @property
    def n_parameters(self) -> int:
        """P."""
        return self.n_theta + len(self.terms) * len(self.groups)

    def names(self) -> list[str]:
        """The P names: "theta[gpt, YTA]", "alpha[gpt]"."""
        thetas = [f"theta[{model}, {label}]" for model in self.rows.models for label in self.rows.labels]
        return thetas + [f"{TERMS[term]}[{group}]" for term in self.terms for group in self.groups]

    def columns(self) -> Ints:
        """C by V + T: which parameters the cells have, their theta first."""
        labels, terms = len(self.rows.labels), np.arange(len(self.terms))
        theta = self.model[:, None] * labels + np.arange(labels)
        slopes = self.n_theta + terms * len(self.groups) + self.group[:, None]
        return np.concatenate([theta, slopes], axis=1)


def design(
    rows: Rows,
    terms: Sequence[str] = TERMS,
    slope_by: tuple[Factor, ...] = ("model",),
    levels: Literal["case", "case and model"] = "case",
) -> Design:
    """The design of a fit: slopes for `terms`, told apart by `slope_by`.

    A label that a model never gives is none of its choices: that is the limit of the maximum likelihood,
    where its theta runs off to minus infinity. Raises `ValueError` for an unknown term.
    """
    strange = [term for term in terms if term not in TERMS]
    if strange:
        raise ValueError(f"Eq. 2 has no term {strange[0]!r}; it has {', '.join(TERMS)}")
    kept = tuple(TERMS.index(term) for term in terms)
    row_group, groups = _groups(rows, slope_by)
    return _assembled(rows, kept, row_group, groups, len(rows.models) if levels == "case and model" else 1)


def part(whole: Design, kept: Flags) -> Design:
    """The design of some of the rows, with all the parameters of the whole."""
    return _assembled(whole.rows.where(kept), whole.terms, whole.row_group[kept], whole.groups, whole.levels)


def _assembled(
    rows: Rows, terms: tuple[int, ...], row_group: Ints, groups: tuple[str, ...], levels: int
) -> Design:
    """The design of these rows: its cells and patterns."""
    used = np.zeros((len(rows.models), len(rows.labels)), bool)
    used[rows.model, rows.y] = True
    kept = list(terms)
    key = np.concatenate([np.stack([rows.case, rows.model, row_group]), rows.x[kept].reshape(-1, len(rows))])
    order = np.lexsort(key[::-1])
    changes = key[:, order[1:]] != key[:, order[:-1]]
    first = np.append(True, changes.any(axis=0))
    pattern = np.empty(len(rows), np.int64)
    pattern[order] = np.cumsum(first) - 1
    start = np.flatnonzero(np.append(True, changes[:3].any(axis=0))[first])
    of_cell = order[first][start]
    x = np.ascontiguousarray(rows.x[kept][..., order[first]])
    given = np.zeros((len(rows.labels), x.shape[2]))
    np.add.at(given, (rows.y, pattern), 1.0)
    totals = np.add.reduceat(np.concatenate([given, (x * given).sum(axis=1)]), start, axis=1).T
    return Design(
        rows=rows,
        terms=terms,
        groups=groups,
        levels=levels,
        case=rows.case[of_cell],
        model=rows.model[of_cell],
        group=row_group[of_cell],
        row_group=row_group,
        start=start,
        pattern=pattern,
        x=x,
        given=given,
        choices=used[rows.model[of_cell]],
        totals=totals,
    )


def _groups(rows: Rows, slope_by: tuple[Factor, ...]) -> tuple[Ints, tuple[str, ...]]:
    """The group of slopes of each row, and the names of the groups."""
    by_protocol = "protocol" in slope_by
    told = np.stack([rows.model, rows.protocol * by_protocol])
    distinct, group = np.unique(told, axis=1, return_inverse=True)
    words = [rows.models[m] + f", {rows.protocols[p]}" * by_protocol for m, p in distinct.T]
    return group.reshape(-1), tuple(words)
