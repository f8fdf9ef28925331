"""`moot check`: what it prints of a protocol or a measure, and with which exit code it ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ray_jobs import own_trial
from ray_jobs.cli import app
from tests.protocols.own.bad import LINE, TEXT, said

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
ONE = "turns.drop_duplicates('debate_id')"  # a row for each debate
OWN = ROOT / "experiments" / "own"


def check(*words: object) -> Result:
    return CliRunner().invoke(app, ["check", *map(str, words)], env={"COLUMNS": "300"})


def write(folder: Path, text: str) -> Path:
    file = folder / "tried.py"
    file.write_text(text)
    return file


@pytest.mark.parametrize("name", ["moderated", "weighted"])
def test_the_worked_examples_keep_to_the_laws(name: str) -> None:
    done = check(OWN / f"{name}.py", "--seats", "3")
    assert done.exit_code == 0, done.output
    assert f"{name}.py:{name} (" in done.stdout
    assert done.stdout.endswith("a protocol, keeps to the laws: 27 scripted debates\n")
    assert "=== step 0, slot 0: turn of seat" in done.stdout


def test_rounds_are_as_many_as_seats_are_told_of(tmp_path: Path) -> None:
    """As in an experiment, whose rounds count whatever the default of the protocol is."""
    text = (OWN / "weighted.py").read_text("utf-8").replace("rounds: int = 4", "rounds: int = 3")
    (tmp_path / "weighted.py").write_text(text, encoding="utf-8")
    told = check(tmp_path / "weighted.py", "--seats", "2")
    assert told.exit_code == 0, told.output
    assert "Round 1 of at most 4." in told.output
    assert "at most 3" not in told.output


def test_a_set_is_found_between_two_processes(tmp_path: Path) -> None:
    names = said("' '.join({'alpha', 'beta', 'gamma', 'delta', 'epsilon', *KEPT})")
    done = check(write(tmp_path, TEXT.replace("LINE", names)), "--seats", "2")
    assert done.exit_code == 2
    assert "breaks 1 of the laws:\n- deterministic: 2 seats, a dilemma, text, seed 0" in done.stdout
    assert "the order of a set is another one in every process: use sorted(...)" in done.stdout


def test_what_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_trial, "PATIENCE", 2.0)
    done = check(write(tmp_path, TEXT.replace("LINE", "sum(iter(int, 1))")))
    assert done.exit_code == 2
    assert "tried: found no end of its scripted debates in 2 s; one call into Python may go on" in done.stderr


def test_a_loop_without_an_end_is_told_with_its_line(tmp_path: Path) -> None:
    done = check(write(tmp_path, TEXT.replace("LINE", "while True: pass")), "--seats", "2")
    assert done.exit_code == 2
    assert f"- plays: {tmp_path / 'tried.py'}:{LINE}: EndlessLoop: found no end in 1,000,000" in done.stdout


def test_what_ends_the_process_is_told(tmp_path: Path) -> None:
    done = check(write(tmp_path, TEXT.replace("LINE", "os._exit(3)")))
    assert done.exit_code == 2
    assert "tried: it ended the process that played it" in done.stderr


@pytest.mark.parametrize(
    ("text", "words", "says"),
    [
        (
            "A = 1\n",
            [],
            "found nothing to check; allowed: a protocol, def NAME(case",
        ),
        (
            "async def f(case):\n    yield\n",
            [],
            "tried.py:1: f: found an async function; a protocol is a plain",
        ),
        (
            "def f(case):\n    return 1\n",
            [],
            "tried.py:1: f has no yield in it: found nothing to check; allowed",
        ),
        ("def f(x):\n    yield\n", [], "tried.py:1: f first takes x: found nothing to check; allowed"),
        ("\ndef f():\n    yield\n", [], "tried.py:2: f takes nothing first: found nothing to check; allowed"),
        ("def f(:\n", [], "tried.py:1: found no Python: invalid syntax"),
        ("import numpy\ndef f(case):\n    yield\n", [], "tried.py:1: found an import of numpy; allowed"),
        ("def f(case):\n    yield\n", ["--seats", "two"], "--seats: found 'two'; allowed: numbers of seats"),
    ],
)
def test_what_cannot_be_checked(tmp_path: Path, text: str, words: list[str], says: str) -> None:
    done = check(write(tmp_path, text), *words)
    assert done.exit_code == 2
    assert says in done.stderr


def test_names_that_are_not_there(tmp_path: Path) -> None:
    assert "found no file nothing.py; allowed: FILE.py" in check("nothing.py").stderr
    file = write(tmp_path, TEXT.replace("LINE", "pass"))
    assert "found no 'other' to check; it has: tried (a protocol)" in check(f"{file}:other").stderr


def test_as_an_experiment_has_it() -> None:
    done = check(OWN / "weighted.py", "--file", ROOT / "experiments" / "own.yaml")
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith("keeps to the laws: 27 scripted debates\n")


def test_a_file_that_an_experiment_does_not_use(tmp_path: Path) -> None:
    file = write(tmp_path, TEXT.replace("LINE", "pass"))
    done = check(file, "--file", ROOT / "experiments" / "own.yaml")
    assert (done.exit_code, "found no design with the protocol tried@" in done.stderr) == (2, True)


def test_the_measure_of_the_examples_keeps_to_its_laws() -> None:
    done = check(OWN / "decided.py")
    assert (done.exit_code, "a measure, keeps to the laws: made-up debates" in done.stdout) == (0, True)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (
            "ONE.assign(value=turns['confidence'].fillna(0))",
            "the order of rows",
        ),
        ("ONE.assign(value=turns['round'].mean())", "are read together"),
        ("turns", "its frame has no column value; allowed: def NAME(turns)"),
        ("turns.assign(value=1)", "more than once; allowed: a row for each debate and `of`"),
        ("ONE.assign(value=float('nan'))", "a value is no finite number"),
        ("ONE.assign(value='a')", "a value is no finite number"),
        ("turns['nothing']", "KeyError: 'nothing'"),
        (
            "ONE.assign(value=1, debate_id='x')",
            "the debate 'x', of which it was",
        ),
        ("1", "it returned int; allowed: def NAME(turns)"),
        ("turns[:0].assign(value=1)", "it has no value for any debate"),
        (
            "turns.insert(0, 'value', 1) or ONE",
            "it changes the turns that it is",
        ),
    ],
)
def test_what_a_measure_must_not_do(tmp_path: Path, body: str, says: str) -> None:
    done = check(write(tmp_path, f"def tried(turns):\n    return {body}\n".replace("ONE", ONE)))
    assert done.exit_code == 2
    assert says in done.stdout


def test_an_answer_format_is_checked_by_what_is_read_in_it(tmp_path: Path) -> None:
    done = check(OWN / "blame.py")
    assert (done.exit_code, "an answer format, keeps to the laws: replies with every" in done.stdout) == (
        0,
        True,
    )
    body = "replace(form, labels=('YES', 'YES, BUT')) if form.field == 'verdict' else form"
    text = f"from dataclasses import replace\ndef tried(form):\n    return {body}\n"
    done = check(write(tmp_path, text))
    assert (done.exit_code, "- the label 'YES, BUT' is read as YES in" in done.stdout) == (2, True)
