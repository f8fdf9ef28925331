"""The arms as rows of Eq. 2, for its own estimators: what log-odds the same model finds in them."""

from __future__ import annotations

import numpy as np

from analysis.causal.arms import NONE, Planted, ReAsked
from analysis.model.convention import DEFAULT
from analysis.model.rows import TERMS, Floats, Ints, Rows


def reasked_rows(arm: ReAsked) -> Rows:
    """A row for each readable verdict; its history is the seat's own last one, where that is readable."""
    before = np.concatenate([np.full((len(arm.said), 1), NONE), arm.said[:, :-1]], axis=1)
    row, place = np.nonzero(arm.said != NONE)
    x = np.zeros((len(TERMS), len(arm.labels), len(row)))
    x[0] = _one_hot(before[row, place], len(arm.labels))
    return _rows(arm, arm.said[row, place], row, (row, place), x, "reask")


def planted_rows(arm: Planted) -> Rows:
    """A row for each readable verdict: its history is the planted label, and the seat's own last verdict.

    That was given before the planted one was heard, so it cannot depend on it.
    """
    row = np.flatnonzero(arm.readable)
    heard = _one_hot(arm.planted[row], len(arm.labels)) * arm.heard[row]
    within = arm.within[row]
    x = np.stack([_one_hot(arm.before[row], len(arm.labels)), heard * ~within, heard * within])
    return _rows(arm, arm.said[row], row, (arm.draw[row], np.where(within, 0, 1)), x, "planted")


def _rows(
    arm: ReAsked | Planted, y: Ints, row: Ints, at: tuple[Ints, Ints], x: Floats, protocol: str
) -> Rows:
    debate, place = at
    rows = Rows(
        y=y,
        case=arm.case[row],
        model=arm.model[row],
        protocol=np.zeros(len(row), np.int64),
        stage=np.zeros(len(row), np.int64),
        debate=debate,
        round=place + 1,
        x=x,
        labels=arm.labels,
        cases=arm.cases,
        models=arm.models,
        protocols=(protocol,),
        stages=("debate",),
        convention=DEFAULT,
    )
    return rows.where(np.lexsort((rows.model, rows.case)))


def _one_hot(codes: Ints, width: int) -> Floats:
    """Labels by rows: 1 at the code, nowhere for `NONE`."""
    hot: Floats = (codes == np.arange(width)[:, None]).astype(np.float64)
    return hot
