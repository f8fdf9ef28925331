"""What stands above the tables of a run: what it took, and what holds for all of its figures."""

from __future__ import annotations

import pandas as pd
from rich.text import Text

from analysis import naming
from analysis.cells import money, number
from analysis.readings import READABLE
from analysis.summary import Summary

WILSON = "below each share: its 95% Wilson interval in percent"
BOOTSTRAP = (
    "below each share: its 95% interval in percent, by bootstrap over cases, as the same cases come back in"
    " several debates; of one case only there is none"
)


def head(summary: Summary) -> Text:
    """What the run is, what it took, what is the same in all conditions, and how to read its figures."""
    [total] = summary.totals.to_dict("records")
    name = Text(summary.run, style="bold")
    if not total["debates"] and not total["failed"]:
        return name + Text("\nNo debate has finished or failed yet: there is nothing to show.", "none")
    count = {str(name): number(value).plain for name, value in total.items() if name != "cost_usd"}
    notes = [
        _same(summary),
        _pooled(summary),
        _going_on(summary),
        _planted(summary.planted),
        _all_went_well(summary),
        WILSON if independent(summary) else BOOTSTRAP,
    ]
    ended = f"{count['debates']} debates finished, {count['failed']} failed"
    if any_judgment(summary):
        ended += f"; {count['judgments']} judgments, {count['failed_judgments']} failed;"
    else:
        ended += ","
    lines = [
        f"{ended} {count['calls']} calls",
        _took(summary.models, count, total["cost_usd"]),
    ]
    notes = [_unreadable(summary.readings), *notes]
    return Text("\n").join(
        [name, *map(Text, filter(None, lines)), *(Text(note, style="dim") for note in notes if note)]
    )


def independent(summary: Summary) -> bool:
    """Whether no case comes back in several debates or judgments, so that they are independent."""
    [total] = summary.totals.to_dict("records")
    return all(total[name] <= total["cases"] for name in ("debates", "judgments"))


def any_unreadable(summary: Summary) -> bool:
    """Whether any turn of the run could not be read."""
    carried = summary.readings.loc[summary.readings["status"].isin(READABLE), "numerator"].sum()
    return bool(carried < summary.readings.drop_duplicates("model")["denominator"].sum())


def any_failed(summary: Summary) -> bool:
    """Whether any debate of the run failed."""
    return bool(summary.totals["failed"].sum())


def any_judgment(summary: Summary) -> bool:
    """Whether there is any judgment, finished or failed."""
    return bool(summary.totals[["judgments", "failed_judgments"]].sum(axis=None))


def any_unreadable_judgment(summary: Summary) -> bool:
    """Whether any judgment could not be read."""
    return bool(summary.judgments["unreadable"].sum())


def any_failed_judgment(summary: Summary) -> bool:
    """Whether any judgment failed."""
    return bool(summary.totals["failed_judgments"].sum())


def _took(models: pd.DataFrame, count: dict[str, str], cost: float | None) -> str:
    """Tokens and money; without what no backend reported."""
    reported = models.notna().any()
    cached = f" (of them cached: {count['cached_tokens']})" if reported["cached_tokens"] else ""
    spent = "cost of some calls unknown" if pd.isna(cost) else money(cost).plain
    said = [
        f"{count['prompt_tokens']} tokens read{cached}" if reported["prompt_tokens"] else "",
        f"{count['completion_tokens']} tokens written" if reported["completion_tokens"] else "",
        spent if reported["cost_usd"] else "",
    ]
    return ", ".join(filter(None, said))


def _same(summary: Summary) -> str:
    same = naming.same(summary.conditions)
    where = "in all debates" if any_judgment(summary) else "everywhere"
    return f"{where}: {same}" if same else ""


def _pooled(summary: Summary) -> str:
    over = naming.pooled(summary.conditions, summary.by)
    what = "change, verdicts and judgments" if any_judgment(summary) else "change and verdicts"
    return f"agreement, {what} are pooled over {over}" if over else ""


def _going_on(summary: Summary) -> str:
    """What the rounds of a debate that goes on from another are."""
    stages = sorted(set(summary.conditions["stage"]) - {naming.USUAL["stage"]})
    if not stages:
        return ""
    named = f"stage{'s' * (len(stages) > 1)} {', '.join(stages)}"
    return (
        f"debates of {named} go on from others and count with all that was said before: their round 1 is"
        " that of the first debate, and only debates that went on are among them"
    )


def _planted(debates: int) -> str:
    """What became of debates with a planted verdict."""
    if not debates:
        return ""
    return f"debates with a planted verdict, {debates:,}, are in none of these tables: see moot causal"


def _unreadable(readings: pd.DataFrame) -> str:
    """How many turns of which models could not be read, and why most of them; "" where all could."""
    lost = readings[~readings["status"].isin(READABLE) & (readings["numerator"] > 0)]
    if lost.empty:
        return ""
    turns = readings.drop_duplicates("model")["denominator"].sum()
    told = []
    for model, rows in lost.groupby("model"):
        worst = rows.nlargest(1, "numerator").to_dict("records")[0]
        count, most = (number(each).plain for each in (rows["numerator"].sum(), worst["numerator"]))
        told.append(f"{model} {count}, {most} of them {worst['status']}")
    counted = number(lost["numerator"].sum()).plain
    return f"{counted} of {number(turns).plain} turns were unreadable: {'; '.join(told)}"


def _all_went_well(summary: Summary) -> str:
    """What the tables have no column for, as it would be 0 in all rows."""
    absent = [
        "" if any_unreadable(summary) else "no turn was unreadable",
        "" if any_failed(summary) else "no debate failed",
    ]
    if any_judgment(summary):
        absent += [
            "" if any_unreadable_judgment(summary) else "no judgment was unreadable",
            "" if any_failed_judgment(summary) else "no judgment failed",
        ]
    return "; ".join(filter(None, absent))
