"""The part of `moot plan` that tells cost and time."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from analysis.money import dollars
from ray_jobs.budget import Budget
from ray_jobs.forecast import SPEEDS, Forecast, Span, total_cost, total_gpu_hours, total_hours


def cost_page(found: list[Forecast], budget: Budget | None) -> RenderableType:
    """A table of the models' cost and hours, with their totals, and what is to be known of each model."""
    table = Table(title="Cost and time", title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("model")
    on_gpus = any(each.gpu_hours for each in found)
    for heading in ("US dollars", "hours", *(["GPU-hours"] if on_gpus else [])):
        table.add_column(heading, justify="right")
    for each in found:
        gpus = [_hours(each.gpu_hours) if each.gpu_hours else "–"] if on_gpus else []
        table.add_row(each.model, _dollars(each.cost), _hours(each.hours), *gpus)
    table.add_section()
    gpus = [_hours(total_gpu_hours(found))] if on_gpus else []
    table.add_row("all", _dollars(total_cost(found)), _hours(total_hours(found)), *gpus)
    notes = [Text(f"{each.model}: {note}") for each in found for note in each.notes]
    return Group("", table, *_budget(budget), *notes, _basis())


def _basis() -> Text:
    slow, fast = SPEEDS
    return Text(
        "Dollars go from replies of one token to replies as long as max_tokens allows, without what the"
        " caches of providers save. Hours are what the declared limits and in_flight take if replies are that"
        f" long and come at {fast:g} to {slow:g} tokens/s each; models work side by side. Engines of our own"
        " cost no dollars; their hours go from replies of one token to the longest, at the rate told above.",
        style="dim",
    )


def _budget(budget: Budget | None) -> list[Text]:
    if budget is None:
        return []
    caps = [dollars(budget.usd)] if budget.usd is not None else []
    caps += [f"{budget.tokens:,} tokens"] if budget.tokens is not None else []
    return [Text(f"budget: at most {' and '.join(caps)}, over all starts of the run")]


def _dollars(span: Span | None) -> str:
    return _span(span, dollars)


def _hours(span: Span | None) -> str:
    return _span(span, lambda hours: f"{hours:,.2f}" if hours >= 0.01 else "under 0.01")


def _span(span: Span | None, shown: Callable[[float], str]) -> str:
    if span is None:
        return "unknown"
    least, most = shown(span.least), shown(span.most)
    return least if least == most else f"{least} to {most}"
