"""Commands that pages show are commands: they parse, their options exist, and those that are cheap run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pandas as pd
import pytest
import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from ray_jobs.cli import app
from tests.analysis.causal.played import arm_turns
from tests.analysis.replication.runs import played
from tests.docs.commands import ROOT, Shown, of_page, shown
from tests.ray_jobs.test_cli import moot
from tests.ray_jobs.test_model_commands import PAIRS, begun

SHOWN = shown()
WHOLE = [one for one in SHOWN if one.whole]

READING = ("report", "fit", "causal", "replicate", "show", "status")
"""Commands that read a run, which are played on a small one."""

PLANNING = ("plan",)
"""Commands that read an experiment file."""


class NoCommand(Exception):
    """Words that name none."""


def found(words: tuple[str, ...]) -> tuple[TyperCommand, list[str]]:
    """The command that the words name, and those after it."""
    command, rest = typer.main.get_command(app), list(words)
    while isinstance(command, TyperGroup):
        if not rest or rest[0] not in command.commands:
            raise NoCommand(f"there is no command {' '.join(words)!r}")
        command, rest = command.commands[rest[0]], rest[1:]
    assert isinstance(command, TyperCommand)
    return command, rest


def wrong(one: Shown) -> str:
    """What is wrong with a command; "" for nothing."""
    try:
        command, rest = found(one.words)
        if one.whole:
            command.make_context("moot", rest)
    except (NoCommand, TyperException) as error:
        return str(error)
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    strange = [word for word in rest if word.startswith("--") and word not in {*known, "--help"}]
    return f"no option {strange[0]}" if strange else ""


def test_there_are_commands_on_most_pages() -> None:
    assert len(WHOLE) >= 30
    assert len({one.page for one in SHOWN}) > 10


@pytest.mark.parametrize("one", SHOWN, ids=[f"{one.page}: {one.said}" for one in SHOWN])
def test_a_command_that_a_page_shows_exists(one: Shown) -> None:
    assert wrong(one) == ""


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("moot reprot RUN", "there is no command"),
        ("moot report", "Missing parameter: run"),
        ("moot report RUN --output FILE", "No such option"),
        ("moot fit RUN --estimator ols", "'ols' is not one of"),
        ("moot fit RUN MORE", "unexpected extra argument"),
    ],
)
def test_what_is_no_command_is_found(said: str, why: str) -> None:
    [one] = of_page("page", f"```\n{said}\n```\n")
    assert why in wrong(one)


def test_an_option_within_a_sentence_is_looked_up() -> None:
    [one] = of_page("page", "Try `moot run --forks OLD`.")
    assert wrong(one) == "no option --forks"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run with repetitions and designed arms."""
    debates = played(20, 2, conditions=PAIRS).assign(planted=None, stance=None)
    turns = pd.concat([debates, arm_turns(20)], ignore_index=True)
    return begun(tmp_path_factory.mktemp("docs") / "run", turns)


def bare(one: Shown) -> tuple[str, ...]:
    """The words that may not be left out, RUN for any run, FILE for a file that the project does not have."""
    words = shlex.split(one.said.split("[")[0], comments=True)[1:]
    return tuple(
        "RUN" if re.fullmatch(r"(RUN|DIR)(\.\.\.)?|runs/[\w-]+", word)
        else "FILE" if word.endswith(".yaml") and not (ROOT / word).exists()
        else word
        for word in words
    )  # fmt: skip


def cheap(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The different commands of these names that pages show whole, but for those of a debate or of labels."""
    every = {bare(one) for one in WHOLE if one.words[0] in names}
    return sorted(one for one in every if not {"DEBATE", "ID"} & set(one) and "judgments" not in "".join(one))


@pytest.mark.parametrize("words", cheap(READING), ids=" ".join)
def test_commands_that_read_a_run_run(
    words: tuple[str, ...], run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files go to a folder of the test."""
    monkeypatch.setattr("analysis.bootstrap.DRAWS", 100)
    named = {"RUN": run, "FOLDER": tmp_path / "out"}
    told = moot(*(named.get(word, word) for word in words))
    assert told.exit_code == 0, told.output


@pytest.mark.parametrize("words", cheap(PLANNING), ids=" ".join)
def test_commands_that_plan_run(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    told = moot(*("experiments/three_models.yaml" if word == "FILE" else word for word in words))
    assert told.exit_code == 0, told.output
