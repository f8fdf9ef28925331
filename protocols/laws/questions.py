"""What every question and every turn must be: laws that are read off one debate that was played."""

from __future__ import annotations

from collections.abc import Iterator

from protocols.case import Case
from protocols.dialogue import Ask
from protocols.laws.laws import private, roles
from protocols.laws.panels import Played
from protocols.reading import read
from protocols.transcript import Turn

ASK_TURN = "ask_turn(case, transcript, position, round, rounds) of protocols.view makes such an ask"


def asks_hold_all(on: Case, game: Played) -> Iterator[tuple[Ask, str]]:
    """An ask holds all that is needed to answer it, in messages that can be sent; reasoning is private."""
    yield from roles(game.asks)
    yield from private(game.asks)
    for ask in game.asks:
        if not any(on.text in message.content for message in ask.messages):
            yield (
                ask,
                "it does not hold the case, and whoever answers knows nothing but its messages; begin with"
                " ('system', seat.system), or put in case_section(case) of protocols.system_prompt;"
                f" {ASK_TURN}",
            )
        elif ask.facts.case_id != on.id:
            yield (
                ask,
                f"its facts are of the case '{ask.facts.case_id}', so simulated and scripted models do not"
                f" know what they are asked; give it facts=Facts(case.id, round, ...); {ASK_TURN}",
            )
        elif ask.round < 1 or ask.position < 1:
            yield ask, f"it is of round {ask.round}, position {ask.position}; both count from 1"


def turns_are_replies(game: Played) -> Iterator[str]:
    """Every turn is a reply as it was received, with the label that is read in it; none is left over."""
    asks = {(ask.seat, record.reply.text): ask for ask, record in zip(game.asks, game.records, strict=True)}
    finish = {(record.seat, record.reply.text): record.reply.finish_reason for record in game.records}
    for turn in game.outcome.turns:
        key = (turn.seat, turn.text)
        if key not in asks:
            yield (
                f"its Transcript has a turn of {turn.seat} in round {turn.round} that is no reply of that"
                " seat; turns are made of replies: transcript = transcript.then(step, replies)"
            )
        elif turn.label not in (None, turn.stated.stance, _label(asks[key], turn, finish[key])):
            yield (
                f"its Transcript gives {turn.seat} the label {turn.label} in round {turn.round}, which is not"
                " what its reply says; an unreadable reply stays unreadable: let transcript.then read it"
            )


def _label(ask: Ask, turn: Turn, finish: str) -> str | None:
    form = ask.answer_format
    return read(turn.text, finish, form.field, form.labels, form.option_texts).label
