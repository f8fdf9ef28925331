"""The second section of a report: what could be read, what it took, and what failed."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa

from analysis import failures, readings, totals
from analysis.report.conditions import Conditions
from analysis.report.document import Exhibit, Section
from analysis.report.table import Cell, Group, Table
from analysis.report.tabulated import Layout, tabulated
from analysis.report.units import NONE, PERCENT, count, several
from analysis.tally import CONDITION


def losses(tallies: pa.Table) -> Section:
    """The section. What was lost is in no figure of the sections that follow, unless they say so."""
    read, models = readings.estimate(tallies), totals.estimate_models(tallies)
    exhibits = [
        Exhibit(
            "Reading",
            ["Turns that are ok or repaired carry a verdict; all others are unreadable."],
            absent="" if len(read) else "There is no turn of a finished debate yet.",
            tables=[_readings(read)] if len(read) else [],
        ),
        Exhibit(
            "Calls and tokens",
            [f"In finished debates and judgments; {NONE} where a backend did not say."],
            absent="" if len(models) else "There is no reply of a finished debate yet.",
            tables=[_models(models)] if len(models) else [],
        ),
        _failures(failures.estimate(tallies)),
    ]
    return Section(
        "losses", "What was read, and what was lost", [_counted(totals.estimate(tallies))], exhibits
    )


def _counted(sums: pd.DataFrame) -> str:
    [total] = sums.to_dict("records")
    ended = f"{several(int(total['debates']), 'debate')} finished and {count(total['failed'])} failed"
    if total["judgments"] or total["failed_judgments"]:
        judged = f"{several(int(total['judgments']), 'judgment')} finished"
        ended += f"; {judged} and {count(total['failed_judgments'])} failed"
    return f"{ended}. What failed leaves every denominator."


def _readings(read: pd.DataFrame) -> Table:
    caption = (
        "Turns by how they could be read, in percent; below each its 95% interval by bootstrap over cases."
    )
    layout = Layout(Conditions(pd.DataFrame(columns=list(CONDITION))), PERCENT, "status")
    return tabulated("readings", caption, read, layout)


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


def _failures(failed: pd.DataFrame) -> Exhibit:
    if failed.empty:
        return Exhibit("Failures", ["No debate and no judgment failed."])
    rows = [
        [Cell(str(row["error_class"])), Cell(count(row["debates"])), Cell(count(row["judgments"]))]
        for row in failed.to_dict("records")
    ]
    heads = ["error", "debates", "judgments"]
    table = Table("failures", "What failed, by its last error.", heads, 1, [Group("", rows)], failed)
    return Exhibit("Failures", ["Given up after several attempts; in no other figure."], tables=[table])
