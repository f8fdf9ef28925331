"""Which replica answers for which debate: all asks of one debate to one model go to the same one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ray_jobs.line import Line


class Post:
    """A moderator's lines to every replica of every model, and how many open debates use each."""

    def __init__(self, agents: Mapping[str, Sequence[Any]], moderator: str) -> None:
        self._lines = {
            model: [Line(agent, moderator) for agent in replicas] for model, replicas in agents.items()
        }
        self._debates = {line: 0 for lines in self._lines.values() for line in lines}

    @contextmanager
    def lines(self, models: Iterable[str]) -> Iterator[dict[str, Line]]:
        """For one debate, the line to its replica of each model: the one with fewest open debates."""
        chosen = {model: min(self._lines[model], key=self._debates.__getitem__) for model in set(models)}
        for line in chosen.values():
            self._debates[line] += 1
        try:
            yield chosen
        finally:
            for line in chosen.values():
                self._debates[line] -= 1

    def close(self) -> None:
        """Hangs up every line."""
        for line in self._debates:
            line.close()
