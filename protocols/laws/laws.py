"""What every dialogue must keep to, tried by playing it. Each law yields what it finds broken, in words.

`again` plays the dialogue afresh, from its case; `game` is how it went once.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import TypeAlias

from protocols.dialogue import Ask
from protocols.laws.panels import BLOCKS, Played, Replier, play_out
from protocols.play import Play
from protocols.record import LogMismatch, Record, difference, replay
from protocols.transcript import Transcript

Again: TypeAlias = Callable[[], Play[Transcript]]

SEEDED = (
    "chance comes from draw(case.seed, 'a name') of protocols.seeds, which is the same whenever it is asked"
)
KEPT = (
    "what it keeps must be in variables of the protocol, made anew for each debate: not at the top of the"
    " file, not in a default that is changed"
)


def deterministic(again: Again, game: Played, reply_to: Replier) -> Iterator[str]:
    """Played again it asks the same, facts included, and comes to the same outcome."""
    second = play_out(again(), reply_to)
    if told := first_difference(game, second):
        yield f"played again it is another debate: {told}; {SEEDED}; {KEPT}"
    elif [ask.facts for ask in game.asks] != [ask.facts for ask in second.asks]:
        yield f"played again its asks have other facts; {SEEDED}; {KEPT}"
    elif game.outcome != second.outcome:
        yield f"played again it asks the same but returns another Transcript; {SEEDED}; {KEPT}"


def any_order(again: Again, game: Played, reply_to: Replier) -> Iterator[str]:
    """The replies of a step may come in any order."""
    for order in (lambda slots: slots[::-1], lambda slots: slots[1::2] + slots[::2]):
        other = play_out(again(), reply_to, order)
        if (other.asks, other.outcome) != (game.asks, game.outcome):
            yield (
                "it depends on which reply of a step comes first; a step is sent its replies in the order of"
                f" its asks: replies = yield step; {KEPT}"
            )
            return


def resumable(again: Again, game: Played, reply_to: Replier) -> Iterator[str]:
    """From every prefix of its log a dialogue goes on by the same questions to the same outcome."""
    for answered in range(len(game.records) + 1):
        resumed = again()
        try:
            replay(resumed, game.records[:answered], BLOCKS)
            rest = play_out(resumed, reply_to)
        except LogMismatch as error:
            yield f"interrupted after {answered} replies it cannot go on: {error}; {SEEDED}; {KEPT}"
            return
        if game.records[:answered] + rest.records != game.records or rest.outcome != game.outcome:
            yield f"interrupted after {answered} replies it goes on as another debate; {SEEDED}; {KEPT}"
            return


def settles(again: Again, game: Played, reply_to: Replier) -> Iterator[str]:
    """Any one reply of the last step may be the one that is missing; only it is asked again."""
    last = [record for record in game.records if record.step == game.records[-1].step]
    for missing in last:
        resumed = again()
        replay(resumed, [record for record in game.records if record != missing], BLOCKS)
        if (asked := play_out(resumed, reply_to).records) != (missing,):
            yield (
                f"without one reply of its last step it asks {len(asked)} questions, not that one; a step is"
                f" one yield, and what follows it is made of its replies alone; {KEPT}"
            )
            return


def beside(again: Again, game: Played, reply_to: Replier) -> Iterator[str]:
    """Played by turns with another debate it is the same, for a process plays thousands of them at once."""
    one, other = again(), again()
    asks: list[Ask] = []
    while not one.done:
        asks.extend(one.step)
        for play in (one, other):
            for slot in play.open:
                play.answer(slot, reply_to(play.step[slot]))
    if tuple(asks) != game.asks or one.outcome != game.outcome:
        yield f"played beside another debate it is another one itself; {KEPT}"


def pickles(again: Again, game: Played, _: Replier) -> Iterator[str]:
    """Asks, records and outcome survive pickling, for they go from one process to another."""
    try:
        copy = pickle.loads(pickle.dumps(game))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        yield f"its asks or its Transcript cannot be sent to another process: {error}; keep them plain data"
        return
    resumed = again()
    replay(resumed, copy.records, BLOCKS)
    if copy != game or resumed.outcome != game.outcome:
        yield "its asks or its Transcript are not the same in another process; keep them plain data"


def roles(asks: Sequence[Ask]) -> Iterator[tuple[Ask, str]]:
    """One system message, then user and assistant by turns, a user message last; none is empty."""
    for ask in asks:
        said: list[str] = [message.role for message in ask.messages]
        rest = said[1:]
        if said[:1] != ["system"] or rest != ["user", "assistant"] * (len(rest) // 2) + ["user"]:
            yield (
                ask,
                f"its messages are {', '.join(said) or 'none'}; allowed: system, then user and assistant by"
                " turns, user last: put parts together with merged(...) of protocols.view",
            )
        for number, message in enumerate(ask.messages, start=1):
            if message.content.strip() != message.content or not message.content:
                wrong = "begins or ends with blanks" if message.content.strip() else "is empty"
                yield (
                    ask,
                    f"message {number} of {len(said)}, of the {message.role}, {wrong}:"
                    f" {_ends(message.content)}; models must be shown a text: take .strip() of it, and leave"
                    " out what holds nothing",
                )
                break


def _ends(text: str) -> str:
    """A text as Python writes it, without its middle where it is long."""
    return repr(text if len(text) <= 80 else f"{text[:40]} ... {text[-40:]}")


def private(asks: Sequence[Ask]) -> Iterator[tuple[Ask, str]]:
    """Nobody is ever shown reasoning."""
    for ask in asks:
        if any("secret" in message.content for message in ask.messages):
            yield (
                ask,
                "it shows what a model thought to itself; put turn.shown into messages, never reply.text or"
                " reply.reasoning",
            )


Law: TypeAlias = Callable[[Again, Played, Replier], Iterator[str]]
LAWS: dict[str, Law] = {
    "deterministic": deterministic,
    "replies in any order": any_order,
    "resumable": resumable,
    "one step settles": settles,
    "beside others": beside,
    "plain data": pickles,
}
"""The laws that are tried by playing again."""


def first_difference(one: Played, other: Played) -> str:
    """The first question that is not the same in both, in words; "" where all are."""
    for then, ask, now in zip_longest(one.records, other.asks, other.records):
        if then is None or now is None or ask is None:
            return f"it asks {len(one.asks)} questions, then {len(other.asks)}"
        if then.fingerprint != now.fingerprint or then.seat != now.seat:
            return f"{place(then)}: {difference(then, ask)}"
    return ""


def place(record: Record) -> str:
    """Where a question stands in its debate."""
    return f"step {record.step}, slot {record.slot} ({record.seat})"
