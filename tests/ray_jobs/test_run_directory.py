"""A run goes on only with the same questions; whatever adds debates or changes none is allowed."""

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from analysis.storage import AddressError
from ray_jobs.case_table import CaseTable, add_cases
from ray_jobs.claims import claim_id, claim_run
from ray_jobs.differences import differences
from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError
from ray_jobs.run_directory import refuse_foreign
from ray_jobs.store import Store
from tests.ray_jobs.plays import case_rows
from tests.ray_jobs.studies import study

VLLM = {"backend": "vllm", "model": "tiny", "max_tokens": 60}
FIRST: dict[str, Any] = {
    "models": {"a": {"backend": "simulated"}, "v": VLLM},
    "panels": [["a", "v"]],
    "protocols": ["synchronous"],
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "run"))


def experiment(**changes: Any) -> Experiment:
    return study(**{**FIRST, **changes})


def models(a: dict[str, Any] | None = None, v: dict[str, Any] | None = None) -> dict[str, Any]:
    """The models of the first experiment with other values."""
    return {"models": {"a": {"backend": "simulated", **(a or {})}, "v": {**VLLM, **(v or {})}}}


def test_a_claim_says_what_is_played_under_which_versions(store: Store) -> None:
    claim = claim_run(store, experiment(), claim_id())
    [name] = store.names("claims")
    assert name == f"claims/{claim.id}.json"
    record = json.loads(store.read(name))
    assert record["run_id"] == claim.run_id
    assert record["run_id"].startswith("study-")
    assert {"python", "moot", "ray", "pyarrow", "schema"} <= set(record["versions"])
    assert "task" in record["prompts"]
    assert Experiment.thawed(record["experiment"]).frozen() == experiment().frozen()
    assert store.exists("experiment.yaml")


def test_every_start_has_a_claim_of_its_own_on_the_same_run(store: Store) -> None:
    claims = [claim_run(store, experiment(), claim_id()) for _ in range(3)]
    assert len({claim.id for claim in claims}) == len(store.names("claims")) == 3
    assert len({claim.run_id for claim in claims}) == 1


def test_a_file_is_no_run_directory(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ExperimentError, match=r"--out: found the file .*notes.txt; expected a folder"):
        refuse_foreign(Store(str(tmp_path / "notes.txt")))
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["", " ", "a\0b", "a\nb", "\x1b[2J"])
def test_what_no_folder_is_called_is_refused(name: str) -> None:
    with pytest.raises(AddressError, match="is no address of a run: it is empty, or holds") as refused:
        Store(name)
    assert str(refused.value).isprintable()


def stages(**judges: object) -> dict[str, Any]:
    """The experiment with a stage of judges."""
    return {"stages": [{"name": "judged", "judges": {"models": ["a"], **judges}}]}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seed": 8}, "seed: was 0, is 8"),
        (models(v={"model": "org/other"}), "models.v.model: was tiny, is org/other"),
        (models(v={"revision": "abc"}), "models.v.revision: was None, is abc"),
        (models(v={"max_tokens": 61}), "models.v.max_tokens: was 60, is 61"),
        (models(v={"temperature": 0.5}), "models.v.temperature: was 1.0, is 0.5"),
        (models(v={"sampling": {"top_k": 5}}), "models.v.sampling.top_k: was None, is 5"),
        (models(a={"alpha": 9.0}), "models.a.alpha: was 1.5, is 9.0"),
        (
            stages(sees="nothing"),
            "stages: 'judged': sees: was transcript, is nothing; another stage needs another name",
        ),
        ({"prompts": {"task": "Judge it."}}, "prompts: section 'task' has changed"),
    ],
)
def test_other_questions_are_refused_and_named(store: Store, change: dict[str, Any], says: str) -> None:
    claim_run(store, experiment(**stages()), claim_id())
    with pytest.raises(ExperimentError) as refused:
        claim_run(store, experiment(**change), claim_id())
    assert says in str(refused.value)
    assert str(refused.value).startswith(f"{store.uri} was begun with another experiment")
    assert "--out" in str(refused.value)
    assert len(store.names("claims")) == 1


REMOTE = {"backend": "openai", "model": "m", "base_url": "https://host/v1"}
PINNED = {"provider": {"order": ["a"], "sort": {"by": "price"}}}


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        (
            PINNED,
            {"provider": {**PINNED["provider"], "order": ["b"]}},
            ["provider.order: was ['a'], is ['b']"],
        ),
        (
            PINNED,
            {"provider": {"order": ["a"], "sort": {"by": "speed"}}},
            ["provider.sort.by: was price, is speed"],
        ),
        (
            {},
            PINNED,
            ["provider.order: was None, is ['a']", "provider.sort.by: was None, is price"],
        ),
        (PINNED, {"provider": {"sort": {"by": "price"}}}, ["provider.order: was ['a'], is None"]),
        ({}, {"accepts": {"system": False}}, ["accepts.system: was None, is False"]),
        (
            PINNED,
            {**PINNED, "accepts": {"response_format": False}},
            ["accepts.response_format: was None, is False"],
        ),
        ({"sampling": {"top_k": 4}}, {"sampling": {"top_k": 5}}, ["sampling.top_k: was 4, is 5"]),
        (
            {},
            {"base_url": "https://other/v1"},
            ["base_url: was https://host/v1, is https://other/v1"],
        ),
    ],
)
def test_a_change_is_told_by_its_key_in_the_file(
    was: dict[str, Any], now: dict[str, Any], says: list[str]
) -> None:
    """Every key of a remote model that decides who answers, also within others."""
    then, later = (
        study(models={"r": {**REMOTE, **keys}}, panels=[["r"]], protocols=["solo"]) for keys in (was, now)
    )
    assert list(differences(then, later)) == [f"models.r.{line}" for line in says]


def test_a_change_of_a_simulated_law_is_told_by_its_key_in_the_file() -> None:
    then, later = (experiment(**models(a={"theta": {"NTA": value, "YTA": 1.0}})) for value in (1.0, 2.0))
    assert list(differences(then, later)) == ["models.a.theta.NTA: was 1.0, is 2.0"]


def test_a_model_that_was_left_out_for_a_while_is_remembered(store: Store) -> None:
    claim_run(store, experiment(), claim_id())
    claim_run(store, experiment(models={"v": VLLM}, panels=[["v", "v"]]), claim_id())
    with pytest.raises(ExperimentError, match=r"models\.a\.alpha: was 1\.5, is 9\.0"):
        claim_run(store, experiment(**models(a={"alpha": 9.0})), claim_id())


@pytest.mark.parametrize(
    "change",
    [
        models(a={"latency": 2.0, "replicas": 3, "in_flight": 7}),
        models(v={"replicas": 3, "in_flight": 7, "engine": {"max_num_seqs": 2}}),
        {"repetitions": 5},
        {"protocols": ["synchronous", "solo"]},
        {"panels": [["v", "v"]]},
        {"rounds": 2},
        stages(models=["a", "v"], passes=3),
        {"answer": ["json"]},
        {"cases": {"file": "more.jsonl"}},
        {"models": {**FIRST["models"], "b": {"backend": "simulated"}}},
    ],
)
def test_what_changes_no_question_is_allowed(store: Store, change: dict[str, Any]) -> None:
    """How fast models are, and which debates are played."""
    first = claim_run(store, experiment(), claim_id())
    assert claim_run(store, experiment(**change), claim_id()).run_id == first.run_id


def test_a_folder_of_other_files_is_refused(store: Store) -> None:
    store.write("notes/thesis.txt", b"precious")
    with pytest.raises(ExperimentError, match="holds files but no run of moot; give another folder"):
        refuse_foreign(store)
    assert store.names("") == ["notes/thesis.txt"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "empty/deeper").mkdir(parents=True)
    refuse_foreign(Store(str(tmp_path / "empty")))


def test_cases_are_added_once_and_read_as_they_were(store: Store) -> None:
    full = replace(case_rows(3)[2], options=["one", "other"], truth="one", source="s", contestation=1.5)
    full = replace(full, openings=(("one", 'Ünlike\n"it".'), ("other", "So.")))
    rows = [*case_rows(2), full]
    add_cases(store, rows[:2], {"run_id": "r"}, "first")
    add_cases(store, rows, {"run_id": "r"}, "second")
    add_cases(store, rows, {"run_id": "r"}, "third")
    assert store.names("tables") == [f"tables/cases/{stem}.parquet" for stem in ("first", "second")]
    table = CaseTable(store)
    assert [table[row.id] for row in rows] == rows
    assert "case4" not in table
    [written] = pq.read_table(BytesIO(store.read("tables/cases/second.parquet")))["openings"].to_pylist()
    assert written == [
        '{"answer":"one","argument":"Ünlike\\n\\"it\\"."}',
        '{"answer":"other","argument":"So."}',
    ]


@pytest.mark.parametrize("changed", ["title", "text", "options", "openings"])
def test_a_case_with_another_text_is_refused(store: Store, changed: str) -> None:
    one, other = case_rows(2)
    add_cases(store, [one, other], {"run_id": "r"}, "first")
    value = {"options": ["a", "b"], "openings": (("a", "So."),)}.get(changed, "Other.")
    with pytest.raises(ExperimentError, match=f"case 'case2': its {changed} changed since this run began"):
        add_cases(store, [one, replace(other, **{changed: value})], {"run_id": "r"}, "second")  # type: ignore[arg-type]
    assert len(store.names("tables")) == 1


def test_a_dilemma_may_get_a_truth_later_but_that_of_a_question_stays(store: Store) -> None:
    row, question = case_rows(2)
    question = replace(question, options=["one", "other"], truth="one")
    add_cases(store, [row, question], {"run_id": "r"}, "first")
    add_cases(store, [replace(row, truth="NTA"), question], {"run_id": "r"}, "second")
    with pytest.raises(ExperimentError, match="case 'case2': its truth changed since this run began"):
        add_cases(store, [replace(question, truth="other")], {"run_id": "r"}, "second")


def test_starts_keep_their_order_when_the_clock_is_set_back() -> None:
    first = "20991231T235959999999-aaaaaaaa"
    second = claim_id([first])
    assert first < second < claim_id([first, second])
