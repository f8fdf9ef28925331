"""Who saw what in debates on a situation: one file per structure and panel size, every steering in it."""

from __future__ import annotations

from difflib import ndiff
from itertools import groupby

from protocols.laws.golden import Systems, first_prompts, heard
from protocols.stopping import consensus_label
from protocols.transcript import Transcript
from tests.protocols.panels import Played, case, played

DEBATES = ("solo", "synchronous", "round_robin", "hybrid", "reask", "majority")
SIZES = (2, 3, 5)
STEERINGS = ("default", "none", "balanced", "adversarial", "value:Fairness")


def golden_files() -> dict[str, str]:
    """Every golden file's name and its text."""
    return {f"{protocol}_{n}.txt": written(protocol, n) for protocol in DEBATES for n in SIZES}


def written(protocol: str, n: int) -> str:
    """One scripted debate of `n` seats: system prompts, then every ask with what is new to its seat."""
    by_steering = {steering: systems(protocol, n, steering) for steering in STEERINGS}
    on = case(protocol, n)
    game = played(protocol, on)
    parts = [
        f"{protocol}, {n} seats. Each ask shows only what is new to its seat.",
        *first_prompts(by_steering["default"]),
        *(part for steering in STEERINGS[1:] for part in changes(by_steering, steering)),
        *(shown(game, number) for number in range(len(game.asks))),
        ending(game.outcome),
    ]
    return "\n\n".join(parts) + "\n"


def systems(protocol: str, n: int, steering: str) -> Systems:
    """The system prompts of a panel whose seats are all steered one way."""
    return {seat.label: seat.system for seat in case(protocol, n, steering=steering).seats}


def changes(by_steering: dict[str, Systems], steering: str) -> list[str]:
    """How the system prompts under `steering` differ from the default; like seats stand together."""
    default = by_steering["default"]
    by_seat = [
        (paragraph_changes(default[label], text), label) for label, text in by_steering[steering].items()
    ]
    parts = []
    for change, seats in groupby(by_seat, key=lambda pair: pair[0]):
        labels = ", ".join(label for _, label in seats)
        parts.append(f"=== steering {steering}: system prompt, {labels}, against the default\n{change}")
    return parts


def paragraph_changes(before: str, after: str) -> str:
    """The paragraphs taken away (-) and put in (+)."""
    lines = ndiff(before.split("\n\n"), after.split("\n\n"))
    return "\n".join(line for line in lines if line[0] in "-+") or "(no difference)"


def shown(game: Played, number: int) -> str:
    """One ask: where it stands, the turns its seat has seen, and the messages new to it."""
    ask, record = game.asks[number], game.records[number]
    former = [earlier for earlier in game.asks[:number] if earlier.seat == ask.seat]
    known = len(former[-1].messages) if former else 1
    new = "\n".join(f"[{message.role}]\n{message.content}" for message in ask.messages[known:])
    place = f"=== step {record.step}, slot {record.slot}: {ask.seat} ({ask.model}), round {ask.round}"
    return f"{place}\n    has heard: {heard(ask)}\n{new}"


def ending(outcome: Transcript) -> str:
    """How the debate ended."""
    label = consensus_label(outcome, outcome.rounds)
    labels = ", ".join(
        f"{turn.seat} {turn.label or 'unreadable'}" for turn in outcome.in_round(outcome.rounds)
    )
    if outcome.voted:
        return f"=== end after {len(outcome.turns)} answers: decided by vote, {outcome.decision}"
    return f"=== end after round {outcome.rounds}: {'consensus' if label else 'no consensus'} ({labels})"
