"""A protocol of one's own, played within the rules: whatever it does wrong ends in an error that says where.

What it may take: in as many rounds as a debate has at most, everybody on the panel and one more, a moderator
say, may each be asked in a step of their own, and once again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from typing import Any

from protocols.case import Case
from protocols.dialogue import Ask, Dialogue, Replies, Step
from protocols.own.bound import begin
from protocols.own.module import code_name, function, source_of, what_broke
from protocols.own.shape import misfits
from protocols.own.signature import refuse_no_protocol
from protocols.own.source import SEP, Source, SourceError
from protocols.transcript import Transcript

MOST_ROUNDS = 20
MOST_ASKS = 1000
"""The asks of one step."""

ASKED = "yield tuple(ask_turn(case, transcript, seat, round, rounds) for seat in ...)"


class ProtocolError(RuntimeError):
    """A protocol of one's own that failed while it was played, or did what none may."""


def most_steps(seats: int) -> int:
    """The most steps of a debate on a panel of so many seats."""
    return MOST_ROUNDS * 2 * (seats + 1)


@cache
def own_protocol(name: str) -> Callable[..., Dialogue[Transcript]]:
    """The protocol called `function@hash`, whose source has been imported in this process.

    Raises `SourceError` where it has not, and for a function that is no protocol.
    """
    called, _, hash = name.partition(SEP)
    source = source_of(hash)
    if source is None:
        raise SourceError(f"the protocol {name} is nobody's: no source with the hash {hash} is known here")
    made = function(source, called)
    refuse_no_protocol(source, made)

    @wraps(made)
    def played(case: Case, **parameters: Any) -> Dialogue[Transcript]:
        return _kept(source, case, made, parameters)

    return played


def _kept(
    source: Source, case: Case, made: Callable[..., Dialogue[Transcript]], parameters: dict[str, Any]
) -> Dialogue[Transcript]:
    dialogue, replies, most = made(case, **parameters), None, most_steps(len(case.seats))
    for _ in range(most + 1):
        begin()
        try:
            step = next(dialogue) if replies is None else dialogue.send(replies)
        except StopIteration as end:
            return _outcome(source.at(made.__code__.co_firstlineno, made.__name__), case, end.value)
        except (Exception, SystemExit, GeneratorExit) as error:
            raise ProtocolError(what_broke(source, error)) from error
        replies = yield _step(_place(source, dialogue), case, step)
    raise ProtocolError(
        f"{_place(source, dialogue)}: it does not end: found more than {most} steps before"
        f" {len(case.seats)} seats; let its loop end, as in: for round in range(1, rounds + 1)"
    )


def place_of_step(name: str, case: Case, parameters: Mapping[str, Any], answered: Sequence[Replies]) -> str:
    """The line (`file:line`) at which the protocol yields the step after so many that were answered."""
    source = source_of(name.partition(SEP)[2])
    if source is None:
        raise SourceError(f"the protocol {name} is nobody's")
    dialogue = function(source, name.partition(SEP)[0])(case, **parameters)
    next(dialogue)
    for replies in answered:
        dialogue.send(replies)
    return _place(source, dialogue)


def _place(source: Source, dialogue: Dialogue[Any]) -> str:
    """The line of the source at which the dialogue waits, innermost."""
    at: Any = dialogue
    line = 0
    while at is not None and getattr(at, "gi_frame", None) is not None:
        if at.gi_code.co_filename == code_name(source):
            line = at.gi_frame.f_lineno
        at = at.gi_yieldfrom
    return f"{source.file}:{line}"


def _step(place: str, case: Case, step: object) -> Step:
    """The step, if it is one. Raises `ProtocolError` with what it is instead."""
    if isinstance(step, Ask):
        raise ProtocolError(
            f"{place}: found a yield of one Ask; allowed: a step, which is a tuple of them: yield (ask,)"
        )
    if not isinstance(step, tuple | list) or not step:
        found = "an empty step" if isinstance(step, tuple | list) else f"a yield of {_what(step)}"
        raise ProtocolError(f"{place}: found {found}; allowed: a tuple of Asks, at least one, as {ASKED}")
    if len(step) > MOST_ASKS:
        raise ProtocolError(f"{place}: found a step of {len(step):,} asks; allowed: up to {MOST_ASKS:,}")
    models = dict.fromkeys(seat.model for seat in case.seats)
    for slot, ask in enumerate(step):
        if not isinstance(ask, Ask):
            raise ProtocolError(
                f"{place}: found {_what(ask)} in slot {slot} of a step; allowed: Asks, as {ASKED}"
            )
        if ask.model not in models:
            raise ProtocolError(
                f"{place}: found an ask to the model '{ask.model}' in slot {slot}; allowed: the models of the"
                f" seats, {', '.join(models)}; give whoever is to be asked a seat on the panel"
            )
        for wrong in misfits(ask, Ask, "ask"):
            raise ProtocolError(f"{place}: found in slot {slot} of a step: {wrong}")
    return tuple(step)


def _outcome(place: str, case: Case, outcome: object) -> Transcript:
    if not isinstance(outcome, Transcript):
        raise ProtocolError(
            f"{place}: it returned {_what(outcome)}; allowed: the Transcript, as in: return transcript"
        )
    for wrong in misfits(outcome, Transcript, "transcript"):
        raise ProtocolError(f"{place}: found in what it returned: {wrong}")
    seats = [seat.name for seat in case.seats]
    for turn in outcome.turns:
        if turn.seat not in seats:
            raise ProtocolError(
                f"{place}: it returned a turn of '{turn.seat}'; allowed: turns of the seats"
                f" {', '.join(seats)}; what others say stands in the table of replies"
            )
    if not outcome.turns:
        raise ProtocolError(
            f"{place}: it returned a Transcript without a turn; add what was said:"
            " transcript = transcript.then(step, replies)"
        )
    return outcome


def _what(found: object) -> str:
    return "nothing (None)" if found is None else f"a {type(found).__name__}"
