"""Debates and their turns as a study holds them: what each goes on from, which answers stand at its end."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from analysis.oversight.options import NONE, Numbers, numbered
from analysis.readings import READABLE

SEATS = ("first", "second")
"""The columns of the answers of a panel of two, as numbers of options, `NONE` where a seat has none."""

OPENED = tuple(f"{name}_opening" for name in SEATS)
"""The columns of what they answered from the start."""

ALONE = "consultancy"
"""The protocol in which one consultant argues, whoever else sits on the panel."""


def with_consultant(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of the design with the column `consultant`, the seat that argues alone; "" in other protocols.

    Which seat that is tells who argues, not how: it leaves `variant`, so that consultancies of both seats are
    one protocol, as debates with stances exchanged are.
    """
    kinds = rows[["protocol", "variant"]].drop_duplicates()
    told = [_parted(*kind) for kind in kinds.itertuples(index=False, name=None)]
    names = pd.DataFrame(told, kinds.index, ["plain", "consultant"], dtype="str")
    found = rows.merge(kinds.join(names), on=["protocol", "variant"], how="left")
    return found.assign(variant=found["plain"]).drop(columns="plain")


def debates_of(rows: pd.DataFrame, asked: pd.DataFrame) -> pd.DataFrame:
    """The debates on the questions `asked`, from rows of `debates`."""
    played = rows[rows["outcome"] != "judgment"].merge(asked.drop(columns="options"), on="case_id")
    played = played.assign(root=_roots(played), **_standing(played))
    own = played[["debate_id", *SEATS]].rename(
        columns={"debate_id": "root", **dict(zip(SEATS, OPENED, strict=True))}
    )
    played = played.merge(own, on="root", how="left")
    opened = {name: played[name].fillna(NONE).astype("int64") for name in OPENED}
    repetition = played["repetition"].astype("Int64").astype("str")
    instance = played["case_id"] + "\n" + repetition + "\n" + played["root"]
    return played.assign(instance=instance, **opened).drop(columns=["final_labels", "outcome"])


def turns_of(rows: pd.DataFrame, debates: pd.DataFrame) -> pd.DataFrame:
    """The turns of these debates, from rows of `turns`."""
    turns = rows.merge(debates[["debate_id", "listing"]], on="debate_id")
    opening = turns["opening"].fillna(False).astype(bool)
    begun = turns["debate_id"].isin(set(debates.loc[debates["root"] == debates["debate_id"], "debate_id"]))
    last = turns["round"].where(opening | (begun & (turns["round"] == 1)))
    t = turns["round"] - last.groupby(turns["debate_id"]).transform("max").fillna(0)
    readable = turns["status"].isin(READABLE) & (turns["label"] != "")
    return turns.assign(
        opening=opening,
        t=t.astype("int64"),
        readable=readable,
        answer=numbered(turns["label"].where(readable, ""), turns["listing"]),
        place=_places(turns),
    ).drop(columns=["listing", "label", "status", "round"])


def _parted(protocol: str, variant: str) -> tuple[str, str]:
    """A variant without its consultant, and the seat that this is."""
    if protocol != ALONE:
        return variant, ""
    told = json.loads(variant or "{}")
    seat = told.pop("consultant", 1)
    return json.dumps(told, sort_keys=True, separators=(",", ":")), f"seat{seat}"


def _roots(played: pd.DataFrame) -> pd.Series[str]:
    """For each debate the first of those that it goes on from."""
    before = dict(zip(played["debate_id"], played["source_debate"], strict=True))
    root = played["debate_id"].to_list()
    for place, _ in enumerate(root):
        while before.get(root[place]):
            root[place] = before[root[place]]
    return pd.Series(root, played.index, dtype="str")


def _standing(played: pd.DataFrame) -> dict[str, Numbers]:
    """The last answers of panels of two, as numbers of options."""
    found = {}
    for place, name in enumerate(SEATS):
        letters = [
            (labels[place] or "") if labels is not None and len(labels) == len(SEATS) else ""
            for labels in played["final_labels"]
        ]
        found[name] = numbered(pd.Series(letters, dtype="str"), played["listing"])
    return found


def _places(turns: pd.DataFrame) -> Numbers:
    """The place of each seat among those of its debate: seat2 before seat10."""
    names = sorted(turns["seat"].unique(), key=lambda name: (len(name), name))
    number = turns["seat"].map({name: place for place, name in enumerate(names)}).astype("int64")
    rank = number.groupby(turns["debate_id"]).rank("dense")
    return np.asarray(rank, np.int64) - 1
