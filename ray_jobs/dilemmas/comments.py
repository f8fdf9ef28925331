"""Comments of a dump as votes: top-level comments of members on posts that are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from protocols.answer_format import VERDICTS
from ray_jobs.dilemmas.accounts import NOBODY, is_gone, is_official, whose
from ray_jobs.dilemmas.afterwards import META, later
from ray_jobs.dilemmas.fields import Fields, column, flag, identifier, text, whole
from ray_jobs.dilemmas.verdict_words import verdicts

COLUMNS = (
    *("id", "author", "body", "score", "subreddit", "parent_id", "link_id", "is_submitter", "distinguished"),
    *("stickied", META),
)
"""What is read of a comment. From `is_submitter` on they may be missing, and are then null."""

REPLY, ELSEWHERE = "reply to a comment", "on a post that is not kept, or not there"
OFFICIAL, OWN = "by a moderator or bot", "by the post's author"

OUTCOMES = (*VERDICTS, "no verdict", "several verdicts", "deleted or removed")
"""What a top-level comment says, by number. Of copies of one comment the highest number is taken."""
NONE, SEVERAL, GONE = range(len(VERDICTS), len(OUTCOMES))
UNREAD = (NONE, SEVERAL)
"""Outcomes of comments that a judge may read."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What a top-level comment says: `post` by number, its id, a number of `OUTCOMES`, and its score.

    `judged` says that a judge has read it, for its words give no verdict.
    """

    post: int
    comment: int
    outcome: int
    score: int
    judged: bool = False


def read_comment(row: Fields, kept: Mapping[int, int], authors: Sequence[int]) -> Vote | str:
    """The vote in a row of a dump, or why there is none; columns after the first reason are not looked at.

    Raises `Unusable` for what cannot be read.
    `kept` gives the numbers of the posts that are kept by their ids, `authors` whose a post is by its number.
    """
    link = identifier(row, "link_id")
    post = kept.get(int(link, 36))
    if post is None:
        return ELSEWHERE
    parent = column(row, "parent_id")
    if parent != row["link_id"] and (identifier(row, "parent_id") != link or parent.startswith("t1_")):
        return REPLY
    if is_official(row):
        return OFFICIAL
    if _is_own(row, authors[post]):
        return OWN
    outcome = GONE if later(row) else _outcome(text(row, "body"))
    return Vote(post, int(identifier(row, "id"), 36), outcome, whole(row, "score"))


def _is_own(row: Fields, author: int) -> bool:
    """Whether a comment is by the post's author. Dumps up to 2017 do not say so: there names are compared."""
    said = flag(row, "is_submitter")
    return said if said is not None else author != NOBODY and whose(text(row, "author")) == author


def _outcome(body: str) -> int:
    if is_gone(body):
        return GONE
    found = verdicts(body)
    if len(found) != 1:
        return SEVERAL if found else NONE
    return VERDICTS.index(found.pop())
