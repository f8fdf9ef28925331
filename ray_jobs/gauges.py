"""Reading actors without waiting for one that is busy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ray
from ray.exceptions import RayError


class Gauges:
    """Asks actors how they are, and never waits for one that does not say: what it said last stands."""

    def __init__(self) -> None:
        self._asked: dict[Any, object] = {}
        self._last: dict[object, Any] = {}

    def read(self, actors: Mapping[Any, Callable[[], Any]], patience: float) -> dict[Any, Any]:
        """What each of these last told, by key; each is asked, within `patience` seconds all together.

        Of an actor that has not told anything yet, or is gone, there is nothing.
        """
        for key, ask in actors.items():
            if key not in self._asked.values():
                self._asked[ask()] = key
        if not self._asked:
            return {}
        ready, _ = ray.wait(list(self._asked), num_returns=len(self._asked), timeout=patience)
        for call in ready:
            key = self._asked.pop(call)
            try:
                self._last[key] = ray.get(call)
            except RayError:
                self._last.pop(key, None)
        return {key: self._last[key] for key in actors if key in self._last}
