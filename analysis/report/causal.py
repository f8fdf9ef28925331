"""The section on designed arms: what they identify, beside what Eq. 2 makes of the debates."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.causal.quantities import BY_NAME, Quantity
from analysis.causal.study import Causal
from analysis.report.document import Exhibit, Section
from analysis.report.figure import Figure
from analysis.report.forest import Mark, Row, forest, odds_scale, scale, series
from analysis.report.inertia_tables import LOG_ODDS
from analysis.report.table import Cell, Group, Table
from analysis.report.tabulated import probability
from analysis.report.units import NONE, ODDS, PERCENT, POINTS, Unit, count

NAME, TITLE = "causal", "Designed arms"

TEXT = (
    "Debates that are only observed cannot tell whether a seat stays with its verdict because it gave it, or"
    " because whatever made it give it lasts; nor whether it goes along with what it hears, or would have"
    " said the same. Arms can: in one, seats are asked again and hear nobody; in the other, the plan draws"
    " the verdict of a confederate.",
    "Estimates with a ● are identified by the design; the others stand beside them. Debates with a planted"
    " verdict are in no other section but that of what was read and lost.",
)

TITLES = {
    "alpha": "Inertia alone, by asking again",
    "gamma_prev": "Conformity to earlier rounds, by planted verdicts",
    "gamma_within": "Conformity within the round, by planted verdicts",
}

HEARD = (
    "The verdict of a confederate is drawn by the plan. Compared is how often what was drawn is given by who"
    " has just heard it, with how often each verdict is that could have been drawn and was not."
)

DEFINED = {
    "alpha": (
        "A seat is asked for its verdict again and again. Staying is how often it keeps the verdict, less how"
        " often that is the one before it of another debate's conversation about the case. Inertia within"
        " conversations rests on the order of their verdicts alone."
    ),
    "gamma_prev": f"{HEARD} Here it was heard in the round before.",
    "gamma_within": f"{HEARD} Here it was heard in the same round.",
}

DIFFERENCES = ("kept_more", "conformity", "conformity_eq2")

HERE = "Not in the paper; the model beside it is Eq. 2 of arXiv 2510.10002."


def causal_sections(found: Causal) -> list[Section]:
    """The section of a run with designed arms; none without."""
    if found.table.empty and not found.notes:
        return []
    exhibits = [_exhibit(str(term), own) for term, own in found.table.groupby("term", sort=False)]
    return [Section(NAME, TITLE, [*TEXT, *found.notes], exhibits)]


def _exhibit(term: str, own: pd.DataFrame) -> Exhibit:
    seen = [BY_NAME[name] for name in dict.fromkeys(own["quantity"])]
    shares = own[own["quantity"].isin(DIFFERENCES)]
    slopes = own[own["scale"] == "log-odds"]
    figures = [
        _figure(f"causal-{term}", "Odds ratios", slopes),
        _figure(f"causal-{term}-shares", "Differences of shares", shares),
    ]
    return Exhibit(
        TITLES[term],
        [DEFINED[term]],
        HERE,
        figures=[one for one in figures if one is not None],
        tables=[_table(term, own), _sayings(term, seen)],
    )


def _table(term: str, own: pd.DataFrame) -> Table:
    doses = own.loc[own["heard"] > 0, "heard"].nunique() > 1
    groups = [
        Group(str(model), [_row(row, doses) for row in rows.to_dict("records")])
        for model, rows in own.groupby("model", sort=False)
    ]
    caption = (
        "Shares in percent and their differences in points, slopes as odds ratios, a difference of slopes in"
        " log-odds; below each its 95% interval by cases. ● is identified by the design."
    )
    heads = ["estimate of", "estimate", "p", "count", "of", "cases", "unreadable", "failed"]
    return Table(f"causal-{term}", caption, heads, 1, groups, own)


def _row(row: Mapping[Hashable, Any], doses: bool) -> Sequence[Cell]:
    known = BY_NAME[str(row["quantity"])]
    unit = _unit(known)
    dose = f" ({row['heard']} heard)" if doses and row["heard"] else ""
    both = pd.notna(row["against_denominator"])
    counts = [NONE if both else count(row[one]) for one in ("numerator", "denominator")]
    lost = [
        count(row[one]) if known.arm in ("reask", "planted") else NONE for one in ("unreadable", "failed")
    ]
    return [
        Cell(f"{'● ' if known.designed else ''}{known.words}{dose}", rests=str(row["reason"])),
        Cell(unit.number(row["estimate"]), unit.interval(row["low"], row["high"])),
        Cell(probability(row["p"]) if known.name == "conformity" else NONE),
        *map(Cell, (*counts, count(row["cases"]), *lost)),
    ]


def _unit(known: Quantity) -> Unit:
    if known.scale == "probability":
        return POINTS if known.name in DIFFERENCES else PERCENT
    return LOG_ODDS if known.name == "alpha_difference" else ODDS


def _sayings(term: str, seen: Sequence[Quantity]) -> Table:
    """What each line says and assumes."""
    told = pd.DataFrame(
        [(one.words, one.arm, one.says) for one in seen], columns=["estimate of", "from", "says"]
    )
    rows = [[Cell(str(word)) for word in row] for row in told.itertuples(index=False)]
    return Table(
        f"causal-{term}-says", "What each says and assumes.", list(told.columns), 3, [Group("", rows)], told
    )


def _figure(name: str, words: str, rows: pd.DataFrame) -> Figure | None:
    """A panel for each model, a row for each estimate; none where nothing is estimated."""
    shown = rows[(rows["quantity"] != "alpha_difference") & rows["estimate"].notna()]
    if shown.empty:
        return None
    lines = {
        str(model): [_line(row) for row in own.to_dict("records")]
        for model, own in shown.groupby("model", sort=False)
    }
    ratios = bool((shown["scale"] == "log-odds").all())
    along = (odds_scale if ratios else scale)(row for own in lines.values() for row in own)
    panels = [forest(model, own, along, ODDS if ratios else POINTS) for model, own in lines.items()]
    caption = f"{words}; lines are 95% intervals by cases, {1 if ratios else 0} is no effect."
    return Figure(name, caption, series(["identified by the design", "beside it"]), panels, shown)


def _line(row: Mapping[Hashable, Any]) -> Row:
    known = BY_NAME[str(row["quantity"])]
    mark = Mark(row["estimate"], row["low"], row["high"], 0 if known.designed else 1)
    return Row(known.words, "", [mark])
