"""Labels of a run on Ray: afterwards, while it is played, after kills, by several judges at once."""

import re
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from protocols.values import VALUES_48, read_taxonomy, write_taxonomy
from ray_jobs.claims import claim_id, claim_ids
from ray_jobs.labelling import Order, label_stages, labelling
from ray_jobs.lease import lease
from ray_jobs.log import Row
from ray_jobs.model_file import read_models
from ray_jobs.open_log import OpenLog
from ray_jobs.parts import Parts, Rows, write_batch
from ray_jobs.plan import Plan
from ray_jobs.store import Store
from tests.ray_jobs.disturbed import logged
from tests.ray_jobs.faulty import faulty
from tests.ray_jobs.finished import finished
from tests.ray_jobs.moot_runs import kill_group, moot, parts, start, table, wait_until
from tests.ray_jobs.plays import case_rows, played, steady
from tests.ray_jobs.studies import study

pytestmark = [pytest.mark.ray, pytest.mark.timeout(300)]

SLOW: dict[str, Any] = {"backend": "simulated", "latency": {"median": 0.3, "sigma": 0.4}, "in_flight": 6}
LONGER = {"name": "longer", "keep": "no_consensus", "protocols": ["round_robin"], "rounds": 5}
JUDGED = {"name": "judged", "judges": ["c"]}
DESIGN: dict[str, Any] = {"panels": [["a", "b"]], "protocols": ["synchronous"], "rounds": 3}
PLAYED = study(**DESIGN, stages=[LONGER, JUDGED])
CASES = 12


def models(folder: Path, **blocks: dict[str, Any]) -> Path:
    """A file of model blocks."""
    file = folder / "models.yaml"
    file.write_text(yaml.safe_dump({"models": blocks or {"judge": SLOW, "other": SLOW}}))
    return file


def check_labelled(
    run: Path, file: Path, judge: str, name: str = "", passes: int = 1, cases: int = CASES
) -> None:
    """The labels of this name are those of every ended debate, once, as if they had been given here."""
    order = Order(judge, name or judge, passes)
    experiment = labelling(PLAYED, order, read_models(file))
    own = label_stages(Plan(experiment, ()).stages.values())
    expected = [tree for tree in played(experiment, case_rows(cases)) if tree["debates"][0]["stage"] in own]
    labels = run / "judgments" / order.name
    for each in ("judgments", "debates", "replies"):
        assert _bare(table(labels, each), each) == _bare(
            [row for tree in expected for row in tree[each]], each
        )
    assert Store(str(labels)).names("log") == []
    assert {row["run_id"] for row in table(labels, "judgments")} == {_run_id(run)}
    assert read_taxonomy((labels / "values.csv").read_text(), "values.csv") == VALUES_48


def _bare(rows: list[Row], name: str) -> list[Row]:
    """The rows of a table in a fixed order, without what they have not and without what varies."""
    known = [{key: value for key, value in row.items() if value is not None} for row in steady(rows, name)]
    return sorted(known, key=lambda row: str(sorted(row.items(), key=lambda item: item[0])))


def _run_id(run: Path) -> str:
    (claim,) = claim_ids(Store(str(run)))
    return str(yaml.safe_load((run / "claims" / f"{claim}.json").read_text())["run_id"])


def test_a_run_is_labelled_afterwards_once_and_again_where_more_is_wanted(tmp_path: Path) -> None:
    """With its further debates; the same command does nothing more, a second pass asks for itself alone."""
    run, file = tmp_path / "run", models(tmp_path)
    finished(run, PLAYED, CASES)
    before = parts(run)
    told = moot("label", run, "--judge", "judge", "--models", file)
    assert "judge: 12 of 12" in " ".join(told.stdout.split())
    check_labelled(run, file, "judge")
    first = parts(run / "judgments" / "judge")
    again = moot("label", run, "--judge", "judge", "--models", file)
    assert "starting" not in again.stdout
    assert parts(run / "judgments" / "judge") == first
    more = moot("label", run, "--judge", "judge", "--passes", 2)
    assert more.stdout.split("\n")[-2].endswith(f"moot report {run}"), "and without the file of the judge"
    assert first.items() <= parts(run / "judgments" / "judge").items()
    check_labelled(run, file, "judge", passes=2)
    assert parts(run) == before, "nothing is written to the run itself"
    status = " ".join(moot("status", run / "judgments" / "judge").stdout.split())
    assert "is finished; started 3 times" in status
    assert re.search(r"judge debate all 24 24", status)
    assert "is finished" in moot("status", run).stdout


def test_a_run_is_labelled_while_it_is_played(tmp_path: Path) -> None:
    """This process plays it, and ends debates only when those before have been labelled."""
    run, file = tmp_path / "run", models(tmp_path)
    finished(run, PLAYED, CASES, debates=0)
    trees, store = played(PLAYED, case_rows(CASES)), Store(str(run))
    claim = claim_id(claim_ids(store))
    written = Parts(f"{claim}-moderator0-0")
    labels = Store(str(run / "judgments" / "judge"))

    def end(debates: list[Rows]) -> int:
        """Ends debates, and what follows from them; returns how many explanations these have."""
        for rows in debates:
            written.add(rows, 0.0)
        write_batch(store, written.take())
        turns = [turn for rows in debates for turn in rows.get("turns", ())]
        return sum(not turn["opening"] for turn in turns)

    with lease(store, claim):
        process = start("label", run, "--judge", "judge", "--models", file)
        explained = 0
        for third in range(3):
            explained += end([rows for rows in trees if _number(rows) % 3 == third])
            _wait_for(labels, explained)
            assert process.poll() is None, "it goes on while the run does"
    assert process.wait(60) == 0
    check_labelled(run, file, "judge")


def _number(rows: Rows) -> int:
    """That of the case of a debate."""
    return int(rows["debates"][0]["case_id"].removeprefix("case"))


def _wait_for(labels: Store, explanations: int) -> None:
    told = f"of {explanations} explanations there are labels for"
    wait_until(lambda: _asked(labels) == explanations, lambda: f"{told} {_asked(labels)}", 150)


def _asked(labels: Store) -> int:
    """Replies in the log and the tables of labels."""
    there = Counter(OpenLog(labels).replies)
    ended = {row["debate_id"]: row["calls"] for row in table(labels.uri, "debates")}
    return sum((there | Counter(ended)).values())


@pytest.mark.fault
def test_labels_that_were_killed_go_on_and_none_is_lost_or_given_twice(tmp_path: Path) -> None:
    slower = {**SLOW, "in_flight": 2}  # so that both kills come in the middle, on a busy machine too
    run, file = tmp_path / "run", models(tmp_path, judge=slower)
    finished(run, PLAYED, CASES)
    labels = run / "judgments" / "judge"
    words = ("label", run, "--judge", "judge", "--models", file, "--passes", 2)
    kept = 0
    for _ in range(2):
        process, before = start(*words), logged(labels)
        wait_until(partial(_grown, labels, before), lambda: "nothing is labelled")
        kill_group(process)
        assert sum(OpenLog(Store(str(labels))).replies.values()) > kept
        kept = sum(OpenLog(Store(str(labels))).replies.values())
    moot(*words)
    check_labelled(run, file, "judge", passes=2)
    assert len({row["claim"] for row in table(labels, "replies")}) == 3, "what each start got done is kept"


def _grown(labels: Path, before: int) -> bool:
    return logged(labels) > before


def test_two_judges_label_in_two_passes_side_by_side(tmp_path: Path) -> None:
    run, file = tmp_path / "run", models(tmp_path)
    finished(run, PLAYED, 6)
    both = [
        start("label", run, "--judge", judge, "--models", file, "--passes", 2, "--name", f"by-{judge}")
        for judge in ("judge", "other")
    ]
    assert [process.wait(120) for process in both] == [0, 0]
    for judge in ("judge", "other"):
        check_labelled(run, file, judge, f"by-{judge}", passes=2, cases=6)


def test_a_judge_that_answers_no_more_leaves_the_labels_incomplete(tmp_path: Path) -> None:
    """Also of a run that is still played; once that is mended the same command goes on to its end."""
    run = tmp_path / "run"
    finished(run, study(**DESIGN), 2)
    store, claim = Store(str(run)), claim_id(claim_ids(Store(str(run))))
    with lease(store, claim), faulty({"quota": 1.0}) as address:
        file = models(tmp_path, judge={"backend": "openai", "model": "m", "base_url": address, "key": None})
        words = ("label", run, "--judge", "judge", "--models", file)
        told = moot(*words, code=3)
    says = "is incomplete: not all is labelled, because models stopped answering: judge: quota"
    assert says in " ".join(told.stderr.split())
    assert table(run / "judgments" / "judge", "judgments") == []
    with faulty({}, int(address.split(":")[2].split("/")[0])):
        moot(*words)
    labels = table(run / "judgments" / "judge", "judgments")
    assert len(labels) == len(table(run, "turns"))
    assert {row["judged_labels"] for row in labels} == {None}, "this server knows no values"


@pytest.mark.engine
def test_a_real_engine_keeps_to_the_values(tmp_path: Path) -> None:
    """Random weights, and yet every list that ended is one of the values asked for."""
    from serving.catalogue import prepare

    prepare("tiny")
    run = tmp_path / "run"
    finished(run, study(**DESIGN), 3)
    values = tmp_path / "own.csv"
    values.write_text(write_taxonomy(VALUES_48[:3]))
    tiny = {
        "backend": "vllm",
        "model": "tiny",
        "max_tokens": 200,
        "engine": {"max_num_seqs": 4, "max_model_len": 2048},
    }
    moot("label", run, "--judge", "tiny", "--models", models(tmp_path, tiny=tiny), "--values", values)
    judgments = table(run / "judgments" / "tiny", "judgments")
    assert len(judgments) == len(table(run, "turns"))
    assert {row["status"] for row in judgments} <= {"ok", "repaired", "truncated", "too_many"}
    assert any(row["judged_labels"] is not None for row in judgments)
