"""Every reason for which a post or a comment is left out, on hand-made rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ray_jobs.dilemmas.submissions import KEPT, REASONS, Bounds, read_post
from tests.ray_jobs.dilemmas.builds import TEXT, built_from, cases_of, comment, post, posts_of

BOUNDS = Bounds(1_735_689_600, 1_743_379_200)

LEFT_OUT: list[tuple[dict[str, Any], str]] = [
    ({"created_utc": 1_735_689_599}, "outside the dates"),
    ({"created_utc": 1_743_379_200}, "outside the dates"),
    ({"author": "AutoModerator"}, "by a moderator or bot"),
    ({"author": "Judgement_Bot_AITA"}, "by a moderator or bot"),
    ({"author": "WikiSummarizerBot"}, "by a moderator or bot"),
    ({"author": "AmItheAsshole-ModTeam"}, "by a moderator or bot"),
    ({"distinguished": "moderator"}, "by a moderator or bot"),
    ({"distinguished": "admin"}, "by a moderator or bot"),
    ({"stickied": True}, "by a moderator or bot"),
    ({"selftext": "[deleted]"}, "deleted"),
    ({"title": "[deleted by user]", "selftext": "[removed]"}, "deleted"),
    ({"removed_by_category": "deleted"}, "deleted"),
    ({"removed_by_category": "author"}, "deleted"),
    ({"selftext": "[removed]"}, "removed"),
    ({"selftext": "[removed]", "title": "AITA for a deleted photo?"}, "removed"),
    ({"selftext": "[ Removed by Reddit ]"}, "removed"),
    ({"removed_by_category": "automod_filtered"}, "removed"),
    ({"selftext": "[ Removed by Reddit in response to a copyright notice. ]"}, "removed"),
    ({"_meta": {"was_deleted_later": True}}, "deleted"),
    ({"_meta": {"was_deleted_later": True, "removal_type": "deleted"}}, "deleted"),
    ({"_meta": {"was_deleted_later": True, "removal_type": "author"}}, "deleted"),
    ({"_meta": {"was_deleted_later": True, "removal_type": "moderator"}}, "removed"),
    ({"_meta": {"was_deleted_later": "true", "removal_type": "reddit"}}, "removed"),
    ({"_meta": '{"was_deleted_later": true, "removal_type": "reddit"}'}, "removed"),
    ({"crosspost_parent": "t3_zzz"}, "crosspost"),
    ({"selftext": ""}, "no text"),
    ({"selftext": None}, "no text"),
    ({"is_self": False}, "no text"),
    ({"title": "META: AITA and its rules"}, "meta"),
    ({"title": "[Meta] AITA numbers"}, "meta"),
    ({"title": "Monthly Open Forum: AITA"}, "meta"),
    ({"link_flair_text": "META"}, "meta"),
    ({"title": "UPDATE: AITA for the dogs?"}, "update of an earlier post"),
    ({"title": "AITA update: the dogs"}, "update of an earlier post"),
    ({"title": "AITA for the dogs? (Final update)"}, "update of an earlier post"),
    ({"link_flair_text": "Update"}, "update of an earlier post"),
    ({"title": "AITA for the dogs? Update"}, "update of an earlier post"),
    ({"title": "AITA for the dogs? UPDATE #2"}, "update of an earlier post"),
    ({"title": "Updated: AITA for the dogs"}, "update of an earlier post"),
    ({"title": "My brother and his dogs"}, "no dilemma"),
    ({"selftext": "I said no to my brother."}, "too short"),
    ({"selftext": f"I said no.\n\nEDIT: {TEXT}"}, "too short"),
]
KEPT_TOO: list[dict[str, Any]] = [
    {},
    {"created_utc": 1_735_689_600},
    {"created_utc": 1_743_379_199},
    {"author": "[deleted]"},
    {"author": "abbott"},
    {"author": "Talbot"},
    {"author": None},
    {"stickied": False, "distinguished": None, "removed_by_category": None, "crosspost_parent": None},
    {"is_self": True},
    {"title": "AITA for forgetting the monthly dinner?"},
    {"title": "AITA for telling my boss to update"},
    {"title": "WIBTA if I left?"},
    {"title": "Am I the a-hole here?"},
    {"title": "Was I wrong to leave?"},
    {"title": "Dogs", "selftext": f"{TEXT} Would I be the asshole if I said no?"},
    {"link_flair_text": "Not the A-hole"},
    {"title": "AITA for asking for an update?"},
    {"title": "Updated my will, AITA?"},
    {"title": "AITH for the dogs?"},
    {"title": "Am I the arsehole?"},
    {"_meta": {"retrieved_2nd_on": 1_735_800_000, "is_edited": True}},
    {"_meta": {"was_deleted_later": False, "was_initially_deleted": None}},
    {
        "_meta": {"was_initially_deleted": True, "removal_type": "automod_filtered"},
        "removed_by_category": "automod_filtered",
    },
]


@pytest.mark.parametrize(("changes", "why"), LEFT_OUT)
def test_a_post_is_left_out(changes: dict[str, Any], why: str) -> None:
    found = read_post(post(**changes), BOUNDS)
    assert (found.why, found.title, found.text) == (why, "", "")


@pytest.mark.parametrize("changes", KEPT_TOO)
def test_a_post_is_kept(changes: dict[str, Any]) -> None:
    assert read_post(post(**changes), BOUNDS).why == KEPT


def test_names_are_in_neither_title_text_nor_flair() -> None:
    said = "by Poster_1 and u/other_one"
    found = read_post(post(title=f"AITA {said}", selftext=f"{TEXT} {said}", link_flair_text=said), BOUNDS)
    anonymous = "by [someone] and [someone]"
    assert (found.title, found.flair) == (f"AITA {anonymous}", anonymous)
    assert found.text == f"{TEXT} {anonymous}"


def test_a_name_that_is_mentioned_goes_wherever_it_stands() -> None:
    said = "[other_one](https://reddit.com/user/other_one), other\\_one and Other_One, not another_one"
    found = read_post(post(title="AITA for other_one?", selftext=f"{TEXT} {said}"), BOUNDS)
    assert found.title == "AITA for [someone]?"
    assert found.text.removeprefix(TEXT) == (
        " [[someone]](https://reddit.com[someone]), [someone] and [someone], not another_one"
    )


@pytest.mark.parametrize("lacking", [{}, {"is_submitter": None}])
def test_where_no_column_tells_names_tell_whose_a_comment_is(tmp_path: Path, lacking: dict[str, Any]) -> None:
    def without(number: int, **changes: Any) -> dict[str, Any]:
        row = comment(number, **changes)
        del row["is_submitter"]
        return row | lacking

    rows = [without(1), without(2, author="poster_1"), without(3, author="[deleted]")]
    report = built_from(tmp_path, [post()], rows)
    assert report.comments.left_out == {"by the post's author": 1}
    gone = built_from(tmp_path, [post(author="[deleted]")], rows, name="gone")
    assert gone.comments.left_out == {}


def test_every_reason_is_tested() -> None:
    assert {why for _, why in LEFT_OUT} == set(REASONS) - {KEPT}


def test_reasons_of_posts_are_counted_and_told_of_each(tmp_path: Path) -> None:
    posts = [post(id=f"p{number}", **changes) for number, (changes, _) in enumerate(LEFT_OUT)]
    report = built_from(tmp_path, [*posts, post()], [comment()])
    table = posts_of(tmp_path)
    assert {f"p{number}": why for number, (_, why) in enumerate(LEFT_OUT)} | {"abc": "chosen"} == {
        id: row["why"] for id, row in table.items()
    }
    assert sum(report.submissions.used.values()) == report.submissions.lines == len(LEFT_OUT) + 1


def test_of_comments_only_members_at_the_top_are_counted(tmp_path: Path) -> None:
    rows = [
        comment(1),
        comment(2, "YTA", score=-9),
        comment(3, "it depends"),
        comment(4, "NTA. No: YTA"),
        comment(5, "[removed]"),
        comment(6, "[deleted]", author="[deleted]"),
        comment(7, parent_id="t1_c1"),
        comment(8, parent_id="t1_abc"),
        comment(9, author="AutoModerator"),
        comment(10, distinguished="moderator"),
        comment(11, is_submitter=True),
        comment(12, link_id="t3_zzz", parent_id="t3_zzz"),
        comment(13, subreddit="AskReddit"),
        comment(14, subreddit="amitheasshole_2", body='they say "AmItheAsshole" there'),
        comment(15, "YTA", author="[deleted]"),
        comment(16, link_id="abc", parent_id="abc"),
        comment(17, _meta={"was_deleted_later": True, "removal_type": "removed"}),
        comment(18, _meta={"was_initially_deleted": True, "removal_type": "removed"}, is_submitter="true"),
    ]
    report = built_from(tmp_path, [post()], rows)
    assert report.comments.left_out == {
        "reply to a comment": 2,
        "by a moderator or bot": 2,
        "by the post's author": 2,
        "on a post that is not kept, or not there": 1,
        "of another subreddit": 2,
    }
    assert {name: count for name, count in report.comments.used.items() if count} == {
        **{"NTA": 2, "YTA": 2, "deleted or removed": 3, "no verdict": 1, "several verdicts": 1}
    }
    row = posts_of(tmp_path)["abc"]
    assert (row["n_verdicts"], row["n_no_verdict"], row["n_several_verdicts"], row["n_gone"]) == (4, 1, 1, 3)
    assert (row["share_NTA"], row["share_YTA"], row["contestation"]) == (0.5, 0.5, 1.0)
    assert (row["weighted_NTA"], row["weighted_YTA"]) == (6 / 9, 3 / 9)  # scores 3 + 3; 3, and -9 as none


def test_copies_count_once(tmp_path: Path) -> None:
    """A deleted copy stands for all, of posts as of comments; else the one with the highest score."""
    posts = [
        *[post(), post(score=9), post(score=8)],
        *[post(id="t3_gone"), post(id="gone", selftext="[deleted]"), post(id="gone", score=99)],
    ]
    rows = [
        *[comment(1), comment(1, score=5), comment(1, score=4)],
        *[comment(2, "YTA"), comment(2, "[removed]"), comment(2, "YTA", score=50)],
    ]
    report = built_from(tmp_path, posts, rows)
    table = posts_of(tmp_path)
    assert (table["abc"]["score"], table["abc"]["why"], table["gone"]["why"]) == (9, "chosen", "deleted")
    assert (report.submissions.again, report.comments.again) == (4, 4)
    assert (table["abc"]["n_verdicts"], table["abc"]["n_gone"]) == (1, 1)
    assert [case["id"] for case in cases_of(tmp_path)] == ["abc"]
