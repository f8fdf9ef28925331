"""Turns of designed arms as a run has them."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pandas as pd

from analysis.causal.reading import READ
from analysis.model.reading import REASKED
from tests.analysis.counting import LETTERS


def debate(
    id: str,
    protocol: str,
    models: Sequence[str],
    *rounds: str,
    case: str = "a case",
    planted: str | None = None,
    confederates: Sequence[int] = (),
    stop: str = "never",
    order: Sequence[int] = (),
    **others: object,
) -> pd.DataFrame:
    """A debate from one word per round, a letter per seat of the panel, ? for unreadable.

    `confederates` are numbers of seats that hold the letter `planted`; `order` those of seats as they speak.
    """
    drawn = None if planted is None else LETTERS[planted]
    variant: dict[str, object] = {"rounds": len(rounds)}
    if planted is not None:
        variant = {"planted": {"seats": list(confederates), "verdict": "drawn"}, **variant, "stop": stop}
    speaking = list(order or range(1, len(models) + 1))
    count = len(models)
    same = {
        "debate_id": id, "case_id": case, "stage": "debate", "protocol": protocol, "panel": "+".join(models),
        "variant": json.dumps(variant), "order": "-".join(map(str, speaking)), "n_seats": count,
        "steering": "+".join(["default"] * count), "answer_format": "json", "repetition": 1, "planted": drawn,
        "opening": False,
    }  # fmt: skip
    said = [
        {
            **same,
            "round": number,
            "position": speaking.index(seat) + 1,
            "seat": f"seat{seat}",
            "model": models[seat - 1],
            "label": LETTERS.get(word[seat - 1]),
            "stance": drawn if seat in confederates else None,
            **others,
        }
        for number, word in enumerate(rounds, start=1)
        for seat in range(1, count + 1)
    ]
    return pd.DataFrame(said, columns=list(READ))


def again(id: str, models: Sequence[str], *rounds: str, case: str = "a case") -> pd.DataFrame:
    """Seats that are asked again and hear nobody."""
    return debate(id, REASKED, models, *rounds, case=case)


def failure(
    id: str, protocol: str, panel: str, planted: str | None = None, seats: Sequence[int] = ()
) -> dict[str, object]:
    """A debate that failed."""
    variant = json.dumps({"planted": {"seats": list(seats)}} if planted else {})
    return {"debate_id": id, "protocol": protocol, "variant": variant, "panel": panel, "planted": planted}
