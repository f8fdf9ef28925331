"""The moot command: what the user can mend ends in a message and exit code 2, and help is at hand."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from ray_jobs.cli import app
from ray_jobs.line import AskFailed
from ray_jobs.log import Log
from ray_jobs.parts import write_part
from ray_jobs.playing import failure_rows
from ray_jobs.store import Store
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.studies import model_folder, study

STUDY = """\
name: study
cases: {file: cases.jsonl}
models:
  a: {backend: simulated}
panels: [[a, a]]
protocols: [synchronous]
"""
CASES = "".join(json.dumps({"id": f"c{n}", "title": f"T{n}", "text": f"Story {n}."}) + "\n" for n in (1, 2))


def test_the_module_runs_as_the_command_does() -> None:
    words = [sys.executable, "-m", "ray_jobs.cli", "label", "--help"]
    told = " ".join(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split())
    assert "Ask the judge again where judgments have failed" in told.replace("│ │ ", "")
    assert "Play debates again" not in told


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A good experiment file, with its cases beside it."""
    (tmp_path / "cases.jsonl").write_text(CASES)
    (tmp_path / "study.yaml").write_text(STUDY)
    return tmp_path / "study.yaml"


def moot(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def refused(result: Result, *says: str) -> None:
    """Exit code 2, nothing but the message on standard error, every part of it there, no traceback."""
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.output
    for part in says:
        assert part in result.stderr, result.stderr


BAD_STUDIES = [
    ("cases.jsonl", "none.jsonl", ["study.yaml:2: cases.file: found 'none.jsonl', but there is no"]),
    ("panels", "pannels", ["study.yaml:5: pannels: found the unknown key", "did you mean 'panels'?"]),
    ("[[a, a]]", "[[a, b]]", ["study.yaml:5: panels[0][1]: found the unknown model 'b'; allowed: a"]),
    ("synchronous]", "synchronous]\nrounds: 0", ["study.yaml:7: rounds: found 0; allowed: "]),
    ("synchronous]", "synchronous]\nseed: x", ["study.yaml:7: seed: found 'x'; allowed: "]),
    (
        "backend: simulated",
        "backend: vllm, model: ./none",
        ["study.yaml:4: models.a.model", "no such folder"],
    ),
    ("backend: simulated", "backend: vllm, model: tinny", ["study.yaml:4: models.a.model", "unknown name"]),
    (STUDY, "name: [", ["study.yaml:1: "]),
    (STUDY, "", ["study.yaml: "]),
]


@pytest.mark.parametrize("command", ["plan", "run"])
@pytest.mark.parametrize(("good", "bad", "says"), BAD_STUDIES, ids=[bad[1] for bad in BAD_STUDIES])
def test_a_bad_experiment_is_refused(
    file: Path, command: str, good: str, bad: str, says: Sequence[str]
) -> None:
    """Naming the file, the line, the key, what was found and what is allowed; no run is begun."""
    file.write_text(STUDY.replace(good, bad))
    out = ["--out", file.parent / "run"] if command == "run" else []
    refused(moot(command, file, *out), f"error: {file.parent}", *says)
    assert not (file.parent / "run").exists()


@pytest.mark.parametrize(
    ("cases", "says"),
    [
        ("", ["cases.jsonl: found no case"]),
        (CASES + CASES, ["cases.jsonl:3: id: found 'c1', the id of the case at", "cases.jsonl:1 too"]),
        (CASES + "{", ["cases.jsonl:3:"]),
        (CASES.replace('"text"', '"txt"'), ["cases.jsonl:1: found no column 'text'", "did you mean 'txt'?"]),
        (CASES.replace("Story 2.", " "), ["cases.jsonl:2: text: found"]),
    ],
    ids=["none", "twice", "torn", "column", "blank"],
)
def test_bad_cases_are_refused(file: Path, cases: str, says: Sequence[str]) -> None:
    (file.parent / "cases.jsonl").write_text(cases)
    refused(moot("run", file, "--out", file.parent / "run"), *says)
    assert not (file.parent / "run").exists()


def test_a_case_longer_than_the_context_is_refused(file: Path) -> None:
    folder = model_folder(file.parent / "m", 2000)
    file.write_text(STUDY.replace("backend: simulated", f"backend: vllm, model: {folder}, max_tokens: 9"))
    (file.parent / "cases.jsonl").write_text(CASES.replace("Story 2.", "word " * 3000))
    refused(
        moot("run", file, "--out", file.parent / "run"), "cases.jsonl:2: case 'c2': found", "allowed: 1991"
    )


def test_a_missing_experiment_is_refused(tmp_path: Path) -> None:
    refused(moot("run", tmp_path / "none.yaml"), "none.yaml")
    refused(moot("plan", tmp_path), str(tmp_path))


def test_a_run_folder_of_other_files_is_refused(file: Path) -> None:
    refused(moot("run", file, "--out", file.parent), str(file.parent), "holds files but no run of moot")
    refused(moot("run", file, "--out", file), str(file))
    assert sorted(path.name for path in file.parent.iterdir()) == ["cases.jsonl", "study.yaml"]


@pytest.fixture
def unsettled(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other process wants the run: nothing is waited for."""
    monkeypatch.setattr("ray_jobs.lease.SETTLE_SECONDS", {True: 0.0, False: 0.0})


@pytest.mark.usefixtures("unsettled")
def test_a_run_of_other_questions_is_refused(file: Path) -> None:
    run = a_run(file.parent)
    file.write_text(STUDY + "seed: 9\n")
    refused(
        moot("run", file, "--out", run), "study-run was begun with another experiment", "seed: was 0, is 9"
    )


def a_run(folder: Path) -> Path:
    """A finished run of the study, without Ray: three debates."""
    from ray_jobs.case_table import add_cases
    from ray_jobs.claims import claim_id, claim_run

    run = folder / "study-run"
    store = Store(str(run))
    experiment = study(models={"a": {"backend": "simulated"}}, panels=[["a", "a"]], protocols=["synchronous"])
    claim_run(store, experiment, claim_id())
    add_cases(store, case_rows(3), {"run_id": "r"}, "cases")
    for number, rows in enumerate(played(experiment, case_rows(3))):
        for table in ("replies", "turns", "debates"):
            write_part(store, table, str(number), rows[table])
    return run


def test_one_debate_is_shown_by_the_beginning_of_its_id(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    experiment = study(models={"a": {"backend": "simulated"}}, panels=[["a", "a"]], protocols=["synchronous"])
    ids = [rows["debates"][0]["debate_id"] for rows in played(experiment, case_rows(3))]
    shown = moot("show", run, ids[1][:6])
    assert shown.exit_code == 0
    assert "The story of conflict 2." in shown.stdout
    assert f"debate {ids[1]}" in " ".join(shown.stdout.split())


@pytest.mark.usefixtures("unsettled")
def test_a_run_that_has_ended_with_failures_says_so_and_what_failed_can_be_read(file: Path) -> None:
    """With an exit code of its own, and where to read why; with what was said before it failed."""
    run = a_run(file.parent)
    (file.parent / "cases.jsonl").write_text("".join(json.dumps(asdict(row)) + "\n" for row in case_rows(3)))
    experiment = study(models={"a": {"backend": "simulated"}}, panels=[["a", "a"]], protocols=["synchronous"])
    [*_, last] = played(experiment, case_rows(3))
    store, log = Store(str(run)), Log(Store(str(run)), "w")
    for table in ("replies", "turns", "debates"):
        store.delete(f"tables/{table}/2.parquet")
    failed = AskFailed("seat2", "a", "bad_request", "HTTP 400: \x1b[31mno such key", 2.5, 3)
    write_part(store, "failures", "all", failure_rows(last["debates"][0], failed)["failures"])
    log.append(last["replies"][0])
    log.close()
    one = last["debates"][0]["debate_id"]
    ended = moot("run", file, "--out", run)
    assert ended.exit_code == 4
    assert "1 debates and judgments have failed: 1 bad_request of model a." in ended.stderr
    assert f"moot show {run} {one}" in ended.stderr
    page = " ".join(moot("show", run, one[:8]).stdout.split())
    assert "The story of conflict 3." in page
    assert f"round 1 · {last['replies'][0]['seat']} · a My current verdict:" in page
    assert "seat2, model a: bad_request HTTP 400: [31mno such key 3 attempts, 2.5 s waited" in page
    assert "\x1b" not in page


def test_a_debate_that_is_none_or_several_is_refused(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    refused(
        moot("show", run, "zz"), str(run), "no debate that finished or failed has an id that begins with 'zz'"
    )
    refused(moot("show", run, ""), str(run), "3 debates have ids that begin with ''", "give more of the id")


@pytest.mark.parametrize("debate", [[], ["ab"]], ids=["run", "debate"])
def test_a_folder_that_is_no_run_is_refused(
    tmp_path: Path, debate: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before Ray is started."""
    monkeypatch.delattr("ray_jobs.connection.ray.init")
    refused(moot("show", tmp_path / "none", *debate), f"{tmp_path / 'none'} is no run directory")
    refused(moot("show", tmp_path, *debate), f"{tmp_path} is no run directory")


@pytest.mark.usefixtures("unsettled")
def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    part = run / "tables/debates/1.parquet"
    part.write_bytes(part.read_bytes()[:-20])
    refused(moot("show", run, "ab"), str(part), "damaged")
    file = tmp_path / "study.yaml"
    file.write_text(STUDY)
    (tmp_path / "cases.jsonl").write_text(CASES.replace('"c', '"d'))
    refused(moot("run", file, "--out", run), str(part), "damaged")


def test_a_model_that_is_not_in_the_catalogue_is_refused() -> None:
    refused(moot("models", "prepare", "tinny"), "no model 'tinny' in the catalogue", "tiny")


def test_brackets_in_names_are_shown_as_they_are(file: Path) -> None:
    folder = file.parent / "[bold]"
    folder.mkdir()
    refused(moot("plan", folder / "study.yaml"), "[bold]")


def test_a_plan_says_how_much_there_is_to_play(file: Path) -> None:
    result = moot("plan", file)
    assert result.exit_code == 0
    assert "2 cases × 1 cell × 1 repetition = 2 debates" in result.stdout
    assert "for stages" not in result.stdout, "there are none"
    assert result.stderr == ""


def test_a_plan_with_stages_says_what_its_ranges_take_them_for(file: Path) -> None:
    file.write_text(STUDY + "stages: [{name: judged, keep: consensus, judges: [a]}]\n")
    result = moot("plan", file)
    assert "; for stages that keep some debates, from none to all." in " ".join(result.stdout.split())


def test_help_tells_of_every_command_and_argument() -> None:
    overview = moot("--help")
    assert overview.exit_code == 0
    for command, words in {
        "plan": ["FILE"],
        "run": ["FILE", "--out", "--address"],
        "show": ["RUN", "DEBATE"],
        "models": ["prepare"],
    }.items():
        assert command in overview.stdout
        own = moot(command, "--help").stdout
        for word in words:
            assert word in own


def test_help_waits_for_no_engine() -> None:
    heavy = "import sys\nfrom typer.testing import CliRunner\nfrom ray_jobs.cli import app\n"
    heavy += "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
    heavy += "sys.exit(', '.join({'ray', 'vllm', 'torch', 'pandas', 'pyarrow'} & set(sys.modules)) or 0)"
    done = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_address_where_no_run_can_be_is_refused(file: Path) -> None:
    """Before anything is started, and without the secret that may stand in it."""
    for words in (["run", file, "--out"], ["status"], ["show"]):
        refused(
            moot(*words, "ftp://host/run"), "'ftp://host/run' is no address of a run", "s3://BUCKET/FOLDER"
        )
        told = moot(*words, "s3://key:word@bucket/run")
        refused(told, "'s3://***@bucket/run' holds a secret", "AWS_ACCESS_KEY_ID")
        assert "word@" not in told.output
