"""A debate is played to its end; what was answered is kept, and what was kept is not asked again."""

import asyncio

import pytest

from analysis.schema import schema
from protocols.dialogue import Ask, Reply
from protocols.record import LogMismatch
from ray_jobs.debate import Debate
from ray_jobs.experiment import Experiment
from ray_jobs.line import AgentLost, AskFailed
from ray_jobs.log import Row
from ray_jobs.plan import Plan
from ray_jobs.playing import failure_rows
from tests.ray_jobs.plays import case_rows, play_here, steady
from tests.ray_jobs.studies import study

pytestmark = pytest.mark.long


def experiment(**keys: object) -> Experiment:
    """Three seats in both structures, three rounds; `keys` change or add to that."""
    design = {"panels": [["a", "b", "c"]], "protocols": ["synchronous", "round_robin"], "labels": "fixed"}
    return study(**{**design, "rounds": 3, **keys})


EXPERIMENT = experiment()
[CASE] = case_rows(1)
SYNCHRONOUS, ROUND_ROBIN, *_ = Plan(EXPERIMENT, [CASE.id])


class Asked:
    """Answers every ask with another verdict in every round, so that a debate takes all its rounds.

    The asks of a `failing` seat raise its error; the others come late.
    """

    def __init__(self, **failing: Exception) -> None:
        self.failing = failing
        self.asks: list[Ask] = []

    async def __call__(self, ask: Ask) -> Reply:
        self.asks.append(ask)
        if ask.seat in self.failing:
            raise self.failing[ask.seat]
        for _ in range(3):
            await asyncio.sleep(0)
        verdict = ("NTA", "YTA", "ESH")[(int(ask.seat.removeprefix("seat")) + ask.round) % 3]
        return Reply(f"My current verdict: {verdict}\n\nBecause of {ask.seat}.")


def interrupted(debate: Debate, ask: Asked, error: type[Exception]) -> list[Row]:
    """The rows kept of a debate that `error` ends."""
    kept: list[Row] = []
    with pytest.raises(error):
        asyncio.run(play_here(EXPERIMENT, CASE, debate, ask=ask, keep=kept.append))
    return kept


def test_a_step_settles_before_an_error_is_raised() -> None:
    """seat1 fails at once, and the replies of the others are kept."""
    kept = interrupted(SYNCHRONOUS, Asked(seat1=AgentLost("gone")), AgentLost)
    assert [(row["step"], row["seat"]) for row in kept] == [(0, "seat2"), (0, "seat3")]


@pytest.mark.parametrize("slow", ["seat1", "seat2", "seat3"])
def test_what_was_answered_is_kept_while_another_seat_is_waited_for(slow: str) -> None:
    """A run that ends while one model hangs keeps what the others have said, and goes on from there."""
    kept: list[Row] = []

    class Hanging(Asked):
        async def __call__(self, ask: Ask) -> Reply:
            if ask.seat == slow:
                await asyncio.Event().wait()
            return await super().__call__(ask)

    async def until_it_hangs() -> None:
        playing = play_here(EXPERIMENT, CASE, SYNCHRONOUS, ask=Hanging(), keep=kept.append)
        await asyncio.wait_for(playing, 0.2)

    with pytest.raises(TimeoutError):
        asyncio.run(until_it_hangs())
    assert [row["seat"] for row in kept] == [name for name in ("seat1", "seat2", "seat3") if name != slow]
    asked = Asked()
    rows = asyncio.run(play_here(EXPERIMENT, CASE, SYNCHRONOUS, logged=kept, ask=asked))
    assert len(asked.asks) == 7
    places = [(row["step"], row["slot"]) for row in rows["replies"]]
    assert places == [(step, slot) for step in range(3) for slot in range(3)]


def test_the_first_of_two_errors_is_raised() -> None:
    errors = {"seat2": AskFailed("seat2", "b", "AskRefused", "no", 0.0), "seat3": AgentLost("gone")}
    assert len(interrupted(SYNCHRONOUS, Asked(**errors), AskFailed)) == 1


@pytest.mark.parametrize("debate", [SYNCHRONOUS, ROUND_ROBIN], ids=["synchronous", "round_robin"])
def test_a_debate_goes_on_from_any_reply(debate: Debate) -> None:
    """It ends as if it had never been interrupted, and only what is missing is asked."""
    kept: list[Row] = []
    whole = asyncio.run(play_here(EXPERIMENT, CASE, debate, ask=Asked(), keep=kept.append))
    assert len(kept) == 9
    for replies in range(10):
        asked = Asked()
        new: list[Row] = []
        rows = asyncio.run(
            play_here(EXPERIMENT, CASE, debate, logged=kept[:replies], ask=asked, keep=new.append)
        )
        assert len(asked.asks) == len(new) == 9 - replies
        for table in ("replies", "turns", "debates"):
            assert steady(rows[table], table) == steady(whole[table], table)


def test_a_debate_goes_on_from_the_middle_of_a_step() -> None:
    kept = interrupted(SYNCHRONOUS, Asked(seat2=AgentLost("gone")), AgentLost)
    asked = Asked()
    rows = asyncio.run(play_here(EXPERIMENT, CASE, SYNCHRONOUS, logged=kept, ask=asked))
    assert [(ask.seat, ask.round) for ask in asked.asks] == [
        ("seat2", 1),
        *((f"seat{seat}", round) for round in (2, 3) for seat in (1, 2, 3)),
    ]
    assert sorted((row["step"], row["slot"]) for row in rows["replies"]) == [
        (step, slot) for step in range(3) for slot in range(3)
    ]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"models": {name: {"backend": "simulated", "alpha": 9} for name in "abc"}}, "the model's block"),
        ({"prompts": {"task": "Judge it."}}, "message 1 (system) was"),
        ({"seed": 8}, "seed was"),
    ],
)
def test_a_log_that_does_not_fit_is_refused(change: dict[str, object], says: str) -> None:
    """Naming the seat, the place and the difference; nothing is asked."""
    kept: list[Row] = []
    asyncio.run(play_here(EXPERIMENT, CASE, SYNCHRONOUS, ask=Asked(), keep=kept.append))
    other, asked = experiment(**change), Asked()
    debate = next(iter(Plan(other, [CASE.id])))
    with pytest.raises(LogMismatch) as refused:
        asyncio.run(play_here(other, CASE, debate, logged=kept, ask=asked))
    assert str(refused.value).startswith("seat")
    assert ", step 0, slot " in str(refused.value)
    assert says in str(refused.value)
    assert asked.asks == []


def test_every_reply_is_kept_as_it_enters_the_table() -> None:
    kept: list[Row] = []
    rows = asyncio.run(play_here(EXPERIMENT, CASE, ROUND_ROBIN, ask=Asked(), keep=kept.append))
    assert rows["replies"] == kept
    for table in rows:
        assert all(set(row) <= set(schema(table).names) for row in rows[table])


def test_a_failure_says_where_and_why() -> None:
    [row] = failure_rows({"debate_id": "d"}, AskFailed("seat2", "b", "AskRefused", "no such reply", 1.5, 3))[
        "failures"
    ]
    found = [
        row[name] for name in ("debate_id", "seat", "error_class", "message", "wait_seconds", "attempts")
    ]
    assert found == ["d", "seat2", "AskRefused", "model 'b': no such reply", 1.5, 3]
    assert set(row) <= set(schema("failures").names)
