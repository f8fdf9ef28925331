"""The values that simulated labellers find, from `Ask.facts` alone, for what they write holds none.

Value v is found in a turn when

    phi_{case, v} + phi_{case, verdict, v} + xi_{turn, v} + SLIP * epsilon_{ask, v} > BAR

all standard normal. The first three are the same for all labellers with one phi_seed, so that two of them
mostly agree; the last differs from ask to ask, so that one does not always repeat itself.
"""

from __future__ import annotations

from protocols.dialogue import Ask
from protocols.values import MOST_VALUES
from serving.simulated_chance import normal, phi

SLIP = 0.4
BAR = 2.5  # about one value in thirteen is found


def values(phi_seed: int, ask: Ask) -> list[str]:
    """Those found in the turn that the ask is about, the clearest first, at most `MOST_VALUES`."""
    (turn,) = ask.facts.seen
    case = ask.facts.case_id

    def clear(value: str) -> float:
        of_case = phi(phi_seed, case, value) + phi(phi_seed, f"{case} {turn.label}", value)
        of_turn = normal(phi_seed, f"value {case} {turn.label} {turn.round} {turn.seat} {value}")
        return of_case + of_turn + SLIP * normal(ask.seed, value)

    found = {value: clear(value) for value in ask.answer_format.labels}
    ranked = sorted(found, key=found.__getitem__, reverse=True)
    return [value for value in ranked if found[value] > BAR][:MOST_VALUES]
