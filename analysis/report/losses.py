"""The second section of a report: what could be read, what it took, and what failed."""

from __future__ import annotations

import pandas as pd

from analysis.readings import STATUSES
from analysis.report.document import Exhibit, Section
from analysis.report.table import Cell, Group, Table
from analysis.report.units import NONE, PERCENT, count, several
from analysis.summary import Summary


def losses(summary: Summary) -> Section:
    """The section. What was lost is in no figure of the sections that follow, unless they say so."""
    exhibits = [
        Exhibit(
            "Reading",
            ["Turns that are ok or repaired carry a verdict; all others are unreadable."],
            absent="" if len(summary.readings) else "there is no turn of a finished debate yet.",
            tables=[_readings(summary.readings)] if len(summary.readings) else [],
        ),
        Exhibit(
            "Calls and tokens",
            [f"In finished debates and judgments; {NONE} where a backend did not say."],
            absent="" if len(summary.models) else "there is no reply of a finished debate yet.",
            tables=[_models(summary.models)] if len(summary.models) else [],
        ),
        _failures(summary.failures),
    ]
    return Section("losses", "What was read, and what was lost", [_counted(summary.totals)], exhibits)


def _counted(totals: pd.DataFrame) -> str:
    [total] = totals.to_dict("records")
    ended = f"{several(int(total['debates']), 'debate')} finished and {count(total['failed'])} failed"
    if total["judgments"] or total["failed_judgments"]:
        judged = (
            f"{several(int(total['judgments']), 'judgment')} finished and {count(total['failed_judgments'])}"
        )
        ended += f"; {judged} failed"
    return f"{ended}. What failed leaves every denominator."


def _readings(readings: pd.DataFrame) -> Table:
    rows = []
    for model, own in readings.groupby("model", observed=True, sort=False):
        shares = [
            Cell(PERCENT.number(share), PERCENT.interval(low, high))
            for share, low, high in zip(own["share"], own["low"], own["high"], strict=True)
        ]
        rows.append([Cell(str(model)), *shares, Cell(count(own["n"].iloc[0]))])
    caption = "Turns by how they could be read, in percent, with 95% Wilson intervals."
    return Table("readings", caption, ["model", *STATUSES, "turns"], 1, [Group("", rows)], readings)


def _models(models: pd.DataFrame) -> Table:
    heads = ["model", "calls", "cut off", "tokens read", "of them cached", "tokens written", "cost, USD"]
    sums = ("calls", "cut_off", "prompt_tokens", "cached_tokens", "completion_tokens")
    rows = [
        [Cell(str(row["model"])), *(Cell(count(row[name])) for name in sums), Cell(_money(row["cost_usd"]))]
        for row in models.to_dict("records")
    ]
    caption = "What each model was asked and said. Cut off: replies that max_tokens ended."
    return Table("models", caption, heads, 1, [Group("", rows)], models)


def _money(cost: float | None) -> str:
    return NONE if pd.isna(cost) else f"{cost:,.2f}"


def _failures(failures: pd.DataFrame) -> Exhibit:
    if failures.empty:
        return Exhibit("Failures", ["No debate and no judgment failed."])
    rows = [
        [Cell(str(row["error_class"])), Cell(count(row["debates"])), Cell(count(row["judgments"]))]
        for row in failures.to_dict("records")
    ]
    heads = ["error", "debates", "judgments"]
    table = Table("failures", "What failed, by its last error.", heads, 1, [Group("", rows)], failures)
    return Exhibit("Failures", ["Given up after several attempts; in no other figure."], tables=[table])
