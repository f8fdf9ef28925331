"""What a moderator is told at its start, and what it tells of itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from ray_jobs.claims import Claim
from ray_jobs.ended import STANDINGS


@dataclass(frozen=True, slots=True)
class Task:
    """What a moderator must know of the run: where it is, the claim under which it is played, open `models`.

    `lease` is the claim that holds the run: the first of this process.

    `debates` is another run, which may be played meanwhile, if those that stages come from are in it.
    """

    run: str
    claim: Claim
    lease: str
    models: frozenset[str]
    debates: str | None = None


@dataclass
class Status:
    """What a moderator has done since it began.

    Calls and tokens count by model, `finished` by stage and outcome, `failed` by stage. Of the debates
    handed out, `ended`
    have ended with all that follows from them; `batches` of ended debates, numbered from 0, are in the
    tables. `taken_over` counts replies of another run, `lost` is as in `Post`, `stopped` names the models
    that answer nothing more, and why; `failures` holds, by model (none where a protocol failed) and class of
    error, the message of the first ask that failed so. Every model and stage stands in the counters from
    the start: another thread reads them while they grow.
    """

    calls: Counter[str]
    prompt_tokens: Counter[str]
    completion_tokens: Counter[str]
    finished: Counter[tuple[str, str]]
    failed: Counter[str]
    open: int = 0
    ended: int = 0
    taken_over: int = 0
    batches: int = 0
    lost: Mapping[tuple[str, int, int], str] = field(default_factory=dict)
    stopped: Mapping[str, str] = field(default_factory=dict)
    failures: dict[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def of(cls, models: Iterable[str], stages: Sequence[str]) -> Status:
        """Nothing done yet."""
        asked, failed = Counter(dict.fromkeys(models, 0)), Counter(dict.fromkeys(stages, 0))
        finished = Counter(dict.fromkeys(product(stages, STANDINGS), 0))
        return cls(asked.copy(), asked.copy(), asked.copy(), finished, failed)

    @property
    def moves(self) -> int:
        """A number that grows whenever anything has been answered or has ended."""
        return self.calls.total() + self.finished.total() + self.failed.total() + self.ended
