"""Conditions in words."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.naming import differing, label, pooled, rank, same
from analysis.tally import CONDITION

RUN = pd.DataFrame(
    [
        ("debate", "solo", "{}", "a+b", "1-2", "default+default", "json"),
        ("debate", "synchronous", '{"rounds":4}', "a+b", "2-1", "default+kind", "json"),
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


def test_the_stage_debate_needs_no_words_where_there_are_others() -> None:
    assert label({"stage": "debate", "protocol": "solo"}) == "solo"
    assert label({"stage": "longer", "protocol": "solo"}) == "stage longer · solo"
    assert label({"stage": "debate"}) == "stage debate", "where nothing else names it"
    assert same(RUN.assign(stage="longer")) == "stage longer, panel a + b, answer format json"


def test_what_differs_names_a_condition_and_where_nothing_does_not_the_stage() -> None:
    assert differing(RUN, CONDITION) == ["protocol", "variant", "order", "steering"]
    assert differing(RUN[:1], CONDITION) == ["protocol"]
    assert differing(pd.concat([RUN, RUN.assign(stage="longer")]), ("stage", "panel")) == ["stage"]


def test_the_stage_debate_comes_first() -> None:
    stages = ["blind", "debate", "longer"]
    ordered = sorted(({"stage": one, "protocol": "solo"} for one in stages), key=rank)
    assert [one["stage"] for one in ordered] == ["debate", "blind", "longer"]


def test_default_steering_comes_first() -> None:
    steerings = ["adversarial+adversarial", "default+adversarial", "default+default", "kind+kind"]
    ordered = sorted(({"protocol": "solo", "steering": one} for one in steerings), key=rank)
    assert [one["steering"] for one in ordered] == [steerings[i] for i in (2, 1, 0, 3)]


def test_parameters_of_parameters_are_put_in_words() -> None:
    variant = '{"best_of_n":{"n":3,"seats":[1,2]},"turns":2}'
    assert label({"variant": variant}) == "best_of_n (n 3, seats 1 and 2), turns 2"


@pytest.mark.parametrize("variant", ["[1]", "null", "7", '{"rounds":', "as before", "<b>"])
def test_a_variant_that_moot_has_not_written_stands_as_it_is(variant: str) -> None:
    assert label({"protocol": "mine", "variant": variant}) == f"mine · variant {variant}"
    assert len(label({"protocol": "mine", "variant": variant * 5_000})) < 200
