"""The debates behind a number: those of its condition, whatever is pooled over."""

from urllib.parse import parse_qs

import pandas as pd

from analysis.report.behind import behind
from analysis.report.page import html
from tests.analysis.report.test_page import document

RECORD = {
    "stage": "debate",
    "protocol": "round_robin",
    "panel": "a+b",
    "order": "1-2",
    "steering": "",
    "answer_format": "json",
    "model": "a",
    "round": 3,
    "numerator": 4,
}


def test_the_condition_and_the_model_are_filters_and_the_round_is_none() -> None:
    assert parse_qs(behind(RECORD).removeprefix("?")) == {
        "stage": ["debate"],
        "protocol": ["round_robin"],
        "panel": ["a+b"],
        "order": ["1-2"],
        "format": ["json"],
        "model": ["a"],
    }


def test_what_is_pooled_over_is_none_and_a_judge_has_a_stage_of_its_own() -> None:
    pooled = {"stage": "debate", "protocol": "solo", "order": pd.NA, "model": None}
    assert parse_qs(behind(pooled).removeprefix("?")) == {"stage": ["debate"], "protocol": ["solo"]}
    judged = behind({**RECORD, "stage": "judged", "judge": "c"})
    assert "stage" not in judged
    assert "format" not in judged
    assert behind({"estimate": 0.5}) == ""


def test_a_page_names_the_filters_and_has_no_link_of_its_own() -> None:
    said = html(document(), "report")
    assert 'data-behind="?stage=debate&amp;protocol=' in said
    assert "/debates" not in said
