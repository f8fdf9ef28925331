"""Texts without edits, summaries and names; verdicts in comments."""

from __future__ import annotations

import pytest

from ray_jobs.dilemmas.cleaning import first_version, names_in, plain, without_names
from ray_jobs.dilemmas.verdict_words import verdicts


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("I left.\n\nEDIT: I am YTA.\n\nThanks.", "I left."),
        ("I left.\n\n**Edit 2** - I am YTA.", "I left."),
        ("I left.\n\n*Small update: we spoke.*", "I left."),
        ("I left.\n\nEdited to add that I am NTA.", "I left."),
        ("I left.\n\nETA: he is 30.", "I left."),
        ("I left.\nedit: NTA it is", "I left."),
        ("I left. EDIT: you say NTA", "I left."),
        ("I left. Edit: you say NTA\n\nmore", "I left."),
        ("EDIT: thank you all!\n\nI left.\n\nHe stayed.", "I left.\n\nHe stayed."),
        ("Edit:\n\nI am NTA, you say.\n\nI left.", "I left."),
        ("TL;DR: I left\n\nI left him.", "I left him."),
        ("I left.\n\nTLDR - I left, all say NTA", "I left."),
        ("I left.\n\n**TL;DR**\n\nAll say NTA\n\nHe stayed.", "I left.\n\nHe stayed."),
        ("I left. TL/DR: all say NTA", "I left."),
        ("I left (edit: last May) and he stayed.", "I left and he stayed."),
        ("I left.\n\nSummary: all say NTA", "I left."),
        ("I left.\n\nEdit because you asked: I am YTA", "I left."),
        ("I left.\n\nEdit I am YTA", "I left."),
        ("I left.\n\nEdit… I am YTA", "I left."),
        ("I left.\n\nEditing to add that I am YTA", "I left."),
        ("I left.\n\nETA I am 28 and YTA", "I left."),
        ("I left.\n\nUpdate on him: all say NTA", "I left."),
        ("I left.\n\nUpdate I told him. NTA", "I left."),
        ("I left.\n\nOne more edit: YTA", "I left."),
        ("I left.\n\nLast edit, I promise: YTA", "I left."),
        ("I left.\n2nd edit: YTA", "I left."),
        ("I left.\n\nEDIT1: YTA", "I left."),
        ("I left.\n\nEdit/Update: YTA", "I left."),
        ("I left.\n\nRelevant info/edit: YTA", "I left."),
        ("I left.\n\n1/2/25 UPDATE: YTA", "I left."),
        ("I left.\n\nEdit (2 Jan) YTA", "I left."),
        ("I left.\n\nP.S. edit: YTA", "I left."),
        ("I left.\n\n—EDIT— YTA", "I left."),
        ("I left.\n\n=== EDIT ===\n\nYTA", "I left."),
        ("I left.\n\n\\*\\*EDIT\\*\\* YTA", "I left."),
        ("I left.\n\n_Edited for clarity_\n\nYTA", "I left."),
        ("I left.\n\n🚨 EDIT 🚨 YTA", "I left."),
        ("I left.\n\nFinal verdict: YTA", "I left."),
        ("I left. EDIT I see that I'm YTA", "I left."),
        ("I left him edit: YTA", "I left him"),
        ("I left.\n\nT.L.D.R.: I left, all say NTA", "I left."),
        ("I left. tldr all say NTA", "I left."),
    ],
)
def test_what_gives_the_verdict_away_goes(written: str, left: str) -> None:
    assert first_version(written) == left


@pytest.mark.parametrize(
    "written",
    [
        "I left.\n\nUpdated wiring was the reason.",
        "I edit videos. He said: edit them again.",
        "Our ETA was five. We updated the app.",
        "I had to\nupdate my resume",
        "The EDIT button was broken. I HAD TO EDIT HIS VIDEO.",
        "I made one edit: the title. I gave him the tl;dr of it, and left.",
        "Judgment-free, she said.\n\nUpdates cost us a week.\n\nEdited footage was all he had.",
        "“Edit: no,” she wrote.\n\nOur ETA was five.\n\nETA was an hour.",
    ],
)
def test_what_only_sounds_like_it_stays(written: str) -> None:
    assert first_version(written).split() == written.split()


def test_texts_are_as_their_author_typed_them() -> None:
    assert plain("a &amp; b &lt;3\r\n\r\n&amp;#x200B;\r\nc\u200b 😀 ") == "a & b <3\n\n \nc  😀"
    assert plain("a\x00b\u202ec\u2066d\re\u2009f") == "a b c d\ne\u2009f"
    assert plain("👨\u200d👩\u200d👧") == "👨\u200d👩\u200d👧"


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("u/some_one said", "[someone] said"),
        ("thanks, /u/Some-One!", "thanks, [someone]!"),
        (r"so U/some\_one\_2.", "so [someone]."),
        ("see reddit.com/user/abc_d/posts", "see reddit.com[someone]/posts"),
        ("my profile r/u_some_one", "my profile [someone]"),
        ("and/or either/us you/me", "and/or either/us you/me"),
        (r"I am Poster\_1.", "I am [someone]."),
        ("I am Poster_1, poster_1, not Poster_12", "I am [someone], [someone], not Poster_12"),
    ],
)
def test_names_go(written: str, left: str) -> None:
    assert without_names(written, names_in("Poster_1", written)) == left


def test_plain_words_stay_when_they_are_names() -> None:
    assert without_names("my mother, Mother", {"mother"}) == "my mother, Mother"
    assert without_names("by x", {""}) == "by x"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("NTA", {"NTA"}),
        ("**NTA**, he is", {"NTA"}),
        ("__ESH__", {"ESH"}),
        ("NTA. Really, NTA!", {"NTA"}),
        ("YWBTA if you did", {"YTA"}),
        ("YWNBTA", {"NTA"}),
        ("INFO: how old is he?", {"INFO"}),
        ("NAH but also ESH", {"NAH", "ESH"}),
        ("NTA and YWBTA", {"NTA", "YTA"}),
        ("&gt; everybody says YTA\n\nNTA", {"NTA"}),
        ("> YTA\nno", set()),
        ("&gt;!NTA!&lt;", {"NTA"}),
        ("nta", set()),
        ("Nta yta", set()),
        ("SANTA, INFORMATION, NTAs", set()),
        ("see https://x.org/YTA and r/YTA, u/NTA: NAH", {"NAH"}),
        ("", set()),
    ],
)
def test_verdicts_are_whole_words_in_capitals(body: str, found: set[str]) -> None:
    assert verdicts(body) == found
