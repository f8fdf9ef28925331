"""Labels as a stage of an experiment: their rows, their values, and what is shown of them."""

import json
from functools import cache
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from protocols.values import VALUES_48, read_taxonomy
from ray_jobs.claims import claim_id, claim_run
from ray_jobs.cli import app
from ray_jobs.estimate import estimate
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.located import ExperimentError
from ray_jobs.log import Row
from ray_jobs.parts import Rows
from ray_jobs.plan import Plan
from ray_jobs.store import Store
from tests.ray_jobs.finished import finished
from tests.ray_jobs.moot_runs import table, write_study
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.studies import study

OWN = "value,definition,group\nCandour,One says what is so.,1\nMercy,One spares others.,2\n"
STAGES: list[dict[str, object]] = [
    {"name": "values", "labels": {"models": ["b", "c"], "passes": 2}},
    {"name": "longer", "keep": "no_consensus", "protocols": ["round_robin"], "rounds": 4},
    {"name": "longer-values", "from": "longer", "labels": {"models": ["c"], "values": OWN}},
]


def experiment(stages: list[dict[str, object]] = STAGES) -> Experiment:
    """Two seats, two rounds, answers in JSON and as text."""
    return study(
        panels=[["a", "b"]], protocols=["synchronous"], rounds=2, answer=["text", "json"], stages=stages
    )


@cache
def trees() -> list[Rows]:
    return played(experiment(), case_rows(4))


def rows(of: str) -> list[Row]:
    return [row for tree in trees() for row in tree.get(of, ())]


def test_a_debate_is_labelled_by_every_model_in_every_pass_each_explanation_once() -> None:
    turns = {(row["debate_id"], row["round"], row["seat"]): row for row in rows("turns")}
    judgments = [row for row in rows("judgments") if row["stage"] == "values"]
    labelled = [(row["source_debate"], row["source_round"], row["source_seat"]) for row in judgments]
    said = [place for place, row in turns.items() if row["stage"] == "debate"]
    assert sorted(labelled) == sorted([*said] * 4)
    assert {(row["judge"], row["pass"]) for row in judgments} == {(m, n) for m in "bc" for n in (1, 2)}
    assert len(
        {(*place, row["judge"], row["pass"]) for place, row in zip(labelled, judgments, strict=True)}
    ) == len(judgments)
    names = {value.name for value in VALUES_48}
    for place, row in zip(labelled, judgments, strict=True):
        assert (row["kind"], row["sees"], row["status"]) == ("label", "explanation", "ok")
        assert row["judged_labels"] == sorted(set(row["judged_labels"]))
        assert set(row["judged_labels"]) <= names
        same = ("case_id", "protocol", "variant", "panel", "order", "steering", "labels", "repetition")
        assert [row[name] for name in (*same, "answer_format")] == [
            turns[place][name] for name in (*same, "answer_format")
        ]
    assert any(row["judged_labels"] == [] for row in judgments)
    assert any(len(row["judged_labels"]) == 5 for row in judgments)


def test_of_a_debate_that_goes_on_only_what_is_new_is_labelled_by_the_values_of_its_stage() -> None:
    judgments = [row for row in rows("judgments") if row["stage"] == "longer-values"]
    said = [row for row in rows("turns") if row["stage"] == "longer" and not row["opening"]]
    places = [(row["source_debate"], row["source_round"], row["source_seat"]) for row in judgments]
    assert sorted(places) == sorted((row["debate_id"], row["round"], row["seat"]) for row in said)
    assert places
    asked = [row for row in rows("replies") if row["stage"] == "longer-values"]
    assert all("- Mercy: One spares others." in row["messages"][0]["content"] for row in asked)
    assert {row["kind"] for row in asked} == {"label"}


def test_passes_of_one_labeller_agree_mostly_and_not_always() -> None:
    found: dict[object, dict[int, list[str]]] = {}
    for row in rows("judgments"):
        if (row["stage"], row["judge"]) == ("values", "c"):
            place = row["source_debate"], row["source_round"], row["source_seat"]
            found.setdefault(place, {})[row["pass"]] = row["judged_labels"]
    shared = [len({*both[1]} & {*both[2]}) / len({*both[1]} | {*both[2]} or "-") for both in found.values()]
    assert 0.5 < sum(shared) / len(shared) < 1


def test_the_values_of_a_file_are_part_of_the_experiment_and_of_what_it_lasts_by(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(OWN, "utf-8-sig")
    keys = {"models": {"a": {"backend": "simulated"}}, "panels": [["a"]], "protocols": ["solo"]}

    def load(**labels: object) -> Experiment:
        stages = [{"name": "v", "labels": {"models": ["a"], **labels}}]
        return load_experiment(write_study(tmp_path, 1, **keys, stages=stages))

    own = load(values="own.csv")
    assert Experiment.thawed(own.frozen()).stages[0].labels.taxonomy == read_taxonomy(OWN, "own")  # type: ignore[union-attr]
    store = Store(str(tmp_path / "run"))
    claim_run(store, own, claim_id())
    claim_run(store, load(values="own.csv", passes=3), claim_id())
    (tmp_path / "own.csv").write_text(OWN.replace(",1", ",7"))
    claim_run(store, load(values="own.csv"), claim_id())
    for changed in (load(), load(values=_other(tmp_path))):
        with pytest.raises(
            ExperimentError, match=r"'v': values: was 2 values from 'Candour' to 'Mercy' \(id"
        ) as no:
            claim_run(store, changed, claim_id())
        assert "another stage needs another name" in str(no.value)


def _other(folder: Path) -> str:
    (folder / "other.csv").write_text(OWN.replace("spares", "forgives"))
    return "other.csv"


def test_a_list_of_values_that_cannot_be_read_is_told_with_its_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(OWN + "mercy,Again.,3\n")
    stages = [{"name": "v", "labels": {"models": ["a"], "values": "own.csv"}}]
    file = write_study(
        tmp_path, 1, models={"a": {"backend": "simulated"}}, panels=[["a"]], protocols=["solo"], stages=stages
    )
    for content, says in (
        (OWN + "mercy,Again.,3\n", "own.csv:4: value: found 'mercy', which stands on line 3 already"),
        ("a\xff", "own.csv:1: found the byte 0xff, which is no UTF-8; expected text in UTF-8"),
    ):
        (tmp_path / "own.csv").write_bytes(content.encode("latin-1"))
        with pytest.raises(ExperimentError) as refused:
            load_experiment(file)
        assert says in str(refused.value)


def test_the_plan_counts_labels_by_turns_and_names_who_gives_them(tmp_path: Path) -> None:
    """Two seats, from one round to two: 2 to 4 explanations for each of two models, twice."""
    one = study(panels=[["a", "b"]], protocols=["synchronous"], rounds=2, stages=STAGES[:1])
    figures = estimate(one, Plan(one, ["case1"]), case_rows(1))
    (values,) = figures.stages
    assert (values.debates.least, values.debates.most) == (4, 4)
    assert (values.calls.least, values.calls.most) == (8, 16)
    calls = {each.model: (each.calls.least, each.calls.most) for each in figures.models}
    assert calls == {"a": (1, 2), "b": (5, 10), "c": (4, 8)}
    file = write_study(
        tmp_path,
        1,
        models={m: {"backend": "simulated"} for m in "ab"},
        panels=[["a"]],
        protocols=["solo"],
        stages=[{"name": "v", "labels": ["b"]}],
    )
    told = CliRunner().invoke(app, ["plan", str(file)])
    assert "labels by b" in told.stdout
    prompts = CliRunner().invoke(app, ["plan", str(file), "--prompts"])
    assert "- Accessibility: Places," in " ".join(prompts.stdout.split())


def test_the_page_of_labels_shows_each_explanation_with_its_values(tmp_path: Path) -> None:
    debates = finished(tmp_path, experiment(STAGES[:1]), 1)
    labels = next(tree for tree in debates if len(tree.get("judgments", ())) == 4)["judgments"]
    result = CliRunner().invoke(app, ["show", str(tmp_path), labels[0]["debate_id"]])
    assert result.exit_code == 0, result.output
    page = " ".join(result.stdout.split())
    said = {
        (row["debate_id"], row["round"], row["seat"]): row["explanation"] for row in table(tmp_path, "turns")
    }
    for row in labels:
        assert (
            f"round {row['source_round']} · {row['source_seat']} · {row['judge']}, pass {row['pass']}" in page
        )
        assert said[row["source_debate"], row["source_round"], row["source_seat"]] in page
    assert "stage values" in page
    assert f"of debate {labels[0]['source_debate']}" in page


def test_a_frozen_experiment_keeps_its_values_whatever_the_built_in_list_becomes() -> None:
    frozen = json.loads(json.dumps(experiment().frozen()))
    assert frozen["stages"][0]["labels"]["values"].startswith("value,definition,group\nAccessibility,")
    assert yaml.safe_load(yaml.safe_dump(frozen)) == frozen
