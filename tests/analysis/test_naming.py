"""Conditions in words."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.naming import label, pooled, rank, same
from analysis.tally import CONDITION

RUN = pd.DataFrame(
    [
        ("solo", "{}", "a+b", "1-2", "default+default", "json"),
        ("synchronous", '{"rounds":4}', "a+b", "2-1", "default+kind", "json"),
    ],
    columns=CONDITION,
)


def test_a_condition_is_named_by_the_columns_given() -> None:
    assert label({"protocol": "synchronous", "variant": '{"rounds":4}', "order": ""}) == (
        "synchronous · rounds 4"
    )


@pytest.mark.parametrize(
    ("steering", "said"),
    [
        ("kind", "steering kind"),
        ("kind+kind+kind", "steering kind ×3"),
        ("kind+kind+stern", "steering kind + kind + stern"),
    ],
)
def test_seats_that_are_all_alike_are_named_once(steering: str, said: str) -> None:
    assert label({"steering": steering}) == said


def test_what_is_the_same_everywhere_and_what_is_pooled() -> None:
    assert same(RUN) == "panel a + b, answer format json"
    assert pooled(RUN, CONDITION) == ""
    assert pooled(RUN, ("protocol", "panel")) == (
        "variant (rounds 4, none), order (1-2, 2-1), steering (default ×2, default + kind)"
    )


def test_default_steering_comes_first() -> None:
    steerings = ["adversarial+adversarial", "default+adversarial", "default+default", "kind+kind"]
    ordered = sorted(({"protocol": "solo", "steering": one} for one in steerings), key=rank)
    assert [one["steering"] for one in ordered] == [steerings[i] for i in (2, 1, 0, 3)]
