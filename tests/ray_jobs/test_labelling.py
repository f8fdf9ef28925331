"""What `moot label` refuses before anything starts, and what it makes of a run's experiment."""

import time
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from ray_jobs import following as following_module
from ray_jobs import lease
from ray_jobs.case_table import CaseTable
from ray_jobs.claims import claim_id, claim_run
from ray_jobs.cli import app
from ray_jobs.debate import Debate
from ray_jobs.ended import Ended
from ray_jobs.experiment import Experiment
from ray_jobs.following import Following
from ray_jobs.label_folder import label_store, run_of
from ray_jobs.labelling import Order, judges_there, label_stages, labelling
from ray_jobs.lease import renew
from ray_jobs.located import ExperimentError
from ray_jobs.parts import ORDER, Rows, write_part
from ray_jobs.plan import Plan
from ray_jobs.store import Store
from ray_jobs.walk import BLOCK, Walk
from tests.ray_jobs.finished import finished
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.studies import study

pytestmark = pytest.mark.long

LONGER = {"name": "longer", "keep": "no_consensus", "protocols": ["round_robin"], "rounds": 4}
DESIGN: dict[str, Any] = {"panels": [["a", "b"]], "protocols": ["synchronous"], "rounds": 2}
PLAYED = study(**DESIGN, stages=[{"name": "judged", "judges": ["c"]}, LONGER], budget={"tokens": 10**9})


@pytest.fixture(autouse=True)
def _no_settling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "SETTLE_SECONDS", {True: 0.0, False: 0.0})


def refused(*words: object) -> str:
    result = CliRunner().invoke(app, ["label", *map(str, words)])
    assert result.exit_code == 2, result.output
    return " ".join(result.output.split())


def begun(run: Path, order: Order) -> None:
    """Labels of this name that have been begun."""
    experiment = labelling(PLAYED, order, {})
    claim_run(label_store(Store(str(run)), order.name), experiment, claim_id(), labelled="r")


def test_all_that_was_said_is_labelled_and_nothing_is_judged_again() -> None:
    experiment = labelling(PLAYED, Order("c", "by-c", 2), {})
    plan = Plan(experiment, ["case1"])
    assert {name: (stage.source, len(stage.cells)) for name, stage in plan.stages.items()} == {
        "longer": ("debate", 1),
        "by-c": ("debate", 2),
        "by-c-longer": ("longer", 2),
    }
    assert label_stages(plan.stages.values()) == ["by-c", "by-c-longer"]
    assert experiment.budget is None
    before = Plan(PLAYED, ["case1"])
    assert list(plan.debates().numbers) == list(before.debates().numbers)


def test_a_judge_may_be_of_the_run_or_brought_and_not_both_at_odds() -> None:
    other = study(models={"d": {"backend": "simulated"}, "a": {"backend": "simulated", "alpha": 9.0}}).models
    assert labelling(PLAYED, Order("d", "d"), other).models["d"] == other["d"]
    assert labelling(PLAYED, Order("a", "a"), {"a": PLAYED.models["a"]}).models == PLAYED.models
    for judge, says in (
        ("a", "--models: found another 'a' than"),
        ("e", "--judge: found the unknown model 'e'"),
    ):
        with pytest.raises(ExperimentError, match=says):
            labelling(PLAYED, Order(judge, "x"), other)


def test_a_judge_that_has_labelled_the_run_is_known_without_its_file(tmp_path: Path) -> None:
    """Of two that had one name, the one whose labels are gone on with; a model of the run stays its own."""
    finished(tmp_path / "run", PLAYED, 1)
    run = Store(str(tmp_path / "run"))
    for name, alpha in (("d", 1.0), ("other", 2.0)):
        brought = study(models={"d": {"backend": "simulated", "alpha": alpha}}).models
        experiment = labelling(PLAYED, Order("d", name), brought)
        claim_run(label_store(run, name), experiment, claim_id(), labelled="r")
    for name, alpha in (("d", 1.0), ("other", 2.0)):
        order = Order("d", name)
        assert (
            labelling(PLAYED, order, judges_there(run, name)).models["d"]
            == study(models={"d": {"backend": "simulated", "alpha": alpha}}).models["d"]
        )
    told = refused(tmp_path / "run", "--judge", "e")
    assert "found the unknown model 'e'; allowed: a, b, c, d, or one of a file given by --models" in told


def test_bad_commands_are_told(tmp_path: Path) -> None:
    run, file = tmp_path / "run", tmp_path / "models.yaml"
    finished(run, PLAYED, 2)
    begun(run, Order("a", "mine"))
    own = tmp_path / "own.csv"
    own.write_text("value,definition\nCandour,One says what is so.\n")
    file.write_text(yaml.safe_dump({"models": {"x": {"backend": "simulated", "alfa": 1}}}))
    (tmp_path / "none.yaml").write_text("x: {backend: simulated}\n")
    for words, says in (
        ([run], "found no --judge; allowed: --judge MODEL, or --sheet FILE"),
        ([run, "--judge", "d"], "--judge: found the unknown model 'd'; allowed: a, b, c, or one of a file"),
        ([run, "--judge", "a", "--name", "x/y"], "--name: found 'x/y'; allowed: up to 100 letters"),
        ([run, "--judge", "a", "--name", "longer"], "--name: found 'longer', a stage of the run"),
        ([run, "--judge", "a", "--name", "judged"], "--name: found 'judged', a stage of the run"),
        ([run, "--sheet", "s.csv", "--read", "s.csv"], "found --sheet beside --read; allowed: one of them"),
        (
            [run, "--judge", "b", "--name", "mine"],
            "mine holds labels by a; allowed: a name of its own for every",
        ),
        ([run, "--judge", "a", "--values", tmp_path / "x.csv"], "x.csv: cannot be read: No such file"),
        (
            [run, "--judge", "x", "--models", file],
            "models.yaml:3: models.x.alfa: found the unknown key 'alfa'",
        ),
        (
            [run, "--judge", "x", "--models", tmp_path / "none.yaml"],
            "none.yaml: found no key 'models'; allowed: models",
        ),
        ([tmp_path / "nothing", "--judge", "a"], "nothing: found no run of moot; allowed: a run directory"),
        ([run / "judgments" / "mine", "--judge", "a"], "found labels of a run; allowed: the run itself"),
    ):
        assert says in refused(*words)
    told = refused(run, "--judge", "a", "--name", "mine", "--values", own)
    assert (
        "'mine': values: was 48 values from 'Accessibility' to 'Workplace etiquette and respect' (id" in told
    )
    assert "is 1 value from 'Candour' to 'Candour'" in told
    assert "Undo the change, or give other labels another --name." in told
    shown = CliRunner().invoke(app, ["show", str(run / "judgments" / "mine")])
    assert (shown.exit_code, "found labels of a run, and no debates" in " ".join(shown.output.split())) == (
        2,
        True,
    )


def test_a_run_of_which_nothing_has_ended_and_that_nobody_plays_cannot_be_labelled(tmp_path: Path) -> None:
    finished(tmp_path, PLAYED, 2, debates=0)
    assert "found no debate that has ended, and nobody who plays the run" in refused(tmp_path, "--judge", "a")
    assert not (tmp_path / "judgments").exists()


@pytest.mark.parametrize(("ended", "live", "to_come"), [(3, False, 3), (3, True, 0), (None, False, 0)])
def test_that_a_run_is_unfinished_and_nobody_plays_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: int | None, live: bool, to_come: int
) -> None:
    monkeypatch.setattr("ray_jobs.label_run._label", lambda *_: {})
    finished(tmp_path, study(**DESIGN), 6, debates=ended)
    if live:
        renew(Store(str(tmp_path)), claim_id(), holds=True)
    result = CliRunner().invoke(app, ["label", str(tmp_path), "--judge", "a"])
    told = " ".join(result.output.split())
    assert result.exit_code == 0, told
    assert (f"nobody plays it: {to_come} of its debates are to come" in told) == (to_come > 0)
    assert ("to come" in told) == (to_come > 0)


@pytest.mark.parametrize("by_hand", [False, True])
def test_whoever_comes_while_others_write_labels_of_the_name_is_told_of_another(
    tmp_path: Path, by_hand: bool
) -> None:
    run, sheet = tmp_path / "run", tmp_path / "s.csv"
    finished(run, PLAYED, 2)
    renew(label_store(Store(str(run)), "mine"), "0", holds=True)
    words: list[object] = [run, "--judge", "ann" if by_hand else "a", "--name", "mine"]
    if by_hand:
        assert CliRunner().invoke(app, ["label", str(run), "--sheet", str(sheet)]).exit_code == 0
        sheet.write_text(sheet.read_text("utf-8-sig").replace(",,,,,", ",none,,,,"))
        words += ["--read", sheet]
    told = refused(*words)
    assert "mine is being played by process" in told
    assert "or give other labels another name with --name" in told
    assert "--out" not in told


def test_what_a_plan_does_not_hold_any_more_is_told_and_not_labelled(tmp_path: Path) -> None:
    """Of two panels that have been played one is taken out of the file."""
    two = study(**{**DESIGN, "panels": [["a", "b"], ["b", "c"]]})
    finished(tmp_path, two, 2)
    claim_run(Store(str(tmp_path)), study(**DESIGN), claim_id())
    plan = Plan(labelling(study(**DESIGN), Order("a", "a"), {}), CaseTable(Store(str(tmp_path))).ids)
    nothing = Ended.of(Store(str(tmp_path / "judgments" / "a")))
    (extent,) = Following(Store(str(tmp_path)), plan, ["a"], nothing).extents()
    assert (extent.ended, len(extent.left), extent.most) == (0, 2, 2)


def test_what_follows_is_handed_out_once_as_debates_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the run is live there is more to come; after its end all that had ended has been handed out."""
    monkeypatch.setattr(following_module, "LOOK_SECONDS", 0.01)
    store, claim = Store(str(tmp_path)), claim_id()
    finished(tmp_path, PLAYED, 4, debates=0)
    renew(store, claim, holds=True)
    plan = Plan(labelling(PLAYED, Order("a", "a", 2), {}), CaseTable(store).ids)
    follow = Following(store, plan, ["a", "a-longer"], Ended.of(Store(str(tmp_path / "judgments" / "a"))))
    debates = follow.debates()
    assert next(debates) is None
    assert {extent.stage: extent.most for extent in follow.extents()} == {"a": 8, "a-longer": 8}
    trees = played(PLAYED, case_rows(4))
    handed: list[Debate] = []
    for case in (1, 2, 3):
        _write(store, f"part{case}", [rows for rows in trees if _case(rows) == f"case{case}"])
        time.sleep(0.02)
        while not (new := _until_none(debates)):
            continue
        assert {debate.case_id for debate in new} == {f"case{case}"}
        handed += new
    _write(store, "part4", [rows for rows in trees if _case(rows) == "case4"])
    store.delete(f"lease/{claim}.json")
    handed += filter(None, debates)
    said = {rows["debates"][0]["debate_id"] for rows in trees if "turns" in rows}
    assert sorted(debate.parent.debate_id for debate in handed if debate.parent) == sorted([*said] * 2)
    assert len({debate.debate_id for debate in handed}) == len(handed)


def _until_none(debates: Any) -> list[Debate]:
    return list(takewhile(lambda debate: debate is not None, debates))


def _case(rows: Rows) -> str:
    return str(rows["debates"][0]["case_id"])


def _write(store: Store, stem: str, trees: list[Rows]) -> None:
    for table in ORDER:
        if rows := [row for tree in trees for row in tree.get(table, ())]:
            write_part(store, table, stem, rows)


def test_a_walk_rests_where_there_is_no_more_yet_and_is_over_at_its_end() -> None:
    plan = Plan(study(**DESIGN), [f"case{n}" for n in range(BLOCK + 2)])
    every = list(plan)
    walk = Walk([*every[:3], None, None, *every[3:]])
    blocks = []
    while not walk.over:
        blocks.append((len(walk.block()), walk.rests, walk.over))
    assert blocks == [(3, True, False), (0, True, False), (BLOCK - 1, False, True)]
    assert Walk([]).block() == []


@pytest.mark.parametrize(
    ("run", "labels"),
    [
        ("/x/run", "/x/run/judgments/n"),
        ("/x/run/", "/x/run/judgments/n"),
        ("s3://bucket/run?region=eu", "s3://bucket/run/judgments/n?region=eu"),
    ],
)
def test_labels_lie_below_their_run_and_know_it(run: str, labels: str) -> None:
    store = label_store(Store(run), "n")
    assert store.place == labels
    assert run_of(store).place == Store(run).place.rstrip("/")


def test_a_judge_without_a_key_of_a_run_that_was_frozen_has_none_either() -> None:
    remote = {"backend": "openai", "model": "m", "base_url": "http://localhost:8000/v1", "key": None}
    played_before = study(**DESIGN, models=dict.fromkeys("ab", remote))
    experiment = labelling(Experiment.thawed(played_before.frozen()), Order("a", "a"), {})
    assert experiment.models == played_before.models


def test_labels_of_a_stage_of_the_run_are_none_of_labels_beside_it(tmp_path: Path) -> None:
    """Though both have one name, and so their units one id."""
    run = tmp_path / "run"
    finished(run, study(**DESIGN, stages=[{"name": "mine", "labels": ["a"]}]), 2)
    plan = Plan(labelling(study(**DESIGN), Order("a", "mine"), {}), CaseTable(Store(str(run))).ids)
    own = Ended.of(Store(str(run / "judgments" / "mine")))
    (extent,) = Following(Store(str(run)), plan, ["mine"], own).extents()
    assert (extent.ended, len(extent.left)) == (0, 2)
