"""Runs with a debate arm and both designed arms, drawn from agents with a leaning of each debate."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.causal.reading import READ
from analysis.causal.simulate import draw
from analysis.model.truth import PAPER_TRUTH
from protocols.answer_format import VERDICTS
from tests.analysis.replication.runs import played, write_run

MODELS = PAPER_TRUTH.models


def arm_turns(cases: int, repetitions: int = 3, askings: int = 6, seed: int = 1) -> pd.DataFrame:
    """The turns of both arms: each model asked again, and each after a confederate in round-robin."""
    phi = np.random.default_rng(seed).normal(0, PAPER_TRUTH.case_sd, (cases, len(VERDICTS)))
    arms = draw(PAPER_TRUTH, phi, repetitions, askings, True, seed)
    again, drawn = arms.reasked, arms.planted
    rows = []
    for number, said in enumerate(again.said):
        case, model = again.cases[again.case[number]], MODELS[again.model[number]]
        for place, code in enumerate(said):
            seated = (case, model, 1, 1, place + 1, VERDICTS[code], None, None)
            rows.append(_turn(f"aa{number:014x}", "reask", "{}", *seated))
    variant = json.dumps({"planted": {"seats": [1], "verdict": "drawn"}, "rounds": 1, "stop": "never"})
    for number, code in enumerate(drawn.said):
        label, case = VERDICTS[drawn.planted[number]], drawn.cases[drawn.case[number]]
        for seat, said, stance in ((1, label, label), (2, VERDICTS[code], None)):
            model = MODELS[drawn.model[number]]
            rows.append(
                _turn(
                    f"bb{number:014x}", "round_robin", variant, case, model, seat, 2, 1, said, label, stance
                )
            )
    return pd.DataFrame(rows, columns=list(READ))


def run_with_arms(folder: Path, cases: int, debates: bool = True) -> Path:
    """A run of two conditions of debates and both arms."""
    conditions = [("synchronous", ("gpt", "claude")), ("round_robin", ("gpt", "claude"))]
    own = [played(cases, 1, conditions=conditions).assign(planted=None, stance=None)] if debates else []
    return write_run(folder, pd.concat([*own, arm_turns(cases)], ignore_index=True))


def _turn(
    id: str, protocol: str, variant: str, case: str, model: str, seat: int, seats: int, round: int,
    label: str, planted: str | None, stance: str | None,
) -> dict[str, object]:  # fmt: skip
    return {
        "debate_id": id, "case_id": case, "stage": "debate", "protocol": protocol, "variant": variant,
        "panel": "+".join([model] * seats), "order": "-".join(str(one + 1) for one in range(seats)),
        "n_seats": seats, "steering": "+".join(["default"] * seats), "answer_format": "json", "repetition": 1,
        "planted": planted, "stance": stance, "opening": False, "round": round, "position": seat,
        "seat": f"seat{seat}", "model": model, "label": label,
    }  # fmt: skip
