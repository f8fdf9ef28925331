"""Backends that go wrong in chosen ways, and agents that stand before them in this process."""

import asyncio
from collections import defaultdict

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Message, Reply, Sampling
from ray_jobs.agent import Agent
from ray_jobs.line import Replica
from ray_jobs.places import Places
from serving.backend import Backend
from serving.errors import AskRefused, EngineDead, TransportError
from tests.ray_jobs.plays import Local


class Echo:
    """A backend that answers with the question, those of even numbers before those of odd ones.

    A question that names an error raises it.
    """

    in_flight = 8

    def __init__(self) -> None:
        self.asks = 0
        self.at_once = self.most_at_once = 0

    async def answer(self, ask: Ask) -> Reply:
        question = ask.messages[0].content
        self.asks += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0.001 * (self.asks % 2))
        self.at_once -= 1
        match question:
            case "refuse":
                raise AskRefused("cannot")
            case "die":
                raise EngineDead("dead")
            case "lose":
                raise TransportError("lost")
            case "bug":
                raise KeyError("half \ud83d")
            case _:
                return Reply(question, reasoning="\ud83d\ude00", wait_seconds=1.0)

    async def probe(self) -> None: ...

    async def close(self) -> None: ...


class Mortal(Echo):
    """An engine that dies of the question "poison", and with it all that is in flight.

    `met` lists what was with it whenever a question came, that question last.
    """

    def __init__(self, in_flight: int = 8, seconds: float = 0.002) -> None:
        super().__init__()
        self.in_flight = in_flight
        self.met: list[tuple[str, ...]] = []
        self._seconds = seconds
        self._inside: list[str] = []
        self._death = asyncio.Event()

    async def answer(self, ask: Ask) -> Reply:
        if self._death.is_set():
            raise EngineDead("dead")
        question = ask.messages[0].content
        self._inside.append(question)
        self.met.append(tuple(self._inside))
        try:
            if question.startswith("poison"):
                await asyncio.sleep(self._seconds / 2)
                self._death.set()
            await asyncio.wait_for(self._death.wait(), self._seconds)
        except TimeoutError:
            return Reply(question)
        finally:
            self._inside.remove(question)
        raise EngineDead("dead")


class Hanging(Echo):
    """An engine that answers a question once it is freed. `probe` succeeds when it is merely `slow`."""

    def __init__(self, slow: bool = False) -> None:
        super().__init__()
        self.slow, self.probes = slow, 0
        self.freed: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)

    async def answer(self, ask: Ask) -> Reply:
        question = ask.messages[0].content
        await self.freed[question].wait()
        return Reply(question)

    async def probe(self) -> None:
        self.probes += 1
        if not self.slow:
            await asyncio.Event().wait()


def ask_of(question: str, model: str = "m") -> Ask:
    return Ask("seat1", model, (Message("user", question),), Sampling(), AnswerFormat())


def agent_of(backend: Backend) -> Agent:
    """The agent that stands before a backend."""
    agent = Agent(None)
    agent._backend, agent._places = backend, Places(backend.in_flight)
    return agent


def replica_of(agent: Local, model: str = "m", number: int = 0, generation: int = 0) -> Replica:
    return Replica(model, number, generation, agent)
