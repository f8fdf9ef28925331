"""Posts of a dump: which are dilemmas, and why others are not."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ray_jobs.dilemmas.accounts import is_gone, is_official, whose
from ray_jobs.dilemmas.afterwards import BY_AUTHOR, META, came_back, later
from ray_jobs.dilemmas.cleaning import first_version, names_in, plain, without_names
from ray_jobs.dilemmas.fields import Fields, edited, flag, identifier, optional_text, seconds, text, whole

COLUMNS = (
    *("id", "author", "title", "selftext", "score", "created_utc", "subreddit", "num_comments", "is_self"),
    *("link_flair_text", "edited", "distinguished", "stickied", "removed_by_category"),
    *("crosspost_parent", META),
)
"""What is read of a submission. From `num_comments` on they may be missing, and are then null."""

KEPT = "kept"
REASONS = (
    *(KEPT, "outside the dates", "by a moderator or bot", "deleted", "removed", "crosspost", "no text"),
    *("meta", "update of an earlier post", "no dilemma", "too short"),
)
"""Why a post is kept or not: of several, the first that holds, in this order after the first."""

_META = re.compile(
    r"^\W*meta\b|\bopen forum\b|^\W*announcement|^\W*mod(?:erator)?s?\s+(?:post|announcement)", re.IGNORECASE
)
_META_FLAIR = re.compile(r"\bmeta\b|open forum|announcement|\bmod\b", re.IGNORECASE)
_UPDATE = re.compile(
    r"^\W*(?:(?:final|small|quick|aitah?|wibta)\W+)?(?:update\b|updated\b\W*[\[(:|–—-])"
    r"|[\[(:|?!.–—-]\s*(?:\w+\s+)?update[ds]?\W*\d*\W*$",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\b(?:AITAH?|WIBTAH?|AITH|WITAH?|AMITA|AITJ|WIBTJ)\b"
    r"|\b(?:am|are|was|were|would|will)\s+(?:i|we)\s+(?:be\s+|being\s+|really\s+)*"
    r"(?:(?:the|an?)\s+(?:a+r?[s*$]|a[ -]?h|butt|jerk|bad\b|villain)|(?:in the\s+)?wrong\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Posts of interest: from `first` to before `end`, in seconds since 1970, of at least so many words."""

    first: int
    end: int
    words: int = 50


@dataclass(frozen=True, slots=True)
class Post:
    """A post of the subreddit. `why` is one of `REASONS`; title and text are empty unless it is kept.

    `words` are those of its cleaned text, 0 if it was left out for another reason than its length. `by` is
    whose it is, as a number that is never written.
    """

    id: str
    created: int
    score: int
    comments: int | None
    flair: str | None
    edited: bool
    words: int
    why: str
    by: int
    title: str = ""
    text: str = ""


def read_post(row: Fields, bounds: Bounds) -> Post:
    """The post in a row of a dump. Raises `Unusable` for what cannot be read."""
    author, title, body = text(row, "author"), plain(text(row, "title")), plain(text(row, "selftext"))
    created, flair = seconds(row, "created_utc"), plain(optional_text(row, "link_flair_text"))
    why, story = _why(row, created, title, body, flair, bounds), ""
    names = names_in(author, title, body)
    if why is None:
        story = without_names(first_version(body), names)
        why = KEPT if len(story.split()) >= bounds.words else "too short"
    kept = why == KEPT
    return Post(
        id=identifier(row, "id"),
        created=created,
        score=whole(row, "score"),
        comments=None if row.get("num_comments") is None else whole(row, "num_comments"),
        flair=without_names(flair, names) or None,
        edited=edited(row),
        words=len(story.split()),
        why=why,
        by=whose(author),
        title=without_names(title, names) if kept else "",
        text=story if kept else "",
    )


def _why(row: Fields, created: int, title: str, body: str, flair: str, bounds: Bounds) -> str | None:
    """The first reason against a post, but for its length."""
    by = None if came_back(row) else row.get("removed_by_category")
    fate = later(row)
    gone = " ".join(written for written in (body, title) if is_gone(written)).lower()
    return next(
        (
            reason
            for reason, holds in (
                ("outside the dates", not bounds.first <= created < bounds.end),
                ("by a moderator or bot", is_official(row)),
                ("deleted", by in BY_AUTHOR or "deleted" in gone or fate == "deleted"),
                ("removed", bool(by or gone or fate)),
                ("crosspost", bool(row.get("crosspost_parent"))),
                ("no text", not body or flag(row, "is_self") is False),
                ("meta", bool(_META.search(title) or _META_FLAIR.search(flair))),
                ("update of an earlier post", bool(_UPDATE.search(title) or _UPDATE.search(flair))),
                ("no dilemma", not (_QUESTION.search(title) or _QUESTION.search(body))),
            )
            if holds
        ),
        None,
    )
