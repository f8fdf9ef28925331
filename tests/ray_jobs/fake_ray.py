"""Ray without Ray: actors are plain records, a call is what was called, and it is settled by the test."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any


@dataclass(eq=False)
class Call:
    """A call of an actor's method."""

    actor: "Actor"
    method: str
    given: tuple[Any, ...]


@dataclass(eq=False)
class Actor:
    """An actor: what it was made of, and its calls."""

    made: tuple[Any, ...]
    calls: list[Call] = field(default_factory=list)

    def __getattr__(self, method: str) -> SimpleNamespace:
        def remote(*given: object) -> Call:
            self.calls.append(Call(self, method, given))
            return self.calls[-1]

        return SimpleNamespace(remote=remote)


class FakeRay:
    """Stands for the module `ray`. `results` holds what methods return, or an error that they raise."""

    def __init__(self, **results: Any) -> None:
        self.results: dict[str, Any] = results
        self.actors: list[Actor] = []
        self.killed: list[Actor] = []

    def remote(self, *_: type, **__: object) -> Any:
        return self if _ else lambda _: SimpleNamespace(remote=self._made)

    def options(self, **_: object) -> SimpleNamespace:
        return SimpleNamespace(remote=self._made)

    def _made(self, *given: object) -> Actor:
        self.actors.append(Actor(given))
        return self.actors[-1]

    def kill(self, actor: Actor) -> None:
        self.killed.append(actor)

    def get(self, call: Call, **_: float) -> Any:
        result = self.results.get(call.method)
        if isinstance(result, Exception):
            raise result
        return result

    def wait(self, calls: Sequence[Call], **_: object) -> tuple[Sequence[Call], list[Call]]:
        return calls, []
