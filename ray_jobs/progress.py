"""Live progress of a run: debates, calls and tokens per second by model, time left."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ray_jobs.stage_block import DEBATES
from ray_jobs.status import Status

WINDOW_SECONDS = 30.0  # rates are over the last half minute: steady, yet soon to show a stall
LINE_SECONDS = 10.0  # where the output is no terminal, one line this often


@dataclass(frozen=True, slots=True)
class Count:
    """How far a run is at one moment.

    `ended` is by stage; calls, and tokens of prompts and completions together, by model.
    """

    time: float
    open: int
    ended: Counter[str]
    failed: int
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
        ended: Counter[str] = sum((status.finished + status.failed for status in statuses), Counter())
        failed = sum(status.failed.total() for status in statuses)
        is_open, taken = (sum(getattr(each, what) for each in statuses) for what in ("open", "taken_over"))
        return cls(time, is_open, ended, failed, taken, calls, tokens)


class Progress:
    """Shows on `console` how a run goes: redrawn in place on a terminal, else a line every ten seconds."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._stages: Mapping[str, tuple[int, int]] = {}
        self._began = 0.0
        self._counts: deque[Count] = deque()
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._last_line = 0.0

    def say(self, text: str) -> None:
        """One line about what happens now."""
        self._console.print(text, highlight=False, markup=False)

    def warn(self, text: str) -> None:
        """One line that the user ought to read."""
        self._console.print(f"[yellow]warning:[/] {escape(text)}", highlight=False)

    def begin(self, stages: Mapping[str, tuple[int, int]]) -> None:
        """From here on the debates of these stages are to end: how many had before, how many they may be."""
        self._stages = stages
        self._began = time.monotonic()
        self._counts.append(Count(self._began, 0, Counter(), 0, 0, Counter(), Counter()))

    def __enter__(self) -> Progress:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()
        now = self._counts[-1]
        failed = f", {now.failed:,} failed" if now.failed else ""
        took = timedelta(seconds=round(time.monotonic() - self._began))
        done = f"{self._debates(now)} have ended{failed}"
        stages = "".join(f"; {stage}" for stage in self._further(now))
        taken = f", {now.taken_over:,} replies taken over from another run" if now.taken_over else ""
        self._console.print(f"{done}{stages}; {now.calls.total():,} calls in {took}{taken}", highlight=False)

    def report(self, statuses: Sequence[Status]) -> None:
        """Takes in what the moderators tell, and shows it."""
        now = Count.of(statuses, time.monotonic())
        self._counts.append(now)
        while len(self._counts) > 2 and now.time - self._counts[1].time > WINDOW_SECONDS:
            self._counts.popleft()
        if self._console.is_terminal:
            self._live.update(self._panel(now), refresh=True)
        elif now.time - self._last_line >= LINE_SECONDS:
            self._last_line = now.time
            self._console.print(self._line(now))

    @property
    def line(self) -> str:
        """How far the run is, in words."""
        return self._line(self._counts[-1]).plain

    @property
    def models(self) -> dict[str, dict[str, float]]:
        """By model: calls, and the rates of the last half minute."""
        now, first = self._counts[-1], self._counts[0]
        return {
            model: {
                "calls": calls,
                "calls/s": self._rate(calls, first.calls[model]),
                "tokens/s": self._rate(now.tokens[model], first.tokens[model]),
            }
            for model, calls in sorted(now.calls.items())
        }

    def _panel(self, now: Count) -> RenderableType:
        models = Table(box=None, pad_edge=False)
        for heading in ("model", "calls", "calls/s", "tokens/s"):
            models.add_column(heading, justify="left" if heading == "model" else "right")
        first = self._counts[0]
        for model in sorted(now.calls):
            rates = (
                self._rate(c[model], f[model])
                for c, f in ((now.calls, first.calls), (now.tokens, first.tokens))
            )
            models.add_row(model, f"{now.calls[model]:,}", *(f"{rate:,.1f}" for rate in rates))
        bar = ProgressBar(total=self._most, completed=self._most - self._to_come(now), width=40)
        return Group(Text.assemble(self._line(now)), bar, models)

    def _line(self, now: Count) -> Text:
        first = self._counts[0]
        stages = "".join(f" · {stage}" for stage in self._further(now))
        failed = f", {now.failed} failed" if now.failed else ""
        calls = self._rate(now.calls.total(), first.calls.total())
        tokens = self._rate(now.tokens.total(), first.tokens.total())
        return Text(
            f"{self._debates(now)}{failed}{stages} · {now.open:,} open · {calls:,.1f} calls/s"
            f" · {tokens:,.0f} tokens/s · {self._left(now)}"
        )

    def _debates(self, now: Count) -> str:
        before, most = self._stages[DEBATES]
        return f"{before + now.ended[DEBATES]:,} of {most:,} debates"

    def _further(self, now: Count) -> list[str]:
        """How far each further stage is, in words."""
        return [
            f"{stage}: {before + now.ended[stage]:,} of at most {most:,}"
            for stage, (before, most) in self._stages.items()
            if stage != DEBATES
        ]

    @property
    def _most(self) -> int:
        return sum(most for _, most in self._stages.values())

    def _to_come(self, now: Count) -> int:
        """How many debates of all stages may still end."""
        return self._most - sum(before for before, _ in self._stages.values()) - now.ended.total()

    def _left(self, now: Count) -> str:
        rate = self._rate(now.ended.total(), self._counts[0].ended.total())
        if not rate:
            return "time left unknown"
        return f"{timedelta(seconds=max(0, round(self._to_come(now) / rate)))} left"

    def _rate(self, now: float, first: float) -> float:
        span = self._counts[-1].time - self._counts[0].time
        return (now - first) / span if span else 0.0
