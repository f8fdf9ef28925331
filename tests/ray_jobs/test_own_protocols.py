"""Protocols of one's own in an experiment: their text travels with it, and stands for itself by its hash."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from protocols.own.source import Source
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.located import ExperimentError
from ray_jobs.own_sources import changed
from ray_jobs.plan import Plan
from ray_jobs.submission.shipment import STUDY, shipment
from tests.protocols.own.bad import TEXT
from tests.ray_jobs.moot_runs import write_study
from tests.ray_jobs.plays import case_rows, played

GOOD = TEXT.replace("LINE", "pass  # as it is")
ONWARD = GOOD.replace("rounds=3)", "rounds=3, transcript=Transcript())").replace(
    "    transcript = Transcript()\n    for round in range(1,",
    "    for round in range(transcript.rounds + 1,",
)
HASH = Source("mine.py", GOOD).hash
MODELS: dict[str, Any] = {name: {"backend": "simulated"} for name in "ab"}


def study(folder: Path, text: str = GOOD, /, entry: Any = "mine.py:tried", **keys: Any) -> Path:
    """An experiment with a protocol in a file beside it."""
    (folder / "mine.py").write_text(text)
    return write_study(folder, 2, models=MODELS, panels=[["a", "b"]], **{"protocols": [entry], **keys})


def test_an_entry_stands_for_the_text_of_its_file(tmp_path: Path) -> None:
    experiment = load_experiment(study(tmp_path, GOOD, {"mine.py:tried": {"rounds": 2}}))
    assert experiment.sources == {HASH: Source("mine.py", GOOD)}
    [cell] = Plan(experiment, ["case1"]).cells
    assert (cell.protocol, cell.params, cell.rounds) == (f"tried@{HASH}", {"rounds": 2}, 2)


def test_a_frozen_experiment_needs_no_file(tmp_path: Path) -> None:
    experiment = load_experiment(study(tmp_path))
    (tmp_path / "mine.py").unlink()
    thawed = Experiment.thawed(json.loads(json.dumps(experiment.frozen())))
    assert [rows["turns"] for rows in played(thawed, case_rows(2))] == [
        rows["turns"] for rows in played(experiment, case_rows(2))
    ]


def test_it_travels_to_a_cluster_with_the_job(tmp_path: Path) -> None:
    with shipment(load_experiment(study(tmp_path))) as folder:
        assert not list(folder.rglob("mine.py"))
        assert load_experiment(folder / STUDY).sources == {HASH: Source("mine.py", GOOD)}


def test_another_text_makes_other_debates(tmp_path: Path) -> None:
    """Which none of the earlier run's stands for, nor the other way round."""
    texts = GOOD, GOOD.replace("rounds=3", "rounds=2")
    old, new = (load_experiment(study(tmp_path, text)) for text in texts)
    ids = [{debate.debate_id for debate in Plan(each, ["case1"])} for each in (old, new)]
    assert ids[0].isdisjoint(ids[1])
    [told] = changed(old.sources, new.sources)
    assert told.startswith(
        "mine.py is another text than when this run was last begun: its debates are others"
    )
    assert list(changed(old.sources, old.sources)) == []


def test_two_texts_are_played_beside_each_other(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(
        GOOD.replace("rounds=3", "rounds=2").replace("KEPT = []", "KEPT = [1]")
    )
    file = study(tmp_path, protocols=["mine.py:tried", "other.py:tried", "synchronous"])
    experiment = load_experiment(file)
    names = [cell.protocol for cell in Plan(experiment, ["case1"]).cells]
    assert [name.partition("@")[0] for name in names] == ["tried", "tried", "synchronous"]
    assert len(set(names)) == 3
    rounds = [rows["debates"][0]["rounds"] for rows in played(experiment, case_rows(1))]
    assert rounds[:2] == [4, 4]


def test_seats_speak_in_turn_where_orders_are_given(tmp_path: Path) -> None:
    entry = {"mine.py:tried": {"orders": "all"}}
    cells = Plan(load_experiment(study(tmp_path, GOOD, entry)), ["case1"]).cells
    assert [(cell.order, cell.labels) for cell in cells] == [((1, 2), "speaking"), ((2, 1), "speaking")]
    [plain] = Plan(load_experiment(study(tmp_path)), ["case1"]).cells
    assert (plain.order, plain.labels) == ((1, 2), "balanced")


def test_a_stage_may_go_on_with_it(tmp_path: Path) -> None:
    stages = [{"name": "on", "protocols": [{"mine.py:tried": {"rounds": 4}}]}]
    experiment = load_experiment(study(tmp_path, ONWARD, protocols=["solo"], stages=stages))
    rows = [each["debates"][0] for each in played(experiment, case_rows(1))]
    assert [(row["stage"], row["rounds"]) for row in rows] == [("debate", 1), ("on", 4)]


def test_seats_are_told_of_each_other(tmp_path: Path) -> None:
    [rows] = played(load_experiment(study(tmp_path)), case_rows(1))
    system = rows["replies"][0]["messages"][0]["content"]
    assert "The debate: 2 agents judge this situation, in 4 rounds at the most." in system
    assert "With you in this debate: Agent " in system


@pytest.mark.parametrize(
    ("text", "entry", "says"),
    [
        (
            GOOD,
            "mine.py:other",
            "found 'mine.py:other', which cannot be played:\n  mine.py: found no function",
        ),
        (
            GOOD,
            "mine.py",
            "protocols[0]: found 'mine.py'; allowed: a file and a function of it: mine.py:tried",
        ),
        (GOOD, "none.py:tried", "found 'none.py:tried', but there is no"),
        ("import numpy\n", "mine.py:tried", "which cannot be played:\n  mine.py:1: found an import of numpy"),
        (
            "def tried(case):\n    return 10\n",
            "mine.py:tried",
            "mine.py:1: tried: found a function without a yield",
        ),
        (
            GOOD,
            {"mine.py:tried": {"rond": 1}},
            f"the unknown parameter 'rond' of tried@{HASH}; allowed: rounds, ord",
        ),
        (GOOD, {"mine.py:tried": {"rounds": 21}}, "found 21; allowed: a number from 1 to 20"),
        (GOOD, {"mine.py:tried": {"rounds": "two"}}, "found 'two'; allowed: a number from 1 to 20"),
        (
            GOOD,
            {"mine.py:tried": {"orders": "some"}},
            "found 'some'; allowed: all, latin, given, or a list of ord",
        ),
        (
            GOOD.replace("rounds=3", "rounds=3, share=0.5, loud=False, stop='never'"),
            {"mine.py:tried": {"share": "half", "loud": 1, "stop": "now"}},
            "found 'half'; allowed: a number, as its default 0.5",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, entry: Any, says: str) -> None:
    with pytest.raises(ExperimentError) as refused:
        load_experiment(study(tmp_path, text, entry))
    assert says.replace("none.py:tried", "none.py") in str(refused.value).replace("none.py:tried", "none.py")
    assert str(refused.value).startswith(f"{tmp_path}/study.yaml:")


def test_a_wrong_parameter_is_told_at_its_own_line(tmp_path: Path) -> None:
    file = study(tmp_path)
    entry = "protocols:\n- synchronous\n- mine.py:tried:\n    rounds: many\n    rond: 3\n"
    file.write_text(file.read_text().replace("protocols:\n- mine.py:tried\n", entry))
    first = file.read_text().splitlines().index("    rounds: many") + 1
    with pytest.raises(ExperimentError) as told:
        load_experiment(file)
    assert [line.partition("found")[0] for line in str(told.value).splitlines()] == [
        f"{file}:{first}: protocols[1].mine.py:tried.rounds: ",
        f"{file}:{first + 1}: protocols[1].mine.py:tried.rond: ",
    ]


def test_parameters_are_of_the_kind_of_their_defaults(tmp_path: Path) -> None:
    text = GOOD.replace("rounds=3", "rounds=3, share=0.5, loud=False, stop='never', words=7")
    given = {"share": 1, "loud": 1, "stop": "now", "words": 0}
    with pytest.raises(ExperimentError) as refused:
        load_experiment(study(tmp_path, text, {"mine.py:tried": given}))
    assert [line.partition("found ")[2] for line in str(refused.value).splitlines()] == [
        "1; allowed: true or false, as its default False",
        "'now'; allowed: consensus, never",
    ]


def test_a_stage_takes_no_protocol_that_cannot_go_on(tmp_path: Path) -> None:
    stages = [{"name": "on", "protocols": ["mine.py:tried"]}]
    with pytest.raises(
        ExperimentError, match=f"tried@{HASH}, which begins anew; allowed: one that goes on, def NAME"
    ):
        load_experiment(study(tmp_path, GOOD, protocols=["solo"], stages=stages))


def test_a_text_under_another_hash_is_refused(tmp_path: Path) -> None:
    frozen = load_experiment(study(tmp_path)).frozen()
    frozen["sources"] = {"00000000": frozen["sources"][HASH]}
    with pytest.raises(
        ExperimentError, match=f"mine.py under the hash 00000000, that of another text; .*{HASH}"
    ):
        Experiment.thawed(frozen)


def test_an_answer_format_is_named_where_formats_are(tmp_path: Path) -> None:
    (tmp_path / "form.py").write_text(
        "from dataclasses import replace\ndef yes(form):\n    return replace(form, labels=('YES', 'NO'))\n"
    )
    experiment = load_experiment(study(tmp_path, protocols=["synchronous"], answer=["json", "form.py:yes"]))
    thawed = Experiment.thawed(json.loads(json.dumps(experiment.frozen())))
    rows = [each["debates"][0] for each in played(thawed, case_rows(1))]
    names = [row["answer_format"].partition("@")[0] for row in rows]
    assert names == ["json", "yes"]
    assert set(rows[1]["final_labels"]) <= {"YES", "NO"}
    with pytest.raises(ExperimentError, match=r"answer: found 'yaml'; allowed: text, json.*; or FILE"):
        load_experiment(study(tmp_path, answer="yaml"))
