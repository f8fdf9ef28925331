"""Live progress of a run: debates, calls and tokens per second by model, time left."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ray_jobs.ended import Extent
from ray_jobs.progress_count import Count
from ray_jobs.readings import BudgetReading
from ray_jobs.stage_block import DEBATES
from ray_jobs.stages import Stage
from ray_jobs.status import Status

WINDOW_SECONDS = 30.0  # rates are over the last half minute: steady, yet soon to show a stall
LINE_SECONDS = 10.0  # where the output is no terminal, one line this often


class Progress:
    """Shows on `console` how a run goes: redrawn in place on a terminal, else a line every ten seconds."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._extents: Mapping[str, tuple[int, int]] = {}
        self._stages: Mapping[str, Stage] = {}
        self._began = 0.0
        self._counts: deque[Count] = deque()
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._last_line = 0.0
        self._short = False

    def say(self, text: str) -> None:
        """One line about what happens now."""
        self._console.print(text, highlight=False, markup=False)

    def warn(self, text: str) -> None:
        """One line that the user ought to read."""
        self._console.print(f"[yellow]warning:[/] {escape(text)}", highlight=False)

    def begin(self, extents: Iterable[Extent], stages: Mapping[str, Stage]) -> None:
        """From here on the debates of these extents are to end, of the designs first."""
        self._extents = {extent.stage: (extent.ended, extent.most) for extent in extents}
        self._stages = stages
        self._began = time.monotonic()
        self._counts.append(Count.of([], self._began))

    def __enter__(self) -> Progress:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()
        now = self._counts[-1]
        took = timedelta(seconds=round(time.monotonic() - self._began))
        done = "; ".join(self._said_all(now, " have ended"))
        taken = f", {now.taken_over:,} replies taken over from another run" if now.taken_over else ""
        self._console.print(f"{done}; {now.calls.total():,} calls in {took}{taken}", highlight=False)

    def report(self, statuses: Sequence[Status]) -> None:
        """Takes in what the moderators tell, and shows it."""
        now = Count.of(statuses, time.monotonic())
        if not now.calls.total():
            self._counts.clear()  # rates count from the first reply on, not from the start of the engines
        self._counts.append(now)
        while len(self._counts) > 2 and now.time - self._counts[1].time > WINDOW_SECONDS:
            self._counts.popleft()
        if self._console.is_terminal:
            self._live.update(self._panel(now), refresh=True)
        elif now.time - self._last_line >= LINE_SECONDS:
            self._last_line = now.time
            self._console.print(f"{self._line(now)} · {self._left(now)}", highlight=False)

    @property
    def line(self) -> str:
        """How far the run is, in words."""
        return self._line(self._counts[-1])

    @property
    def left(self) -> str:
        """How long it will take yet, in words."""
        return self._left(self._counts[-1])

    def budget(self, budget: BudgetReading | None) -> None:
        """Takes in how the budget stands, if there is one: it may end before the debates do."""
        self._short = budget is not None and self._runs_short(budget, self._counts[-1])

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
        most = sum(self._most(now, stage) for stage in self._extents)
        bar = ProgressBar(total=most, completed=most - self._to_come(now), width=40)
        return Group(Text(f"{self._line(now)} · {self._left(now)}"), bar, models)

    def _line(self, now: Count) -> str:
        first = self._counts[0]
        done = " · ".join(self._said_all(now))
        calls = self._rate(now.calls.total(), first.calls.total())
        tokens = self._rate(now.tokens.total(), first.tokens.total())
        speed = f"{calls:,.1f} calls/s · {tokens:,.0f} tokens/s"
        return f"{done} · {now.open:,} open · {speed}"

    def _said_all(self, now: Count, ended: str = "") -> list[str]:
        """How far each stage is, in words; after the debates it is said that they have `ended`."""
        return [
            self._said(now, stage, f" debates{ended}")
            if stage == DEBATES
            else f"{stage}: {self._said(now, stage)}"
            for stage in self._extents
        ]

    def _said(self, now: Count, stage: str, what: str = "") -> str:
        failed = f", {now.failed[stage]:,} failed" if now.failed[stage] else ""
        return f"{self._ended(now, stage):,} of {self._most(now, stage):,}{what}{failed}"

    def _ended(self, now: Count, stage: str) -> int:
        return self._extents[stage][0] + now.ended(stage)

    def _most(self, now: Count, name: str) -> int:
        """How many debates of the stage there can still be: fewer with each that it makes nothing of."""
        most = self._extents[name][1]
        stage = self._stages.get(name)
        if stage is None or stage.source not in self._extents:
            return most
        fewer = self._extents[stage.source][1] - self._most(now, stage.source) + now.let_go(stage)
        return most - fewer * len(stage.cells)

    def _to_come(self, now: Count) -> int:
        """How many debates of all stages may still end."""
        return sum(self._most(now, stage) - self._ended(now, stage) for stage in self._extents)

    def _left(self, now: Count) -> str:
        if not self._to_come(now):
            return "nothing left"
        if self._short:
            return "the budget will end first"
        first = self._counts[0]
        ended, before = (sum(map(count.ended, self._extents)) for count in (now, first))
        rate = self._rate(ended, before)
        if not rate:
            return "time left unknown"
        return f"{timedelta(seconds=max(0, round(self._to_come(now) / rate)))} left"

    def _runs_short(self, budget: BudgetReading, now: Count) -> bool:
        """Whether the rest of the debates takes more than is left, if it costs what they have cost so far."""
        ended = sum(map(now.ended, self._extents))
        if not ended:
            return False
        share = self._to_come(now) / ended
        usd = share * sum(spent.usd for spent in budget.models.values())
        tokens = share * sum(spent.tokens for spent in budget.models.values())
        return (budget.usd is not None and budget.spent.usd + usd > budget.usd) or (
            budget.tokens is not None and budget.spent.tokens + tokens > budget.tokens
        )

    def _rate(self, now: float, first: float) -> float:
        span = self._counts[-1].time - self._counts[0].time
        return (now - first) / span if span else 0.0
