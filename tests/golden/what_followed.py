"""What followed from a debate, as text: what its judges were shown, and how it went on elsewhere."""

from __future__ import annotations

from protocols.case import Seat
from protocols.dialogue import Reply, Sampling
from protocols.earlier import otherwise
from protocols.judge import Judgment, Sees, judge
from protocols.label import label, labeller
from protocols.play import Play
from protocols.sections import Place, prompt_hash
from protocols.system_prompt import system_prompt
from protocols.values import VALUES_48
from tests.golden.who_saw_what import ending, shown
from tests.protocols.panels import TEXT, TITLE, case, dialogue, orderly, play_out, played

SEES: tuple[Sees, ...] = ("transcript", "positions", "nothing")
ONWARD = ("synchronous", "round_robin")
SHORT = 2  # rounds of the debate that others go on from: two, without consensus


def following_files() -> dict[str, str]:
    """Every golden file's name and its text."""
    judged = {f"judge_{sees}.txt": judgment(sees) for sees in SEES}
    return (
        judged
        | {"labels.txt": labels()}
        | {f"onward_{protocol}.txt": onward(protocol) for protocol in ("synchronous", "round_robin")}
    )


def judge_dialogue(sees: Sees, display: tuple[str, ...] = ()) -> Play[Judgment]:
    """A judge before a synchronous debate of three rounds, ready to be asked."""
    on = case("synchronous", 5)
    place = Place(f"judge_{sees}", ["Judge"], 1, 1)
    seat = Seat(
        name="judge",
        label="Judge",
        model="alpha",
        system=system_prompt(on.prompts, TITLE, TEXT, place, "none", on.answer_format),
        prompt_hash=prompt_hash(on.prompts, place, "none", on.answer_format.field, on.answer_format.name),
    )
    transcript = played("synchronous", on).outcome
    told = judge(on, transcript, seat=seat, answer_format=on.answer_format, sees=sees, display=display)
    return Play(told, seed=7)


def judgment(sees: Sees) -> str:
    """The whole question to a judge who is shown seat 5 first, then 1, 2, 4, 3."""
    play = judge_dialogue(sees, ("seat 5", "seat 1", "seat 2", "seat 4", "seat 3"))
    [ask] = play.step
    play.answer(0, Reply("My current verdict: ESH\n\nBoth forgot to ask."))
    messages = "\n\n".join(f"[{message.role}]\n{message.content}" for message in ask.messages)
    read = f"=== {play.outcome.reading.label}, after round {play.outcome.round}"
    return f"A judge who sees {sees}, of a synchronous debate of 5 seats.\n\n{messages}\n\n{read}\n"


def labels() -> str:
    """The questions to a labeller of two of the values, of a synchronous debate of three seats."""
    on = case("synchronous", 3, rounds=2)
    seat = labeller("alpha", Sampling(), VALUES_48[:2], on.prompts)
    transcript = played("synchronous", on, rounds=2).outcome
    told = label(on.id, transcript, seat=seat, values=VALUES_48[:2], prompts=on.prompts)
    asks = Play(told, seed=7).step
    shown = "\n\n".join(f"=== ask {at}\n{ask.messages[1].content}" for at, ask in enumerate(asks, start=1))
    return f"A labeller of a debate of two rounds.\n\n[system]\n{seat.system}\n\n{shown}\n"


def onward(protocol: str) -> str:
    """A synchronous debate of three seats that ended after two rounds goes on, up to five."""
    first = case("synchronous", 3, rounds=SHORT)
    before = play_out(Play(dialogue("synchronous", first, rounds=SHORT), seed=7), orderly).outcome
    second = case(protocol, 3, rounds=5, earlier=otherwise(before, protocol))
    game = play_out(Play(dialogue(protocol, second, rounds=5, transcript=before), seed=8), orderly)
    parts = [
        f"{protocol}, going on from a synchronous debate. The first asks show all, the others what is new.",
        f"=== system prompt, Agent 1\n{second.seats[0].system}",
        *(shown(game, number) for number in range(len(game.asks))),
        ending(game.outcome),
    ]
    return "\n\n".join(parts) + "\n"
