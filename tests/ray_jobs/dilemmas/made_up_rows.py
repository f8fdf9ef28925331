"""Submissions and comments as Reddit's dumps have them, made up."""

from __future__ import annotations

from random import Random
from typing import Any

SUBREDDIT = "AmItheAsshole"
FIRST = 1_735_689_600  # 2025-01-01 00:00 UTC
DAYS = 89


def _syllables(consonants: str) -> list[str]:
    return [consonant + vowel for consonant in consonants for vowel in "aeiou"]


STORY = (
    "My sister asked me to look after her dog 🐶 for a weekend &amp; I said yes at first.",
    "Then my own plans changed, and I told her on Thursday that I couldn't do it after all.",
    "She had already paid for the hotel and says that I ruined the only holiday she has had in years.",
    "Our mother thinks that family comes first; my partner says that a favour is a favour, nothing more.",
    "I offered to pay for a kennel, which she called cold.\n\nWe haven't spoken since. “Fine,” she said.",
    "u/helpful_person_7 asked for ages: we're both in our thirties. It was the third time this year.",
)
WORDS = [f"{a}{b}{c}" for a in _syllables("bdfgklmn") for b in _syllables("prstvz") for c in ("", "n", "rst")]
"""Made up as well, so that dumps do not compress to nothing."""
EDITS = (
    "\n\nEDIT: wow, thanks everybody. I accept that I'm YTA and will call her.",
    "\n\n**Update 2** – I apologised. The verdict was fair.\n\nWe are going to the sea together.",
    "\n\nTL;DR: I broke a promise and everyone says NTA.",
)
SAID = {
    "no verdict": "What does the dog say? nta, I guess",
    "several verdicts": "NTA for the plans but YTA for the timing",
}


def post_id(number: int) -> str:
    """The id of a post, without prefix."""
    return base36(36**5 + 7 * number)


def submission(draw: Random, number: int, kind: str) -> dict[str, Any]:
    """A post of a kind."""
    author = f"Poster_{number}"
    created = FIRST + draw.randrange(DAYS * 86_400)
    title = "AITA for not looking after my sister's dog?"
    text = " ".join([*draw.choices(STORY, k=draw.randint(6, 14)), _words(draw, 150)])
    edited: Any = False
    if draw.random() < 0.3:
        text += draw.choice(EDITS)
        edited = draw.choice((created + 900, float(created + 900), str(created + 900), True))
    row: dict[str, Any] = {
        "_meta": {"retrieved_2nd_on": created + 129_600},
        "author": author,
        "author_flair_text": draw.choice((None, "Partassipant [1]", "Colo-rectal Surgeon [42]")),
        "author_fullname": f"t2_{base36(number + 10**6)}",
        "created_utc": draw.choice((created, str(created), float(created))),
        "crosspost_parent": None,
        "distinguished": None,
        "domain": f"self.{SUBREDDIT}",
        "edited": edited,
        "gilded": 0,
        "id": post_id(number),
        "is_self": True,
        "is_video": False,
        "link_flair_text": draw.choice(
            (None, "Asshole", "Not the A-hole", "Everyone Sucks", "No A-holes here")
        ),
        "locked": False,
        "media": None,
        "name": f"t3_{post_id(number)}",
        "num_comments": draw.randrange(500),
        "over_18": False,
        "permalink": f"/r/{SUBREDDIT}/comments/{post_id(number)}/aita_for_not_looking_after_my_sisters_dog/",
        "removed_by_category": None,
        "retrieved_on": created + 100_000,
        "score": draw.randrange(5_000),
        "selftext": text,
        "spoiler": False,
        "stickied": False,
        "subreddit": SUBREDDIT,
        "subreddit_id": "t5_2xhvq",
        "subreddit_subscribers": 24_000_000,
        "title": title,
        "url": f"https://www.reddit.com/r/{SUBREDDIT}/comments/{post_id(number)}/",
    }
    return row | _changes_of_post(draw, kind, created)


def _changes_of_post(draw: Random, kind: str, created: int) -> dict[str, Any]:
    changes: dict[str, list[dict[str, Any]]] = {
        "outside the dates": [{"created_utc": FIRST - 5}, {"created_utc": str(FIRST + DAYS * 86_400)}],
        "by a moderator or bot": [
            {"author": "AutoModerator"},
            {"distinguished": "moderator"},
            {"stickied": True},
        ],
        "kept": [
            *[{}] * 4,
            {"_meta": {"retrieved_2nd_on": created + 129_600, "is_edited": True}},
            {
                "_meta": {"was_initially_deleted": True, "removal_type": "automod_filtered"},
                "removed_by_category": "automod_filtered",
            },
        ],
        "deleted": [
            {"selftext": "[deleted]", "author": "[deleted]"},
            {"removed_by_category": "deleted"},
            {"_meta": {"was_deleted_later": True, "removal_type": "deleted"}},
        ],
        "removed": [
            {"selftext": "[removed]"},
            {"removed_by_category": "moderator"},
            {"_meta": {"was_deleted_later": True, "removal_type": "automod_filtered"}},
        ],
        "crosspost": [{"crosspost_parent": "t3_aaaaa", "crosspost_parent_list": [{"subreddit": SUBREDDIT}]}],
        "no text": [{"selftext": ""}, {"is_self": False, "url": "https://i.redd.it/x.jpg"}],
        "meta": [
            {"title": "META: too many dogs"},
            {"title": "Monthly Open Forum"},
        ],
        "update of an earlier post": [{"title": "UPDATE: AITA for the dog?"}, {"link_flair_text": "UPDATE"}],
        "no dilemma": [{"title": "Thanks, everybody"}],
        "too short": [{"selftext": "I said no to my sister.\n\n" + EDITS[0] * 9}],
        "of another subreddit": [
            {"subreddit": "relationship_advice"},
            {"subreddit": "AITAFiltered", "crosspost_parent_list": [{"subreddit": SUBREDDIT}]},
        ],
        "'created_utc' that is no time": [
            {"created_utc": None},
            {"created_utc": "soon"},
            {"created_utc": True},
        ],
    }
    return draw.choice(changes.get(kind, [{}]))


def comment(draw: Random, post: int, number: int, kind: str) -> dict[str, Any]:
    """A comment of a kind on a post."""
    word = kind if kind.isupper() else draw.choice(("NTA", "YTA"))
    body = SAID.get(kind) or draw.choice(
        (f"{word}. ", f"**{word}**\n\n", f"Oh well, {word}, ")
    ) + draw.choice(STORY)
    row: dict[str, Any] = {
        "_meta": {"retrieved_2nd_on": FIRST + DAYS * 86_400},
        "author": draw.choice(("[deleted]", f"Reader{draw.randrange(10**6)}")),
        "author_flair_text": None,
        "body": body,
        "controversiality": 0,
        "created_utc": FIRST + draw.randrange(DAYS * 86_400),
        "distinguished": None,
        "edited": False,
        "gilded": 0,
        "id": base36(36**6 + 3 * number),
        "is_submitter": False,
        "link_id": f"t3_{post_id(post)}",
        "parent_id": f"t3_{post_id(post)}",
        "permalink": f"/r/{SUBREDDIT}/comments/{post_id(post)}/x/{base36(36**6 + 3 * number)}/",
        "retrieved_on": FIRST + DAYS * 86_400,
        "score": draw.choice((1, 1, 2, 7, -3, 250)),
        "stickied": False,
        "subreddit": SUBREDDIT,
        "subreddit_id": "t5_2xhvq",
    }
    changes: dict[str, list[dict[str, Any]]] = {
        "deleted or removed": [
            {"body": "[removed]"},
            {"body": "[deleted]", "author": "[deleted]"},
            {"_meta": {"was_deleted_later": True, "removal_type": "removed"}},
        ],
        "reply to a comment": [{"parent_id": f"t1_{base36(36**6 + number)}"}],
        "by a moderator or bot": [{"author": "AutoModerator"}, {"author": "Judgement_Bot_AITA"}],
        "by the post's author": [{"is_submitter": True}],
        "of another subreddit": [{"subreddit": "AskReddit"}],
    }
    return row | draw.choice(changes.get(kind, [{}]))


def _words(draw: Random, most: int) -> str:
    return " ".join(draw.choices(WORDS, k=draw.randint(0, most)))


def base36(number: int) -> str:
    """A number as Reddit writes ids."""
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits
