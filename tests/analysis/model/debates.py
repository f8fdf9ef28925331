"""Hand-made and simulated debates as tables of turns."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.model.features import COLUMNS
from analysis.model.plan import Condition, full_design, plan
from analysis.model.rows import Rows
from analysis.model.simulate import turns_of
from analysis.model.truth import PAPER_TRUTH, Truth
from tests.analysis.counting import LETTERS


def debate(
    id: str,
    protocol: str,
    models: Sequence[str],
    *rounds: str,
    case: str = "a case",
    opening: int = 0,
    stage: str = "debate",
) -> pd.DataFrame:
    """A debate from one word per round, a letter per seat in speaking order, ? for unreadable.

    Its first `opening` rounds were said in the debate that it goes on from.
    """
    said = [
        (id, case, stage, protocol, r, i, f"seat {i}", model, LETTERS.get(letter), r <= opening)
        for r, word in enumerate(rounds, start=1)
        for i, (model, letter) in enumerate(zip(models, word, strict=True), start=1)
    ]
    return pd.DataFrame(said, columns=list(COLUMNS))


def simulated(
    cases: int, seed: int = 1, truth: Truth = PAPER_TRUTH, conditions: list[Condition] | None = None
) -> pd.DataFrame:
    """The turns of the full design, or of other conditions, drawn from `truth`."""
    drawn = plan(conditions or full_design(truth.models), cases)
    return turns_of(drawn, truth.draw(drawn, seed))


def told(rows: Rows) -> list[tuple[str, int, str, str, str, str]]:
    """Each row in words: model, round, label, then own, prev and within as "NTA 1 YTA 0.5"."""

    def words(x: Sequence[float]) -> str:
        return " ".join(f"{label} {value:g}" for label, value in zip(rows.labels, x, strict=True) if value)

    found = [
        (
            rows.models[rows.model[i]],
            int(rows.round[i]),
            rows.labels[rows.y[i]],
            words(rows.x[0, :, i]),
            words(rows.x[1, :, i]),
            words(rows.x[2, :, i]),
        )
        for i in range(len(rows))
    ]
    return sorted(found, key=lambda row: (row[1], row[0]))
