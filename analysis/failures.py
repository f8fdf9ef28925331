"""Debates and judgments that failed: given up, not finished by a later try. They are in no other figure."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa

from analysis.tally import DESIGN, attach, pick, tally
from protocols.judge import JUDGE

COLUMNS = ("debate_id", *DESIGN, "error_class", "message", "seat", "time")
"""What is read of `failures`."""

DEBATES, JUDGMENTS, SAID = "failed", "failed judgments", "what failures said"
NAMED = r"^(?:judge|model) '(?P<model>.*?)': "  # how a message begins that names its model
SHOWN = 100  # characters of a message


def count(rows: pa.Table) -> pa.Table:
    """Tallies failed debates, and failed judgments, by the error class and model of their last failure.

    A judgment is what failed in the seat of a judge. What was said is counted, too.
    """
    frame: pd.DataFrame = rows.to_pandas().sort_values(["time", "error_class"], na_position="first")
    last = frame.drop_duplicates("debate_id", keep="last").rename(columns={"error_class": "item"})
    last["message"] = last["message"].astype(object).fillna("")
    last["model"] = last["message"].str.extract(NAMED)["model"].fillna("")
    judged = last["seat"] == JUDGE
    parted = ((DEBATES, last[~judged]), (JUDGMENTS, last[judged]))
    counted = [tally(measure, own[[*DESIGN, "item", "model"]]) for measure, own in parted]
    return pa.concat_tables([*counted, _said(last)])


def failed(tallies: pa.Table, seats: int = 0) -> pd.DataFrame:
    """The tally of failed debates on panels of at least so many seats: as `tally.pick` gives it."""
    return pick(tallies, DEBATES, seats)


def failed_judgments(tallies: pa.Table) -> pd.DataFrame:
    """The tally of failed judgments: as `tally.pick` gives it."""
    return pick(tallies, JUDGMENTS)


def estimate(tallies: pa.Table) -> pd.DataFrame:
    """What failed by error class and model, most frequent first.

    Columns: error_class, model, said (how most of its messages begin), debates, judgments.
    """
    debates, judgments = failed(tallies), failed_judgments(tallies)
    by = ["item", "model"]
    grid = pd.concat([debates, judgments])[by].drop_duplicates(ignore_index=True)
    grid = attach(attach(grid, "debates", debates, by), "judgments", judgments, by)
    said = _told(tallies)
    grid["said"] = [said.get(place, "") for place in zip(grid["item"], grid["model"], strict=True)]
    return grid.rename(columns={"item": "error_class"}).sort_values(
        ["debates", "judgments", "error_class", "model"],
        ascending=[False, False, True, True],
        ignore_index=True,
    )


def _said(last: pd.DataFrame) -> pa.Table:
    """Counts what was said, by model; the class of error stands in the line above it."""
    said = last["message"].str.replace(NAMED, "", regex=True).map(_plain).str.slice(0, SHOWN)
    items = [f"{kind}\n{message}" for kind, message in zip(last["item"], said, strict=True)]
    return tally(SAID, pd.DataFrame({"item": items, "model": last["model"].tolist()}, dtype="str"))


def _plain(message: str) -> str:
    """In one line, without control characters."""
    return "".join(mark for mark in " ".join(message.split()) if mark.isprintable())


def _told(tallies: pa.Table) -> dict[tuple[str, str], str]:
    """By class and model what was said most often; of several such, the first in the alphabet."""
    rows = pick(tallies, SAID).sort_values(["count", "item"], ascending=[True, False])
    told = zip(rows["model"], (item.split("\n") for item in rows["item"]), strict=True)
    return {(kind, model): message for model, (kind, message) in told}
