"""An oversight study: openings, the debates that go on from them, and the judgments of both, joined.

An *instance* is a case in one repetition with one debate of openings: what all protocols start from. Results
of protocols are paired by it. Intervals are had by drawing cases, with all of their instances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.counting import Connect
from analysis.failures import NAMED
from analysis.oversight.options import NONE, Numbers, numbered, questions
from analysis.oversight.reading import Tables, read
from analysis.readings import READABLE
from protocols.judge import JUDGE

BY = ("protocol", "variant", "panel", "steering")
"""What tells the conditions of a study apart unless it is asked for otherwise; `source`, the data set, and
any other column of the design may be added. What is not named is pooled over."""

OF_JUDGE = ("judge", "sees", "answers")
"""What tells judges apart: model, what it is shown, and what it answers with."""

NAIVE = "nothing"
"""What a naive judge sees."""

ALONE = "consultancy"
"""The protocol in which one consultant argues, whoever else sits on the panel."""

SEATS = ("first", "second")
"""The columns of the answers of a panel of two, as numbers of options, `NONE` where a seat has none."""


@dataclass(frozen=True)
class Study:
    """The debates and judgments of the questions of a run. Moral cases are in none of the frames.

    `debates` has a row for each finished debate: its design; `root`, the debate of its openings (itself, if
    it is one); `instance`; `truth`, a number of an option; `source`; exit_mode; `SEATS`, the answers that
    stand at its end; `SEATS` of its root as first_opening and second_opening.
    `judged` has a row for each judgment: the design; `OF_JUDGE`; pass; those columns of the debate judged,
    whose id is source_debate; `chosen`, the number of the option chosen; `readable`; `neither`; `right`.
    `turns` has the turns of `debates`: seat, `place` of the seat on the panel from 0, model, `t` (0 for the
    openings, then 1, 2, ...), `answer` (a number), `readable`, confidence, violation, opening.
    `failed` has a row for each debate or judgment given up; `judge` is "" for a debate.
    """

    debates: pd.DataFrame
    judged: pd.DataFrame
    turns: pd.DataFrame
    failed: pd.DataFrame

    @cached_property
    def known(self) -> pd.DataFrame:
        """The judgments of questions of which the truth is known."""
        return self.judged[self.judged["truth"] != NONE]

    @cached_property
    def of_two(self) -> pd.DataFrame:
        """The judgments of what two consultants said: of a consultancy a judge hears but one."""
        judged = self.judged
        two = (judged["n_seats"] == len(SEATS)) & (judged["protocol"] != ALONE)
        return judged[two & (judged["sees"] != NAIVE)]

    @cached_property
    def further(self) -> pd.DataFrame:
        """The debates that go on from openings."""
        return self.debates[self.debates["root"] != self.debates["debate_id"]]

    @cached_property
    def openings(self) -> pd.DataFrame:
        """The debates of openings."""
        return self.debates[self.debates["root"] == self.debates["debate_id"]]

    def lost(self, by: Sequence[str], judges: Sequence[str] = OF_JUDGE) -> pd.DataFrame:
        """What failed, once for each judge that therefore has nothing to judge; columns `by`, `judges`,
        case_id, count. A failed judgment is missing for its own judge, a failed debate for all of its kind.
        """
        debates, judgments = (self.failed[(self.failed["judge"] == "") == of] for of in (True, False))
        told = [*by, *judges]
        kinds = self.judged[list(dict.fromkeys([*told, "stage", "judge"]))].drop_duplicates()
        mine = judgments.merge(kinds, on=list(dict.fromkeys(["stage", "judge", *by])))
        shared = [name for name in by if name != "stage"]
        of_all = debates[["case_id", *shared]].merge(kinds[told].drop_duplicates(), on=shared)
        found = pd.concat([mine[[*told, "case_id"]], of_all[[*told, "case_id"]]], ignore_index=True)
        return found.assign(count=1)


def read_study(run: str | Path, connect: Connect = nullcontext) -> Study:
    """The study of a run. Raises as `reading.read`, and `options.OptionError`."""
    return study(read(run, connect))


def study(found: Tables) -> Study:
    """The study that tables hold; their rows may come in any order."""
    asked = questions(found.cases)
    debates = _debates(found.debates, asked)
    judged = _judged(found.judgments, debates, _finals(found.debates))
    return Study(debates, judged, _turns(found.turns, debates), _failed(found, asked))


def _debates(rows: pd.DataFrame, asked: pd.DataFrame) -> pd.DataFrame:
    played = rows[rows["outcome"] != "judgment"].merge(asked.drop(columns="options"), on="case_id")
    played = played.assign(root=_roots(played), **_standing(played))
    own = played[["debate_id", *SEATS]].rename(
        columns={"debate_id": "root", **{name: f"{name}_opening" for name in SEATS}}
    )
    played = played.merge(own, on="root", how="left")
    opened = {f"{name}_opening": played[f"{name}_opening"].fillna(NONE).astype("int64") for name in SEATS}
    repetition = played["repetition"].astype("Int64").astype("str")
    instance = played["case_id"] + "\n" + repetition + "\n" + played["root"]
    return played.assign(instance=instance, **opened).drop(columns=["final_labels", "outcome"])


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


def _finals(rows: pd.DataFrame) -> dict[str, Sequence[str | None]]:
    """The last labels of each debate, in the order of its panel."""
    told = rows[rows["final_labels"].notna()]
    return dict(zip(told["debate_id"], told["final_labels"], strict=True))


def _judged(
    rows: pd.DataFrame, debates: pd.DataFrame, finals: Mapping[str, Sequence[str | None]]
) -> pd.DataFrame:
    of_debate = ["root", "instance", "truth", "source", "exit_mode", *SEATS, *_openings()]
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


def _turns(rows: pd.DataFrame, debates: pd.DataFrame) -> pd.DataFrame:
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


def _places(turns: pd.DataFrame) -> Numbers:
    """The place of each seat among those of its debate: seat2 before seat10."""
    names = sorted(turns["seat"].unique(), key=lambda name: (len(name), name))
    number = turns["seat"].map({name: place for place, name in enumerate(names)}).astype("int64")
    rank = number.groupby(turns["debate_id"]).rank("dense")
    return np.asarray(rank, np.int64) - 1


def _failed(found: Tables, asked: pd.DataFrame) -> pd.DataFrame:
    rows = found.failures.drop_duplicates("debate_id", keep="last").merge(asked, on="case_id")
    named = rows["message"].str.extract(NAMED)["model"].astype("str").fillna("?")
    return rows.assign(judge=named.where(rows["seat"] == JUDGE, "")).drop(columns=["message", "time", "seat"])


def _openings() -> list[str]:
    return [f"{name}_opening" for name in SEATS]
