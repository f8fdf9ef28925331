"""An oversight study: openings, the debates that go on from them, and the judgments of both, joined.

An *instance* is a case in one repetition with one debate of openings: what all protocols start from. Results
of protocols are paired by it. Intervals are had by drawing cases, with all of their instances.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from analysis.counting import Connect
from analysis.failures import NAMED
from analysis.oversight.debated import ALONE, SEATS, debates_of, turns_of, with_consultant
from analysis.oversight.judged import finals_of, judged_of
from analysis.oversight.options import NONE, questions
from analysis.oversight.reading import Tables, read
from protocols.judge import JUDGE

BY = ("protocol", "variant", "panel", "steering")
"""What tells the conditions of a study apart unless it is asked for otherwise; `source`, the data set,
`subject`, `consultant`, the seat that argues in a consultancy, and any other column of the design may be
added. What is not named is pooled over."""

OF_JUDGE = ("judge", "sees", "answers")
"""What tells judges apart: model, what it is shown, and what it answers with."""

NAIVE = "nothing"
"""What a naive judge sees."""


@dataclass(frozen=True)
class Study:
    """The debates and judgments of the questions of a run. Moral cases are in none of the frames.

    `debates` has a row for each finished debate: its design, of which `consultant`, the seat that argues in a
    consultancy, is no part of `variant`; `root`, the debate of its openings (itself, if it is one);
    `instance`; `truth`, a number of an option; `source`, the data set; `subject`; exit_mode; `SEATS`, the
    answers that stand at its end; `OPENED`, those of its root.
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
    debates = debates_of(with_consultant(found.debates), asked)
    judged = judged_of(with_consultant(found.judgments), debates, finals_of(found.debates))
    return Study(debates, judged, turns_of(found.turns, debates), _failed(found, asked))


def _failed(found: Tables, asked: pd.DataFrame) -> pd.DataFrame:
    last = found.failures.drop_duplicates("debate_id", keep="last")
    rows = with_consultant(last).merge(asked, on="case_id")
    named = rows["message"].str.extract(NAMED)["model"].astype("str").fillna("?")
    return rows.assign(judge=named.where(rows["seat"] == JUDGE, "")).drop(columns=["message", "time", "seat"])
