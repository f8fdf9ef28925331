"""Comments of a dump as votes: top-level comments of members on posts that are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from protocols.answer_format import VERDICTS
from ray_jobs.dilemmas.accounts import is_gone, is_official
from ray_jobs.dilemmas.fields import Fields, column, identifier, text, whole
from ray_jobs.dilemmas.verdict_words import verdicts

COLUMNS = (
    *("id", "author", "body", "score", "subreddit", "parent_id", "link_id", "is_submitter", "distinguished"),
    "stickied",
)
"""What is read of a comment. The last two may be missing, and are then null."""

REPLY, ELSEWHERE = "reply to a comment", "on a post that is not kept, or not there"
OFFICIAL, OWN = "by a moderator or bot", "by the post's author"

OUTCOMES = (*VERDICTS, "no verdict", "several verdicts", "deleted or removed")
"""What a top-level comment says, by number. Of copies of one comment the highest number is taken."""
NONE, SEVERAL, GONE = range(len(VERDICTS), len(OUTCOMES))


@dataclass(frozen=True, slots=True)
class Vote:
    """What a top-level comment says: `post` by number, its id, a number of `OUTCOMES`, and its score."""

    post: int
    comment: int
    outcome: int
    score: int


def read_comment(row: Fields, kept: Mapping[int, int]) -> Vote | str:
    """The vote in a row of a dump, or why there is none; columns after the first reason are not looked at.

    Raises `Unusable` for what cannot be read.
    `kept` gives the numbers of the posts that are kept by their ids.
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
    if column(row, "is_submitter") is True:
        return OWN
    return Vote(post, int(identifier(row, "id"), 36), _outcome(text(row, "body")), whole(row, "score"))


def _outcome(body: str) -> int:
    if is_gone(body):
        return GONE
    found = verdicts(body)
    if len(found) != 1:
        return SEVERAL if found else NONE
    return VERDICTS.index(found.pop())
