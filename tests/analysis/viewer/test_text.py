"""Text of models in a page: nothing of it is markup, and nothing of it is unseen."""

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from analysis.viewer.text import MOST, SHOWN, line, parts, plain, visible

EVIL = "\u202e\u2066\u200b\u200d\ufeff\u00ad\x00\x1b\x7f\x85\u2028\U000e0041\u3164\u115f\ue000\U000f0000"


def test_what_cannot_be_seen_is_named() -> None:
    shown = visible(f"a{EVIL}b")
    for mark in EVIL:
        assert mark not in shown
        assert f">U+{ord(mark):04X}</span>" in shown
    assert 'title="RIGHT-TO-LEFT OVERRIDE"' in shown


def test_what_people_write_stays_as_it_is() -> None:
    for said in ("Zoë, naïve\n\tand 你好", "مرحبا", "e\u0301", "👩\ufe0f", "क्षि", "a\u00a0b"):
        assert visible(said) == f'<bdi class="said">{said}</bdi>'


def test_marks_that_paint_over_other_lines_are_counted() -> None:
    name = "56 marks over one letter, beyond the first 4"
    assert visible("Z" + "\u0335" * 60).endswith(f'<span class="unseen" title="{name}">+56</span></bdi>')


NAMED = re.compile(r'<span class="unseen" title="[^"<>]*">(U\+[0-9A-F]+|\+\d+)</span>')


@given(st.text())
def test_there_is_no_markup_and_nothing_unseen(said: str) -> None:
    shown = visible(said).removeprefix('<bdi class="said">').removesuffix("</bdi>")
    inside = NAMED.sub("", shown)
    assert not re.search("[<>\"']", inside)
    unseen = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    assert not [mark for mark in inside if mark not in "\n\t" and unicodedata.category(mark) in unseen]


@given(st.text(max_size=50), st.integers(0, 3 * SHOWN))
def test_parts_together_are_the_text(said: str, times: int) -> None:
    text = (said or "x") * times
    open, folded, left = parts(text)
    assert text.startswith(open + folded)
    assert len(open) + len(folded) + left == len(text)
    assert len(open) <= SHOWN * 5 // 4


def test_a_very_long_text_is_cut_and_says_so() -> None:
    open, folded, left = parts("x" * (MOST + 10))
    assert (len(open), len(open + folded), left) == (SHOWN, MOST, 10)


def test_a_line_is_one() -> None:
    assert line("a\nb   c", 4) == '<bdi class="said">a b…</bdi>'
    assert line(None) == '<bdi class="said"></bdi>'


def test_what_a_template_writes_has_nothing_unseen() -> None:
    assert plain("a\u202eb<i>") == "a⟨U+202E⟩b<i>"
    assert plain(Markup("<i>\u202e</i>")) == "<i>\u202e</i>"
    assert plain(3) == 3
