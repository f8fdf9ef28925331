"""What `moot power` prints: sizes with their cost, then what the planned size would find."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from analysis.money import dollars
from analysis.power.expected import EQUIVALENT, Expected
from analysis.power.size import Size
from analysis.power.trial import DIFFERENCE, SLOPE
from ray_jobs.estimate import Range
from ray_jobs.forecast import Span

TITLES = {
    SLOPE: "Slopes, as odds ratios",
    DIFFERENCE: "Differences between models, as ratios of odds ratios",
}
WORST = ("×÷", "≠ 0", "differ", "equivalent")
MOST_RATES = 16
"""Differences between conditions that are printed; the others stand in the file."""

Cost = tuple[Range, Span | None]
"""Calls and US dollars, null where a price is not known."""


def power_page(found: Expected, cost: Mapping[Size, Cost], planned: Size) -> RenderableType:
    """The tables of all sizes and of the planned one."""
    at = (found.parameters["dilemmas"] == planned.dilemmas) & (
        found.parameters["repetitions"] == planned.repetitions
    )
    parameters = found.parameters[at]
    parts: list[RenderableType] = ["", _sizes(found, cost), _note_on_sizes(), ""]
    for kind, title in TITLES.items():
        if (of_kind := parameters["kind"] == kind).any():
            parts += [_parameters(f"{title}: {planned}", parameters[of_kind]), ""]
    parts.append(_note_on_parameters())
    if len(found.rates):
        parts += ["", _rates(found.rates, planned), _note_on_rates(found.rates)]
    return Group(*parts)


def _sizes(found: Expected, cost: Mapping[Size, Cost]) -> Table:
    table = _table("Sizes, each with the least certain slope and difference between models")
    for heading in ("dilemmas", "rep.", "verdicts", "each", "calls", "US dollars", "draws", *WORST):
        table.add_column(heading, justify="right")
    for row in found.sizes.itertuples():
        size = Size(int(row.repetitions), int(row.dilemmas))  # type: ignore[arg-type]
        here = found.parameters.query(f"dilemmas == {size.dilemmas} and repetitions == {size.repetitions}")
        slopes, differences = here[here["kind"] == SLOPE], here[here["kind"] == DIFFERENCE]
        calls, usd = cost[size]
        table.add_row(
            f"{size.dilemmas:,}",
            str(size.repetitions),
            f"{row.verdicts:,.0f}",
            f"{row.per_dilemma:,.1f}",
            _range(f"{calls.least:,}", f"{calls.most:,}"),
            _dollars(usd),
            str(row.draws),
            _factor(slopes["half_width"].max()),
            _percent(slopes["power"].min()),
            _percent(differences["power"].min()),
            _percent(slopes["equivalence"].min()),
        )
    return table


def _note_on_sizes() -> Text:
    low, high = EQUIVALENT
    return Text(
        "each: verdicts of a dilemma. ×÷: the 95% interval of an odds ratio goes from it divided by this to"
        " it times this. ≠ 0, differ: power of a test at 5%. Equivalent: the chance that two one-sided tests"
        f" find the odds ratio within {low:g} to {high:g} times the true one, as a replication that truly"
        " replicates should. Calls and dollars are those of moot plan, for the whole experiment.",
        style="dim",
    )


def _parameters(title: str, rows: pd.DataFrame) -> Table:
    table = _table(title)
    for heading in ("term", "model"):
        table.add_column(heading, overflow="fold")
    for heading in ("truth", "95% interval", "SE", "bias", "covered", "power", "rejected", "equivalent"):
        table.add_column(heading, justify="right")
    for row in rows.to_dict("records"):
        table.add_row(
            row["term"],
            f"{row['model']} / {row['other']}" if row["other"] else row["model"],
            f"{row['odds_ratio']:.2f}",
            f"{row['odds_low']:.2f}–{row['odds_high']:.2f}",
            f"{row['se']:.3f}",
            _bias(row["bias"], row["bias_error"]),
            _percent(row["coverage"]),
            _percent(row["power"]),
            _percent(row["rejected"]),
            _percent(row["equivalence"]),
        )
    return table


def _bias(bias: float, error: float) -> str:
    """With its Monte-Carlo error, which a single draw does not tell."""
    told = "" if np.isnan(error) else f" ± {error:.3f}"
    return f"{bias:+.3f}{told}".replace("-", "−")


def _note_on_parameters() -> Text:
    return Text(
        "95% interval: where it is expected to lie. SE and bias are in log-odds, errors clustered by dilemma;"
        " bias with its Monte-Carlo error. Covered: the share of draws whose interval holds the truth. Power"
        " follows from the errors of all draws, and from the bias where it is beyond two of its own errors;"
        " rejected is the share of draws in which the test finds the effect. Where models do not differ in"
        " truth, both are the size of the test.",
        style="dim",
    )


def _rates(rates: pd.DataFrame, planned: Size) -> Table:
    table = _table(f"Differences between conditions, 95% interval in points: {planned}")
    table.add_column("difference", overflow="fold")
    here = rates.query(f"dilemmas == {planned.dilemmas} and repetitions == {planned.repetitions}")
    by_measure = here.pivot_table("half_width", "contrast", "measure", sort=False).head(MOST_RATES)
    for measure in by_measure.columns:
        table.add_column(str(measure), justify="right")
    for contrast, row in by_measure.iterrows():
        table.add_row(str(contrast), *(f"± {100 * half:.1f}" for half in row))
    return table


def _note_on_rates(rates: pd.DataFrame) -> Text:
    left = rates["contrast"].nunique() - MOST_RATES
    further = f" {left} more stand in rates.csv." if left > 0 else ""
    return Text(
        "Share of debates that end in consensus, and in which a seat changes its verdict; expected half-width"
        f" by bootstrap over dilemmas, paired.{further}",
        style="dim",
    )


def _dollars(span: Span | None) -> str:
    if span is None:
        return "unknown"
    return _range(dollars(span.least), dollars(span.most))


def _range(least: str, most: str) -> str:
    return least if least == most else f"{least}–{most}"


def _factor(half_width: float) -> str:
    with np.errstate(over="ignore"):
        return "–" if np.isnan(half_width) else f"{np.exp(half_width):.2f}"


def _percent(share: float) -> str:
    return "–" if np.isnan(share) else f"{100 * share:.0f}%"


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
