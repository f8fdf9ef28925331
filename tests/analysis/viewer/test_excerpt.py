"""What stands around a text that was searched for."""

from hypothesis import given
from hypothesis import strategies as st

from analysis.viewer.excerpt import AROUND, CUT, Excerpt, excerpt


def test_it_is_shown_as_it_was_written_with_what_stands_around() -> None:
    assert excerpt("case", "He had PROMISED\n\nnothing.", "promised") == Excerpt(
        "case", "He had ", "PROMISED", " nothing."
    )


def test_long_texts_are_cut_at_words_on_both_sides() -> None:
    found = excerpt("case", "word " * 40 + "needle" + " word" * 40, "needle")
    assert found is not None
    assert found.before == CUT + "word " * ((AROUND - 1) // 5)
    assert found.after == " word" * (AROUND // 5 - 1) + " " + CUT


def test_patterns_are_text() -> None:
    assert excerpt("case", "100 cello", "100.* cello") is None
    assert excerpt("case", "a (100.* cello) b", "(100.* Cello)") == Excerpt(
        "case", "a ", "(100.* cello)", " b"
    )


@given(st.text(max_size=300), st.text(min_size=1, max_size=5), st.text(max_size=300))
def test_it_never_fails_and_stays_short(before: str, wanted: str, after: str) -> None:
    found = excerpt("case", before + wanted + after, wanted)
    assert found is None or all(
        len(each) <= 2 * AROUND + 1 for each in (found.before, found.found, found.after)
    )
