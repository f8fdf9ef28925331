"""Whose posts and comments are no member's voice: bots, moderators, and accounts that are gone."""

from __future__ import annotations

import re

from ray_jobs.dilemmas.fields import Fields, text

GONE = frozenset(
    {"[deleted]", "[removed]", "[deleted by user]", "[removed by reddit]", "[ removed by reddit ]"}
)
BOTS = frozenset(
    {"automoderator", "remindmebot", "savevideo", "stabbot", "wikitextbot", "judgement_bot_aita"}
)
_BOT = re.compile(r"Bot(?:$|[0-9_-])|(?:^|[_-])bot(?:$|[0-9_-])|[_-](?:mod|Mod)$|-?ModTeam$")


def is_gone(written: str) -> bool:
    """Whether a text is what stands in place of one that was deleted or removed."""
    return written.strip().lower() in GONE


def is_official(row: Fields) -> bool:
    """Whether a post or comment is by a bot or stands there in the name of the moderators."""
    if row.get("distinguished") in ("moderator", "admin") or row.get("stickied") is True:
        return True
    author = text(row, "author")
    lowered = author.lower()
    if lowered in BOTS:
        return True
    return ("bot" in lowered or "mod" in lowered) and _BOT.search(author) is not None
