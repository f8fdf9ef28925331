"""Differences of rates between conditions, and how sure they would be."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.model.plan import Condition
from analysis.power.rates import Contrast, contrasts, half_widths
from analysis.power.size import Size

DESIGN = [
    Condition("solo", ("a",), 1),
    Condition("synchronous", ("a", "b")),
    Condition("round_robin", ("a", "b")),
    Condition("round_robin", ("b", "a")),
    Condition("synchronous", ("a", "a")),
]
NTA, YTA, NONE = 0, 1, -1


def test_protocols_and_orders_of_one_panel_are_compared() -> None:
    told = {(each.name, each.plus, each.minus) for each in contrasts(DESIGN)}
    assert told == {
        ("synchronous − round robin: a, b", (1,), (2, 3)),
        ("order b, a − a, b", (3,), (2,)),
    }
    assert {each.measure for each in contrasts(DESIGN)} == {"consensus", "change of verdict"}


def test_debates_by_other_rules_are_compared_apart_and_told_apart() -> None:
    longer = [Condition(protocol, ("a", "b"), 8, False) for protocol in ("synchronous", "round_robin")]
    names = [each.name for each in contrasts([*DESIGN, *longer])]
    assert len(names) == len(set(names)) * 2
    assert "synchronous − round robin: a, b (rounds 8, stop never)" in names


def test_half_widths_are_those_of_a_mean_over_dilemmas() -> None:
    """Consensus in 3 of 10 dilemmas more: 1.96 sqrt(.3 .7 / 400), by bootstrap within some percent."""
    agree, differ = [[NTA, NTA], [NONE, NONE]], [[NTA, YTA], [NTA, YTA]]
    verdicts = np.array([[agree if case % 10 < 3 else differ, differ] for case in range(400)], np.int8)
    difference = Contrast("one − other", "consensus", (0,), (1,))
    [half] = half_widths([difference], verdicts.reshape(-1, 2, 2), Size(1, 400))
    assert half == pytest.approx(1.96 * np.sqrt(0.3 * 0.7 / 400), rel=0.12)


def test_repetitions_of_a_dilemma_count_as_one_dilemma() -> None:
    """Two repetitions that always agree with each other say no more than one."""
    agree, differ = [[NTA, NTA], [NONE, NONE]], [[NTA, YTA], [NTA, YTA]]
    once = np.array([[agree if case % 2 else differ, differ] for case in range(60)], np.int8)
    twice = np.repeat(once[:, None], 2, axis=1)
    wanted = [Contrast("one − other", "consensus", (0,), (1,))]
    halves = [
        half_widths(wanted, once.reshape(-1, 2, 2), Size(1, 60)),
        half_widths(wanted, twice.reshape(-1, 2, 2), Size(2, 60)),
    ]
    assert halves[0] == pytest.approx(halves[1])


def test_a_change_of_verdict_is_any_seat_s_in_any_later_round() -> None:
    """Back to the first verdict is a change, too; a debate of one round has none."""
    debates = [
        [[NTA, YTA], [NTA, YTA], [NTA, YTA]],
        [[NTA, YTA], [YTA, YTA], [NONE, NONE]],
        [[NTA, YTA], [NTA, NTA], [NTA, YTA]],
        [[NTA, NTA], [NONE, NONE], [NONE, NONE]],
    ]
    changed = [False, True, True, False]
    for debate, moved in zip(debates, changed, strict=True):
        pair = np.array([debate, debates[0], debates[0], debates[0]], np.int8)
        [half] = half_widths([Contrast("", "change of verdict", (0,), (1,))], pair, Size(1, 2))
        assert (half > 0) == moved
