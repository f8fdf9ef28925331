"""Golden scripts: who was shown what in one scripted debate, word for word."""

from __future__ import annotations

from itertools import takewhile

from protocols.case import Case
from protocols.dialogue import Ask
from protocols.laws.panels import Played
from protocols.transcript import Turn

Systems = dict[str, str]
"""The system prompt of each seat, by its label."""


def script(heading: str, on: Case, game: Played) -> str:
    """One scripted debate: system prompts, then every ask with what is new to its seat, then all turns."""
    parts = [
        heading,
        *first_prompts({seat.label: seat.system for seat in on.seats}),
        *(new(game, number) for number in range(len(game.asks))),
        f"=== end: {game.outcome.exit_mode or 'no exit mode'}",
        "\n".join(map(told, game.outcome.turns)),
    ]
    return "\n\n".join(parts) + "\n"


def first_prompts(prompts: Systems) -> list[str]:
    """What all seats' system prompts begin with, then how each goes on."""
    whole = [text.split("\n\n") for text in prompts.values()]
    shared = [same[0] for same in takewhile(lambda same: len(set(same)) == 1, zip(*whole, strict=False))]
    parts = ["=== system prompt, to every seat", *shared]
    for label, paragraphs in zip(prompts, whole, strict=True):
        if rest := paragraphs[len(shared) :]:
            parts += [f"=== system prompt, {label}, goes on", *rest]
    return parts


def heard(ask: Ask) -> str:
    """The turns of others that an ask shows, as simulated agents are told of them."""
    turns = [f"{turn.seat} r{turn.round} {turn.label or 'unreadable'}" for turn in ask.facts.seen]
    return ", ".join(turns) or "nobody"


def new(game: Played, number: int) -> str:
    """One ask: where it stands, the turns its seat has seen, and the messages not shown to it before."""
    ask, record = game.asks[number], game.records[number]
    known = max((_shared(former, ask) for former in game.asks[:number]), default=0) or ask.kind in (
        "turn",
        "candidate",
    )
    new = "\n".join(f"[{message.role}]\n{message.content}" for message in ask.messages[known:])
    place = f"=== step {record.step}, slot {record.slot}: {ask.kind} of {ask.seat} ({ask.model})"
    return f"{place}, round {ask.round}\n    has heard: {heard(ask)}\n{new or '(the same)'}"


def _shared(former: Ask, ask: Ask) -> int:
    pairs = zip(former.messages, ask.messages, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def told(turn: Turn) -> str:
    """One turn of the record, in a line."""
    stated = turn.stated
    rest = {
        "stance": stated.stance,
        "confidence": stated.confidence,
        "stated": stated.stated_action,
        "action": stated.action,
        "crux": stated.crux,
        "violation": stated.violation,
    }
    told = "".join(f", {name} {value}" for name, value in rest.items() if value is not None)
    return f"    {turn.seat} r{turn.round}: {turn.label or 'unreadable'}{told}"
