"""`moot power`: what it prints and writes, and what it refuses."""

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import pandas as pd
import pytest
from click.testing import Result
from typer.testing import CliRunner

from ray_jobs.cli import app
from ray_jobs.design import Cell
from ray_jobs.located import ExperimentError
from ray_jobs.power_cells import simulable
from tests.ray_jobs.finished import finished
from tests.ray_jobs.plays import case_rows
from tests.ray_jobs.studies import study

pytestmark = pytest.mark.long

STUDY = """\
name: pair
cases: {file: cases.jsonl}
models:
  a: {backend: simulated}
  b: {backend: openai, model: m, base_url: 'http://127.0.0.1:1/v1', key: null, price: {input: 1, output: 2}}
panels: [[a, b]]
protocols: [synchronous, round_robin]
"""
TRUTH = """\
models:
  a: {alpha: 1.5, gamma_prev: 0.5, gamma_within: 1.0, theta: {NTA: 1.0, YTA: 0.5}}
  b: {alpha: 0.5, gamma_prev: 0.5, gamma_within: 1.0, theta: {NTA: 0.5}}
phi_sd: 1.0
debate_sd: 0.2
"""
QUICK = ("--dilemmas", "20,30", "--repetitions", "1", "--draws", "1", "--processes", "1")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A good experiment file with its cases, and a truth, in the working directory."""
    monkeypatch.chdir(tmp_path)
    write_cases(tmp_path, 12)
    (tmp_path / "truth.yaml").write_text(TRUTH)
    (tmp_path / "study.yaml").write_text(STUDY)
    return tmp_path / "study.yaml"


def write_cases(folder: Path, number: int) -> None:
    rows = (json.dumps(asdict(row)) + "\n" for row in case_rows(number))
    (folder / "cases.jsonl").write_text("".join(rows))


def power(*words: object) -> Result:
    return CliRunner().invoke(app, ["power", *map(str, words)])


def told(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def refused(result: Result, *says: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("error: ")
    for part in says:
        assert part in result.stderr, result.stderr
    assert not Path("power").exists()


def test_sizes_are_told_with_what_they_take_and_find(file: Path) -> None:
    words = told(power(file, *QUICK))
    assert "agents of the paper's Table 1, a as gpt, b as claude" in words
    assert "20 1" in words
    assert "120–480" in words  # 20 dilemmas in 3 cells, of 2 calls in one round to 8 in four
    assert "Slopes, as odds ratios: 30 × 1" in words
    assert "gamma_within a 8.68" in words
    assert "alpha a / b 1.84" in words
    assert "synchronous − round robin: a, b ±" in words
    assert "order b, a − a, b ±" in words
    assert "nan" not in words
    assert "below 20 the estimator re is a little biased: compare with --estimator pairwise" in words


def test_tables_and_figure_lie_in_the_folder(file: Path) -> None:
    told(power(file, *QUICK))
    folder = Path("power/pair")
    sizes, parameters, rates = (
        pd.read_csv(folder / f"{name}.csv") for name in ("sizes", "parameters", "rates")
    )
    assert sizes["dilemmas"].tolist() == [20, 30]
    assert len(parameters) == 2 * (6 + 3)
    assert parameters["se"].gt(0).all()
    assert len(rates) == 2 * 2 * 2
    figure = (folder / "precision.svg").read_text()
    assert figure.startswith("<svg")
    assert "http" not in figure.replace("http://www.w3.org/2000/svg", "")


def test_the_same_seed_writes_the_same_files_and_another_others(file: Path) -> None:
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        told(power(file, *QUICK, "--seed", seed, "--out", name))
    one, again, other = (
        [each.read_bytes() for each in sorted(Path(name).iterdir())] for name in ("one", "again", "other")
    )
    assert one == again
    assert one != other


def test_what_is_left_open_comes_from_the_file(file: Path) -> None:
    file.write_text(STUDY + "repetitions: 3\n")
    words = told(power(file, "--draws", "1", "--processes", "1"))
    assert "Slopes, as odds ratios: 12 × 3" in words
    sizes = pd.read_csv("power/pair/sizes.csv")
    assert sorted(set(sizes["dilemmas"])) == [3, 6, 12, 24]
    assert sorted(set(sizes["repetitions"])) == [1, 2, 3, 5]


def test_a_truth_file_says_what_is_true(file: Path) -> None:
    words = told(power(file, *QUICK, "--truth", "truth.yaml"))
    assert "agents of truth.yaml" in words
    assert "alpha a 4.48" in words
    assert "gamma_within a / b 1.00" in words


def test_a_pilot_run_says_what_is_true(file: Path) -> None:
    models = {name: {"backend": "simulated", "alpha": 2.5} for name in ("a", "b")}
    pilot = study(models=models, panels=[["a", "b"]], protocols=["synchronous", "round_robin"])
    finished(Path("pilot"), pilot, cases=40)
    words = told(power(file, *QUICK, "--like", "pilot"))
    assert "agents as in pilot" in words
    parameters = pd.read_csv("power/pair/parameters.csv")
    assert parameters.query("kind == 'slope' and term == 'alpha'")["truth"].gt(1).all()


@pytest.mark.usefixtures("file")
def test_a_pilot_run_without_a_model_or_a_verdict_is_refused() -> None:
    pilot = study(panels=[["a", "c"]], protocols=["synchronous"])
    finished(Path("pilot"), pilot, cases=4)
    refused(power("study.yaml", "--like", "pilot"), "--like: found no verdict of b in pilot, which has a, c;")
    finished(Path("empty"), pilot, cases=4, debates=0)
    refused(power("study.yaml", "--like", "empty"), "--like: empty: found no verdict in a finished debate")
    finished(Path("single"), pilot, cases=1)
    refused(power("study.yaml", "--like", "single"), "--like: single: found verdicts on one case only")
    refused(power("study.yaml", "--like", "none"), "none")


BAD_TRUTHS = [
    ("  b:", "  bb:", ["truth.yaml:3: models.bb: found the model 'bb', which has no seat; allowed: a, b"]),
    (TRUTH.splitlines()[2] + "\n", "", ["truth.yaml:1: models: found nothing of b; allowed: every model"]),
    ("alpha: 1.5", "alfa: 1.5", ["truth.yaml:2: models.a.alfa: found the unknown key 'alfa'", "'alpha'?"]),
    ("alpha: 1.5", "alpha: high", ["truth.yaml:2: models.a.alpha: found 'high'; allowed: "]),
    ("alpha: 1.5", "alpha: .inf", ["truth.yaml:2: models.a.alpha: found .inf; allowed: "]),
    ("YTA: 0.5", "YTB: 0.5", ["truth.yaml:2: models.a.theta: found a mapping", "not of YTB"]),
    ("phi_sd: 1.0\n", "", ["truth.yaml:1: found no key 'phi_sd'; allowed: a value for"]),
    ("phi_sd: 1.0", "phi_sd: -1", ["truth.yaml:4: phi_sd: found -1; allowed: "]),
    (TRUTH, "models: [", ["truth.yaml:1: "]),
]


@pytest.mark.parametrize(("good", "bad", "says"), BAD_TRUTHS, ids=[bad[1].strip() for bad in BAD_TRUTHS])
def test_a_bad_truth_is_refused(file: Path, good: str, bad: str, says: Sequence[str]) -> None:
    """Naming file, line and key, what was found and what is allowed."""
    Path("truth.yaml").write_text(TRUTH.replace(good, bad))
    refused(power(file, "--truth", "truth.yaml"), *says)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--draws", "0"], "--draws: found 0; allowed: 1 or more"),
        (
            ["--dilemmas", "1,50"],
            "--dilemmas: found 1; allowed: 2 or more, since errors are learned from how",
        ),
        (["--dilemmas", "many"], "--dilemmas: found 'many'; allowed: whole numbers with commas between"),
        (["--repetitions", "0"], "--repetitions: found 0; allowed: 1 or more"),
        (["--estimator", "ree"], "--estimator: found 'ree'; allowed: re, fe, l2"),
        (
            ["--truth", "truth.yaml", "--like", "run"],
            "found --truth truth.yaml beside --like run; allowed: one",
        ),
        (["--steering", "adversarial"], "--steering: found 'adversarial'; allowed: default"),
        (["--dilemmas", "500000"], "500,000 dilemmas × 1 repetitions × 3 conditions = 1,500,000 debates;"),
        (["--seconds", "nan"], "--seconds: found nan; allowed: 1 or more"),
        (["--seconds", "inf"], "--seconds: found inf; allowed: 1 or more"),
        (["--out", "/proc"], "--out: /proc cannot be a folder for files"),
        (["--out", "study.yaml"], "--out: found the file study.yaml; expected a folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_bad_wish_is_refused(file: Path, words: list[str], says: str) -> None:
    refused(power(file, *words), says)


def test_a_design_without_debates_is_refused(file: Path) -> None:
    file.write_text(STUDY.replace("[synchronous, round_robin]", "[solo]"))
    refused(
        power(file),
        "no cell that can be simulated: found solo (1 cells); allowed: synchronous (of",
    )


def test_debates_in_which_nobody_hears_anybody_are_refused(file: Path) -> None:
    """Synchronous ones of one round."""
    file.write_text(STUDY.replace("[synchronous, round_robin]", "[synchronous]\nrounds: 1"))
    refused(
        power(file),
        "found synchronous (1 cells); allowed: synchronous (of at least two rounds) or round_robin",
    )


def test_agents_who_always_say_the_same_tell_nothing(file: Path) -> None:
    told_all = (
        TRUTH.replace("NTA: 1.0", "NTA: 20")
        .replace("NTA: 0.5", "NTA: 20")
        .replace("phi_sd: 1.0", "phi_sd: 0")
    )
    Path("truth.yaml").write_text(told_all.replace("debate_sd: 0.2", "debate_sd: 0"))
    result = power(file, *QUICK, "--truth", "truth.yaml")
    assert result.exit_code == 2
    assert "error: no draw tells any slope" in result.stderr


def test_a_single_dilemma_is_refused_unless_there_are_to_be_more(file: Path) -> None:
    write_cases(file.parent, 1)
    refused(power(file), "cases.file: found 1 dilemma; allowed: 2 or more", "--dilemmas")
    told(power(file, *QUICK))


def test_what_is_not_simulated_is_told(file: Path) -> None:
    """Judges; what is steered otherwise; and the note says of how many cells the figures are."""
    stages = "stages: [{name: judged, judges: [a]}, {name: onward, protocols: [synchronous], rounds: 6}]\n"
    file.write_text(STUDY + "steering: [default, adversarial]\n" + stages)
    words = told(power(file, *QUICK))
    assert "stage judged is left out: its judgments are not simulated, though its calls are counted" in words
    assert "stage onward is left out: debates that go on are not simulated" in words
    assert "3 of 6 cells are simulated, those of steering default and answer text: the others" in words


def test_a_protocol_that_eq_2_does_not_know_is_left_out_in_a_sentence() -> None:
    cells = [
        Cell(protocol, '{"rounds":4}', ("a", "b"), (1, 2), ("default",) * 2, "text", "balanced")
        for protocol in ("synchronous", "consultancy", "consultancy")
    ]
    found = simulable(cells, [], None)
    assert len(found.conditions) == 1
    assert found.left_out[0] == "2 cells of consultancy left out: Eq. 2 does not say how they go"
    with pytest.raises(ExperimentError, match=r"found consultancy \(2 cells\)"):
        simulable(cells[1:], [], None)


def test_what_changes_whom_seats_hear_is_left_out_in_a_sentence() -> None:
    variants = (
        '{"rounds":4}',
        '{"planted":{"seats":[2],"verdict":"drawn"},"rounds":4}',
        '{"hears":"star","rounds":4}',
    )
    cells = [
        Cell("synchronous", variant, ("a", "b", "c"), (1, 2, 3), ("default",) * 3, "text", "balanced")
        for variant in variants
    ]
    found = simulable(cells, [], None)
    assert len(found.conditions) == 1
    assert [each.split(" left out")[0] for each in found.left_out] == [
        "1 cell of synchronous with planted",
        "1 cell of synchronous with hears",
    ]


def test_the_example_of_the_docs_runs(tmp_path: Path) -> None:
    """As it stands in docs/power.md, but for fewer draws of fewer dilemmas; and so does its truth file."""
    page = Path("docs/power.md").read_text()
    [command] = re.findall(r"^\$ moot (power .*)$", page, re.MULTILINE)
    [truth] = re.findall(r"```yaml\n(models:.*?)```", page, re.DOTALL)
    (tmp_path / "truth.yaml").write_text(truth)
    fewer = ["--draws", "1", "--dilemmas", "20", "--processes", "1", "--out", str(tmp_path / "out")]
    for further in ([], ["--truth", str(tmp_path / "truth.yaml")]):
        result = CliRunner().invoke(app, [*shlex.split(command), *fewer, *further])
        assert result.exit_code == 0, result.output
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == [
        "parameters.csv",
        "precision.svg",
        "rates.csv",
        "sizes.csv",
    ]
