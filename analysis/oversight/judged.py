"""Judgments as a study holds them: what was judged, which option was chosen, and whether that is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from analysis.oversight.debated import OPENED, SEATS
from analysis.oversight.options import NONE, numbered
from analysis.readings import READABLE


def finals_of(rows: pd.DataFrame) -> dict[str, Sequence[str | None]]:
    """The last labels of each debate, in the order of its panel."""
    told = rows[rows["final_labels"].notna()]
    return dict(zip(told["debate_id"], told["final_labels"], strict=True))


def judged_of(
    rows: pd.DataFrame, debates: pd.DataFrame, finals: Mapping[str, Sequence[str | None]]
) -> pd.DataFrame:
    """The judgments of these debates, from rows of `judgments`; `finals` as `finals_of` gives them."""
    of_debate = ["root", "instance", "truth", "source", "subject", "exit_mode", *SEATS, *OPENED]
    judged = rows[rows["kind"] == "judge"].merge(
        debates[["debate_id", *of_debate]].rename(columns={"debate_id": "source_debate"}), on="source_debate"
    )
    readable = judged["status"].isin(READABLE) & (judged["decision"] != "")
    said = judged["decision"].where(readable, "")
    by_option = (judged["answers"] != "winner").to_numpy()
    letters = said.where(by_option, _winning(judged, said, finals))
    chosen = numbered(letters, judged["listing"])
    neither = ~by_option & (said == "neither").to_numpy()
    right = (chosen != NONE) & (chosen == judged["truth"])
    return judged.assign(chosen=chosen, readable=readable, neither=neither, right=right)


def _winning(
    judged: pd.DataFrame, said: pd.Series[str], finals: Mapping[str, Sequence[str | None]]
) -> pd.Series[str]:
    """The last label of the agent that was called the winner; "" where it has none, or nobody was."""

    def letter(winner: str, labels: str, debate: str) -> str:
        last = finals[debate]
        called = labels.split("-") if labels else [str(seat) for seat in range(1, len(last) + 1)]
        return last[called.index(winner)] or "" if winner in called else ""

    found = map(letter, said, judged["labels"], judged["source_debate"])
    return pd.Series(list(found), judged.index, dtype="str")
