"""The counts of a build: what was read, what was left out and why, what was made of the rest."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from ray_jobs.dilemmas.comments import OUTCOMES
from ray_jobs.dilemmas.request import Request
from ray_jobs.dilemmas.selection import CHOSEN
from ray_jobs.dilemmas.tally import Tally
from ray_jobs.dilemmas.votes import Totals


@dataclass(frozen=True, slots=True)
class Kind:
    """Lines of one kind: `lines` = all of `left_out` + `again`, copies of what was there + all of `used`."""

    lines: int
    left_out: dict[str, int]
    again: int
    used: dict[str, int]
    examples: dict[str, list[str]]
    stopped: dict[str, str]


@dataclass(frozen=True, slots=True)
class Report:
    """What was asked, and what came of submissions (`used`: why each post is kept or not) and of comments
    (`used`: what top-level comments on kept posts say). `judged` of these verdicts are by judges.
    `contestation` is of the first and the last case, `unread` the comments that were written for a judge.
    """

    asked: dict[str, object]
    submissions: Kind
    comments: Kind
    judged: int
    cases: int
    contestation: tuple[float, float] | None
    unread: int | None = None


def report_of(
    request: Request, of_posts: Tally, of_comments: Tally, again: int, totals: Totals, table: pa.Table
) -> Report:
    """The report of a build; `again` are copies of posts."""
    why = {each["values"]: each["counts"] for each in pc.value_counts(table["why"]).to_pylist()}
    said = dict(zip(OUTCOMES, map(int, totals.counts.sum(axis=0)), strict=True))
    range_ = pc.min_max(table.filter(pc.equal(table["why"], CHOSEN))["contestation"]).as_py()
    return Report(
        asked={
            "submissions": [str(file) for file in request.submissions],
            "comments": [str(file) for file in request.comments],
            "subreddit": request.subreddit,
            "from": str(request.first),
            "to": str(request.last),
            "top": request.top,
            "words": request.words,
            "verdicts": request.verdicts,
            "judged": request.judged,
        },
        submissions=_kind(of_posts, again, why),
        comments=_kind(of_comments, totals.again, said),
        judged=int(totals.judged.sum()),
        cases=why.get(CHOSEN, 0),
        contestation=None if range_["max"] is None else (range_["max"], range_["min"]),
    )


def _kind(tally: Tally, again: int, used: dict[str, int]) -> Kind:
    left_out = {reason: count for reason, count in tally.left_out.items() if count}
    return Kind(tally.lines, _by_count(left_out), again, _by_count(used), tally.examples, tally.stopped)


def _by_count(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
