"""Whose posts and comments are no member's voice: bots, moderators, and accounts that are gone."""

from __future__ import annotations

import re
from hashlib import blake2b

from ray_jobs.dilemmas.fields import Fields, flag, text

GONE = frozenset({"[deleted]", "[removed]", "[deleted by user]"})
BOTS = frozenset(
    {"automoderator", "remindmebot", "savevideo", "stabbot", "wikitextbot", "judgement_bot_aita"}
)
NOBODY = 0
_BY_REDDIT = re.compile(r"\[\s*removed by reddit\b[^\]]*\]")
_BOT = re.compile(r"Bot(?:$|[0-9_-])|(?:^|[_-])bot(?:$|[0-9_-])|[_-](?:mod|Mod)$|-?ModTeam$")


def is_gone(written: str) -> bool:
    """Whether a text is what stands in place of one that was deleted or removed."""
    shown = written.strip().lower()
    return shown in GONE or _BY_REDDIT.fullmatch(shown) is not None


def is_official(row: Fields) -> bool:
    """Whether a post or comment is by a bot or stands there in the name of the moderators."""
    if row.get("distinguished") in ("moderator", "admin") or flag(row, "stickied"):
        return True
    author = text(row, "author")
    lowered = author.lower()
    if lowered in BOTS:
        return True
    return ("bot" in lowered or "mod" in lowered) and _BOT.search(author) is not None


def whose(author: str) -> int:
    """A number by which an account is known again without its name, below 2^64; `NOBODY` if it is gone."""
    if not author or is_gone(author):
        return NOBODY
    return int.from_bytes(blake2b(author.lower().encode("utf-8"), digest_size=8).digest(), "big") or 1
