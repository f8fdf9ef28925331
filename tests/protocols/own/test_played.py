"""A protocol of one's own as it is played: what it does wrong ends in an error with its line."""

import pickle
from inspect import signature

import pytest

from protocols.laws.panels import case, orderly, play_out
from protocols.own import bound
from protocols.own.module import imported
from protocols.own.played import MOST_ASKS, ProtocolError, most_steps, own_protocol
from protocols.own.source import Source, SourceError
from protocols.own.structure import is_known, is_own, structure
from protocols.play import Play
from protocols.synchronous import synchronous
from protocols.transcript import Transcript
from tests.protocols.own.bad import LINE, TEXT, with_line

DEFINED = LINE - 5
"""The line on which the protocol is defined."""


def played(source: Source, n: int = 2) -> Transcript:
    imported(source)
    return play_out(Play(own_protocol(f"tried@{source.hash}")(case("own", n)), seed=7), orderly).outcome


def test_it_is_played_as_a_built_in_one_would_be() -> None:
    """The same structure as `synchronous` without a stop asks the same."""
    source = with_line("pass")
    imported(source)
    own, built_in = (
        play_out(Play(dialogue, seed=7), orderly)
        for dialogue in (
            structure(f"tried@{source.hash}")(case("own", 3)),
            synchronous(case("own", 3), rounds=3, stop="never"),
        )
    )
    assert own == built_in
    assert list(signature(structure(f"tried@{source.hash}")).parameters) == ["case", "rounds"]


@pytest.mark.parametrize(
    ("line", "place", "says"),
    [
        ("step = step[0]", LINE + 1, r"found a yield of one Ask; allowed: a step, which is a tuple"),
        ("step = ()", LINE + 1, "found an empty step; allowed: a tuple of Asks, at least one"),
        ("step = None", LINE + 1, r"found a yield of nothing \(None\); allowed: a tuple of Asks"),
        ("step = [1]", LINE + 1, "found a int in slot 0 of a step; allowed: Asks"),
        (f"step = step * {MOST_ASKS}", LINE + 1, "found a step of 2,000 asks; allowed: up to 1,000"),
        (
            "step = (replace(step[0], model='gpt'),)",
            LINE + 1,
            "found an ask to the model 'gpt' in slot 0",
        ),
        ("{}['x']", LINE, r"KeyError: 'x', in: \{\}\['x'\]"),
        ("ask_turn(case, transcript, 99, 1, 1)", LINE, "IndexError: .*, in: ask_turn"),
        ("import sys; sys.exit(3)", LINE, r"SystemExit: 3, in: import sys; sys\.exit"),
        ("raise StopIteration", LINE, "RuntimeError: generator raised StopIteration, in: raise"),
        (
            "step = (replace(step[0], messages=('Hi.',)),)",
            LINE + 1,
            r"slot 0 of a step: ask\.messages\[0\] is 'Hi",
        ),
        (
            "step = (replace(step[0], round='one'),)",
            LINE + 1,
            r"ask\.round is 'one', a str; allowed: a whole",
        ),
        (
            "return Transcript((1,))",
            DEFINED,
            r"in what it returned: transcript\.steps\[0\] is 1, a int; allowed",
        ),
        ("return 'done'", DEFINED, "it returned a str; allowed: the Transcript"),
        ("return transcript", DEFINED, "a Transcript without a turn"),
    ],
)
def test_what_it_does_wrong(line: str, place: int, says: str) -> None:
    with pytest.raises(ProtocolError, match=f"tried.py:{place}: .*{says}|tried.py:{place}: {says}") as failed:
        played(with_line(line))
    assert str(pickle.loads(pickle.dumps(failed.value))) == str(failed.value)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_it_must_end(n: int) -> None:
    """Twenty rounds in which every seat and one more are asked alone, twice, are the most."""
    assert most_steps(n) == 40 * (n + 1)
    loop = "while True:\n        round = 1"
    endless = TEXT.replace("for round in range(1, rounds + 1):", loop).replace("LINE", "pass")
    with pytest.raises(ProtocolError, match=f"does not end: found more than {40 * (n + 1)} steps before {n}"):
        played(Source("tried.py", endless.replace("then(step, replies)", "then(step[:1], replies[:1])")), n)


def test_a_loop_without_a_yield_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent replies counts afresh, so that only what is done at one go is too much."""
    monkeypatch.setattr(bound, "MOST_PASSES", 1000)
    assert played(with_line("[0 for _ in range(900)]")).rounds == 3
    with pytest.raises(ProtocolError, match=f"tried.py:{LINE}: EndlessLoop: found no end in 1,000 passes"):
        played(with_line("while True: pass"))


def test_as_many_steps_as_there_may_be_are_played() -> None:
    text = TEXT.replace("rounds=3", f"rounds={most_steps(1)}").replace("LINE", "pass")
    short = text.replace("ask_turn(case, transcript,", "ask_turn(case, Transcript(),")
    assert played(Source("tried.py", short), 1).rounds == most_steps(1)


def test_helpers_with_steps_of_their_own_are_named_by_their_line() -> None:
    helped = TEXT.replace("LINE", "yield from _helper()") + "\n\ndef _helper():\n    yield 'a question'\n"
    place = helped.count("\n")
    with pytest.raises(ProtocolError, match=f"tried.py:{place}: found a yield of a str"):
        played(Source("tried.py", helped))


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("async def tried(case):\n    yield ()", "tried: found an async function; a protocol is a plain one"),
        ("def tried(case):\n    return 1", "tried: found a function without a yield"),
        ("def tried():\n    yield ()", "tried: found no parameter; allowed: def my_protocol"),
        ("def tried(x):\n    yield ()", "tried: found the first parameter x; allowed: def my_protocol"),
        ("def tried(case, n):\n    yield ()", "tried: found the parameter n without a default"),
        *(
            (f"def tried(case, *, {name}='x'):\n    yield ()", f"found the parameter {name}, a name that an")
            for name in ("orders", "planted", "critiqued", "best_of_n", "after")
        ),
        (
            "def tried(case, *, n=None):\n    yield ()",
            "tried: found the default None of n; allowed: a number",
        ),
        ("def tried(case, **others):\n    yield ()", r"tried: found the parameter \*others"),
    ],
)
def test_what_a_protocol_must_be(head: str, says: str) -> None:
    source = Source("tried.py", f"{head}\n")
    imported(source)
    with pytest.raises(SourceError, match=f"tried.py:1: .*{says}"):
        own_protocol(f"tried@{source.hash}")


def test_names() -> None:
    source = with_line("pass")
    imported(source)
    assert (is_own(f"tried@{source.hash}"), is_own("tried@00000000"), is_own("synchronous")) == (
        True,
        False,
        False,
    )
    assert (is_known("synchronous"), is_known("nothing")) == (True, False)
    assert structure("synchronous") is synchronous
    with pytest.raises(SourceError, match="no source with the hash 00000000 is known here"):
        structure("tried@00000000")
