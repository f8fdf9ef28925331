"""How far a run is at one moment, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ray_jobs.stages import Stage
from ray_jobs.status import Status


@dataclass(frozen=True, slots=True)
class Count:
    """How far a run is at one moment.

    `finished` is by stage and standing, `failed` by stage; calls, and tokens of prompts and completions
    together, by model.
    """

    time: float
    open: int
    finished: Counter[tuple[str, str]]
    failed: Counter[str]
    taken_over: int
    calls: Counter[str]
    tokens: Counter[str]

    @classmethod
    def of(cls, statuses: Sequence[Status], time: float) -> Count:
        """The sum over moderators."""
        calls: Counter[str] = sum((status.calls for status in statuses), Counter())
        tokens: Counter[str] = Counter()
        for status in statuses:
            tokens += status.prompt_tokens + status.completion_tokens
        finished: Counter[tuple[str, str]] = sum((status.finished for status in statuses), Counter())
        failed: Counter[str] = sum((status.failed for status in statuses), Counter())
        is_open, taken = (sum(getattr(each, what) for each in statuses) for what in ("open", "taken_over"))
        return cls(time, is_open, finished, failed, taken, calls, tokens)

    def ended(self, stage: str) -> int:
        """How many debates of the stage have ended, well or not."""
        finished = sum(count for (of_stage, _), count in self.finished.items() if of_stage == stage)
        return finished + self.failed[stage]

    def let_go(self, stage: Stage) -> int:
        """How many debates that the stage comes from have ended so that it makes nothing of them."""
        standings = ((of, standing, count) for (of, standing), count in self.finished.items())
        lost = sum(n for of, standing, n in standings if of == stage.source and not stage.keeps(standing))
        return lost + self.failed[stage.source]
