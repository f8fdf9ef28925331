"""What was sent within the last minute, against a plain count."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from serving.limits.minute import Minute


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 500)), max_size=30), st.integers(0, 70))
def test_counts_are_those_of_the_last_sixty_seconds(sent: list[tuple[int, int]], later: int) -> None:
    minute, now, times = Minute(), 0, []
    for pause, tokens in sent:
        now += pause
        minute.add(1, tokens, now + 0.5)
        times.append((now, tokens))
    now += later
    recent = [tokens for second, tokens in times if second > now - 60]
    assert (minute.requests(now), minute.tokens(now)) == (len(recent), sum(recent))


def test_what_is_given_back_late_is_never_less_than_nothing() -> None:
    minute = Minute()
    minute.add(1, 100, 0.0)
    minute.add(0, -60, 61.0)
    assert (minute.requests(61.0), minute.tokens(61.0)) == (0, 0)
    minute.add(1, 80, 62.0)
    assert minute.tokens(62.0) == 20
