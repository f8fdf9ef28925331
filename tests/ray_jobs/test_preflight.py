"""What is known before anything starts: models that are none, and cases that do not fit."""

from dataclasses import replace
from pathlib import Path

import pytest

from ray_jobs.cases import CaseRow
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.located import ExperimentError
from ray_jobs.preflight import preflight
from tests.ray_jobs.plays import case_rows
from tests.ray_jobs.studies import model_folder, study


def rows(*words: int) -> list[CaseRow]:
    """Cases of so many words each, in a file of their own."""
    return [
        CaseRow(f"case{line}", "A title.", "word " * count, place=f"cases.jsonl:{line}")
        for line, count in enumerate(words, start=1)
    ]


def counting(tmp_path: Path, context: int, **keys: object) -> Experiment:
    """An experiment whose model counts words and has a context of so many."""
    block = {"backend": "vllm", "model": model_folder(tmp_path / "m", context), "max_tokens": 50}
    return study(models={"m": block}, panels=[["m", "m"]], protocols=["synchronous"], **keys)


def test_cases_that_fit_pass_without_a_word(tmp_path: Path) -> None:
    assert preflight(counting(tmp_path, 20_000), rows(100, 200)) == []


def test_a_stage_that_keeps_nothing_of_a_panel_of_one_is_warned_of() -> None:
    """Whether it keeps agreement or its absence; not one that keeps all, and not of panels of two."""

    def warnings(keep: str, *panels: list[str]) -> list[str]:
        stage = {"name": "judged", "keep": keep, "judges": ["a"]}
        return preflight(study(panels=panels, protocols=["synchronous"], stages=[stage]), case_rows(1))

    for keep in ("consensus", "no_consensus"):
        [warning] = warnings(keep, ["a", "b"], ["a"], ["b"])
        assert warning.startswith(
            f"stage 'judged' keeps debates that end with {keep}: none of the panels a, b,"
        )
        assert warnings(keep, ["a", "b"]) == []
    assert warnings("all", ["a"]) == []


def test_a_case_longer_than_the_context_is_refused_with_all_that_are(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError) as refused:
        preflight(counting(tmp_path, 1500), rows(10, 2000, 20, 3000))
    first, second = str(refused.value).splitlines()
    assert first.startswith("cases.jsonl:2: case 'case2': found 2")
    assert "tokens in the shortest prompts for the model 'm'; allowed: 1450, its context of 1500" in first
    assert "shorten the case, lower max_tokens, or raise engine: max_model_len" in first
    assert second.startswith("cases.jsonl:4: case 'case4': found 3")


def test_of_many_cases_that_do_not_fit_five_are_told(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError) as refused:
        preflight(counting(tmp_path, 1500), rows(*[2000] * 5, 10, *[2000] * 7))
    *told, more = str(refused.value).splitlines()
    assert [line.split(": ")[0] for line in told] == [f"cases.jsonl:{line}" for line in range(1, 6)]
    assert more == "and 7 more"
    with pytest.raises(ExperimentError) as refused:
        preflight(counting(tmp_path / "m", 1500), rows(*[2000] * 5))
    assert len(str(refused.value).splitlines()) == 5


def test_the_tokens_found_are_those_that_would_be_sent(tmp_path: Path) -> None:
    """At the limit a case fits, and with one word more it does not."""
    experiment = counting(tmp_path, 1500)
    with pytest.raises(ExperimentError) as refused:
        preflight(experiment, rows(1450))
    overhead = int(str(refused.value).split("found ")[1].split()[0]) - 1450
    preflight(experiment, rows(1450 - overhead))
    with pytest.raises(ExperimentError, match="found 1451 tokens"):
        preflight(experiment, rows(1451 - overhead))


def test_a_debate_that_may_outgrow_the_context_is_warned_of(tmp_path: Path) -> None:
    experiment = counting(tmp_path, 2000, rounds=20)
    [warning] = preflight(experiment, rows(10, 300, 20))
    assert warning.startswith(
        "cases.jsonl:2: case 'case2': by round 20 of synchronous a prompt for the model 'm'"
    )
    assert "lower max_tokens or rounds" in warning
    assert preflight(counting(tmp_path / "m", 2000, rounds=2), rows(10, 300, 20)) == []


def test_what_has_no_context_is_passed_over() -> None:
    assert preflight(study(panels=[["a", "b"]], protocols=["solo"]), rows(100_000)) == []


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("smolm", ["found 'smolm'", "unknown name", "Hugging Face name"]),
        ("./none", ["found './none'", "no such folder"]),
        ("{folder}", ["is no model folder: config.json is missing"]),
    ],
)
def test_a_model_that_is_none_is_refused_with_its_line(
    tmp_path: Path, model: str, expected: list[str]
) -> None:
    (tmp_path / "cases.jsonl").touch()
    file = tmp_path / "study.yaml"
    file.write_text(
        "name: study\ncases: {file: cases.jsonl}\nmodels:\n"
        f"  m: {{backend: vllm, model: {model.format(folder=tmp_path)}}}\n"
        "  unseated: {backend: vllm, model: nonsense}\n"
        "panels: [[m]]\nprotocols: [solo]\n"
    )
    experiment = load_experiment(file)
    with pytest.raises(ExperimentError) as refused:
        preflight(experiment, rows(10))
    [line] = str(refused.value).splitlines()
    for part in (f"{file}:4: models.m.model: found", "allowed: a model that is there", *expected):
        assert part in line


def test_a_model_of_the_hub_is_told_of() -> None:
    """Nothing is known of it here, so nothing can be checked."""
    experiment = study(
        models={"far": {"backend": "vllm", "model": "org/name"}}, panels=[["far", "far"]], protocols=["solo"]
    )
    [warning] = preflight(experiment, case_rows(1))
    assert "model 'far': 'org/name' is not on this machine" in warning


def test_a_remote_model_whose_context_is_told_refuses_what_certainly_does_not_fit() -> None:
    """No tokenizer is at hand: every word counts one."""
    block = {"backend": "openai", "model": "m", "max_tokens": 50}

    def check(context: int | None, *words: int) -> list[str]:
        model = {**block, "context": context}
        experiment = study(models={"m": model}, panels=[["m", "m"]], protocols=["synchronous"])
        return preflight(experiment, rows(*words))

    assert check(None, 5000) == []
    assert check(20_000, 5000) == []
    with pytest.raises(ExperimentError) as refused:
        check(1500, 10, 2000)
    told = str(refused.value)
    assert told.startswith("cases.jsonl:2: case 'case2': found 2")
    assert "tokens (one for each word) in the shortest prompts for the model 'm'; allowed: 1450" in told
    assert told.endswith("or take a model with a longer context")
    [warning] = check(1500, 700)
    assert "tokens (one for each word), if every reply" in warning


def test_a_filter_by_who_is_right_is_warned_of_where_that_is_not_known() -> None:
    stage = {"name": "argued", "keep": "one_right", "protocols": ["debate"]}
    experiment = study(panels=[["a", "b"]], protocols=["solo"], stages=[stage])
    known = CaseRow("x", "", "What?", options=["one", "two"], truth="one")
    [warning] = preflight(experiment, [known, replace(known, id="y", truth=None)])
    assert "stage 'argued' keeps debates in which exactly one seat is right, and 1 of 2 cases" in warning
    assert preflight(experiment, [known]) == []


def test_options_are_listed_in_two_orders_only_where_there_are_any() -> None:
    experiment = study(panels=[["a", "b"]], protocols=["solo"], listing="crossed")
    known = CaseRow("x", "", "What?", options=["one", "two"], truth="one")
    assert preflight(experiment, [known]) == []
    with pytest.raises(ExperimentError, match=r"^cases:2: the case 'y' has no options, and listing: crossed"):
        preflight(experiment, [known, CaseRow("y", "", "A story.", place="cases:2")])


@pytest.mark.parametrize(
    "protocol",
    ["solo", "consultancy", "double_consultancy", "debate", "disagreement_resolution"],
)
@pytest.mark.parametrize("panel", ["a", "abc", "abcab"])
def test_a_case_brings_an_opening_for_each_seat_or_none(protocol: str, panel: str) -> None:
    given = CaseRow(
        "x", "", "What?", options=["one", "two"], openings=(("one", "o"), ("two", "t")), place="cases:1"
    )
    experiment = study(panels=[["a", "b"], list(panel)], protocols=[protocol])
    with pytest.raises(
        ExperimentError, match=rf"^cases:1: openings: found 2 .* each of the {len(panel)} seats"
    ):
        preflight(experiment, [given])
    assert preflight(study(panels=[["a", "b"]], protocols=[protocol]), [given]) == []
    assert preflight(experiment, [replace(given, openings=None)]) == []
    heard = study(panels=[list(panel)], protocols=["synchronous", "round_robin"])
    assert preflight(heard, [given]) == []


QUESTIONS = [CaseRow(f"q{number}", "", "Which?", options=("one", "two"), truth="one") for number in range(3)]


def knowing(known: dict[str, str], **keys: object) -> Experiment:
    """Two simulated models, of which one knows the right options of these questions."""
    law = {"knows": {case: {"truth": truth} for case, truth in known.items()}}
    models = {"a": {"backend": "simulated", "oversight": law}, "b": {"backend": "simulated"}}
    return study(models=models, panels=[["a", "b"]], protocols=["solo"], **keys)


def test_a_simulated_model_knows_every_question_or_is_refused() -> None:
    assert preflight(knowing({"q0": "one", "q1": "one", "q2": "one", "other": "x"}), QUESTIONS) == []
    with pytest.raises(ExperimentError) as refused:
        preflight(knowing({"q0": "one", "q2": "three"}), QUESTIONS)
    [unknown, other] = str(refused.value).splitlines()
    assert "models.a.oversight.knows: found no right option of 1 of the 3 questions, 'q1' for one" in unknown
    assert "found as right what is no option of 1 of the 3 questions, 'q2' for one; allowed: a file" in other


def test_moral_cases_need_no_knowledge() -> None:
    assert preflight(knowing({"q0": "one"}), case_rows(2)) == []


def test_judges_of_questions_without_any_right_answer_are_warned_of() -> None:
    judged = study(panels=[["a", "b"]], protocols=["solo"], stages=[{"name": "judged", "judges": ["a"]}])
    unknown = [replace(case, truth=None) for case in QUESTIONS]
    [warning] = preflight(judged, unknown)
    assert warning.startswith(
        "no question has a right answer (truth), so whether the judges of stage 'judged'"
    )
    assert "columns: {truth: NAME}" in warning
    assert preflight(judged, [*unknown[:2], QUESTIONS[2]]) == []
    assert preflight(judged, case_rows(2)) == []
    assert preflight(study(panels=[["a", "b"]], protocols=["solo"]), unknown) == []
