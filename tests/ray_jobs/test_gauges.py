"""Gauges ask every actor, wait for none that is busy, and say what was told last."""

from collections.abc import Callable, Sequence

import pytest
from ray.exceptions import RayActorError

from ray_jobs import gauges
from ray_jobs.gauges import Gauges

Answer = int | Exception


class Busy:
    """Stands for the module `ray`: a call is a number, and has an answer once the test gives it one."""

    def __init__(self) -> None:
        self.calls = 0
        self.answers: dict[int, Answer] = {}

    def ask(self) -> int:
        self.calls += 1
        return self.calls

    def wait(self, calls: Sequence[int], **_: float) -> tuple[list[int], list[int]]:
        return [call for call in calls if call in self.answers], []

    def get(self, call: int) -> int:
        answer = self.answers[call]
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Busy:
    busy = Busy()
    monkeypatch.setattr(gauges, "ray", busy)
    return busy


def test_what_was_told_last_stands_while_an_actor_is_busy_and_it_is_asked_once(ray: Busy) -> None:
    read, actors = Gauges().read, {"a": ray.ask, "b": ray.ask}
    assert read(actors, 0.0) == {}
    ray.answers[1] = 10
    assert read(actors, 0.0) == {"a": 10}
    assert ray.calls == 2, "one that has not answered is not asked again"
    assert read(actors, 0.0) == {"a": 10}
    ray.answers |= {2: 20, 3: 11}
    assert read(actors, 0.0) == {"a": 11, "b": 20}


def test_of_actors_that_are_gone_nothing_is_told(ray: Busy) -> None:
    read = Gauges().read
    actors: dict[str, Callable[[], int]] = {"a": ray.ask, "b": ray.ask}
    ray.answers = {1: 10, 2: 20}
    assert read(actors, 0.0) == {"a": 10, "b": 20}
    ray.answers |= {3: RayActorError(), 4: 21}
    assert read(actors, 0.0) == {"b": 21}
    assert read({}, 0.0) == {}
