"""What a plan will take, against what playing it takes."""

from collections import Counter
from pathlib import Path

import pytest

from ray_jobs.cases import CaseRow
from ray_jobs.estimate import Range, estimate
from ray_jobs.plan import Plan
from tests.ray_jobs.plays import played
from tests.ray_jobs.studies import model_folder, study

ROWS = [
    CaseRow("x", "A title.", "word " * 90),
    CaseRow("y", "Other.", "word " * 110),
    CaseRow("z", "T.", "word " * 400),
]


def test_calls_range_from_agreement_at_once_to_none_ever() -> None:
    """Two cases, three repetitions; three seats over four rounds; one seat is of one mind with itself."""
    experiment = study(
        panels=[["a", "b", "b"], ["c"]], protocols=["solo", "synchronous"], rounds=4, repetitions=3
    )
    plan = Plan(experiment, ["x", "y"])
    found = estimate(experiment, plan, ROWS[:2])
    assert [(each.debates, each.calls) for each in found.cells] == [
        (6, Range(18, 18)),
        (6, Range(6, 6)),
        (6, Range(18, 72)),
        (6, Range(6, 6)),
    ]
    assert found.debates == len(plan)
    assert found.calls == Range(48, 102)
    by_model = {each.model: each.calls for each in found.models}
    assert by_model == {"a": Range(12, 30), "b": Range(24, 60), "c": Range(12, 12)}


def test_tokens_are_counted_by_the_models_own_tokenizer(tmp_path: Path) -> None:
    """One solo ask: its tokens are its words, here of the case nearest to the mean length."""
    block = {"backend": "vllm", "model": model_folder(tmp_path / "m", 4096), "max_tokens": 30}
    experiment = study(models={"m": block}, panels=[["m"]], protocols=["solo"])
    [found] = estimate(experiment, Plan(experiment, ["y"]), ROWS[:2] + ROWS[1:2]).models
    assert found.counted
    assert found.prompt_tokens.least == found.prompt_tokens.most > 110
    assert found.completion_tokens == Range(30, 30)


@pytest.mark.parametrize("model", ["smollm", "org/model"])
def test_a_model_that_is_not_at_hand_is_estimated_by_characters(model: str) -> None:
    block = {"backend": "vllm", "model": model, "max_tokens": 30}
    experiment = study(models={"m": block}, panels=[["m", "m"]], protocols=["synchronous"])
    [found] = estimate(experiment, Plan(experiment, ["x"]), ROWS).models
    assert not found.counted
    assert 0 < found.prompt_tokens.least < found.prompt_tokens.most


def test_a_range_adds_up() -> None:
    assert sum([Range(1, 2), Range(3, 5)], Range()) == Range(4, 7)


ORDERS: dict[str, object] = {"one": [[1, 2]], "other": [[2, 1]], "both": "all"}


@pytest.mark.parametrize("after", [False, True], ids=["", "after a synchronous round"])
def test_what_a_model_reads_depends_on_when_it_speaks(after: bool) -> None:
    """Two models of one panel: the mirrored order has mirrored figures, all orders have the mean of both.

    Also where the round-robin is a stage, in which the seats speak by their labels.
    """
    remote = {"backend": "openai", "model": "m", "max_tokens": 50}

    def read(rule: str, panel: str = "ab") -> dict[str, float]:
        design = {"panels": [list(panel)], "protocols": [{"round_robin": {"orders": ORDERS[rule]}}]}
        if after:
            stage = {"name": "on", "protocols": ["round_robin"], "rounds": 4}
            design = {"panels": [list(panel)], "protocols": ["synchronous"], "labels": "fixed"}
            design |= {"rounds": 1, "stages": [stage]}
        experiment = study(models={"a": remote, "b": remote}, **design)
        plan = Plan(experiment, ["x"])
        found = estimate(experiment, plan, ROWS[:1])
        return {each.model: each.prompt_tokens.most / len(plan.cells) for each in found.models}

    one, other = read("one"), read("one", "ba") if after else read("other")
    assert one["a"] < one["b"]
    assert other == {"a": one["b"], "b": one["a"]}
    if not after:
        mean = {name: (one[name] + other[name]) / 2 for name in "ab"}
        assert read("both") == pytest.approx(mean, abs=1)  # figures are rounded to whole tokens


def test_orders_in_which_equal_models_change_places_are_estimated_once_and_synchronous_ones_too() -> None:
    """Of a synchronous debate every seat reads as much, whoever sits where."""
    remote = {"backend": "openai", "model": "m", "max_tokens": 50}

    def read(panel: list[str]) -> list[Range]:
        experiment = study(models={"a": remote, "b": remote}, panels=[panel], protocols=["synchronous"])
        return [e.prompt_tokens for e in estimate(experiment, Plan(experiment, ["x"]), ROWS[:1]).models]

    assert read(["a", "b"]) == read(["b", "a"])


QUESTIONS = [
    CaseRow(f"q{n}", "", f"Question {n}?", options=["one", "two", "three"], truth="one") for n in range(3)
]
PLACED: list[dict[str, object]] = [
    {"consultancy": {"consultant": 1}},
    {"consultancy": {"consultant": 2, "turns": 1}},
    {"double_consultancy": {"best_of_n": {"n": 3, "seats": [1]}}},
    {"double_consultancy": {"critiqued": {"critic": "c", "seats": [2]}}},
    {"double_consultancy": {"best_of_n": {"n": 2}}},
]


@pytest.mark.parametrize("protocol", PLACED, ids=str)
@pytest.mark.parametrize("as_stage", [False, True], ids=["of the designs", "as a stage"])
def test_what_is_asked_of_a_seat_by_its_place_is_counted_for_who_sits_there(
    protocol: dict[str, object], as_stage: bool
) -> None:
    """None of these depends on what is said, so that what a run asks of each model is known exactly."""
    design: dict[str, object] = {"panels": [["a", "b"], ["b", "a"], ["a", "c"]], "protocols": [protocol]}
    if as_stage:
        design |= {"protocols": ["solo"], "stages": [{"name": "on", "protocols": [protocol]}]}
    experiment = study(**design)
    found = estimate(experiment, Plan(experiment, [row.id for row in QUESTIONS]), QUESTIONS)
    asked = Counter(
        reply["model"] for rows in played(experiment, QUESTIONS) for reply in rows.get("replies", ())
    )
    assert {each.model: each.calls for each in found.models} == {
        model: Range(count, count) for model, count in asked.items()
    }
