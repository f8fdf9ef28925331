"""Debates played in this process, without Ray: what the tables of a run must hold."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from types import SimpleNamespace
from typing import Any

from protocols.dialogue import Ask, Reply
from protocols.play import Play
from protocols.transcript import Transcript
from ray_jobs.cases import CaseRow
from ray_jobs.debate import Debate
from ray_jobs.design_row import design_row
from ray_jobs.experiment import Experiment
from ray_jobs.log import Row
from ray_jobs.parts import Rows
from ray_jobs.plan import Plan
from ray_jobs.playing import Setting, play_debate
from ray_jobs.staging import NOTHING, stage
from serving.opening import open_backend

VARYING = ("run_id", "claim", "time", "seconds", "wait_seconds", "attempts")
"""Columns in which two runs of one experiment differ."""


def case_rows(count: int) -> list[CaseRow]:
    """So many short cases."""
    return [CaseRow(f"case{n}", f"Title {n}", f"The story of conflict {n}.") for n in range(1, count + 1)]


async def play_here(
    experiment: Experiment,
    row: CaseRow,
    debate: Debate,
    logged: Sequence[Row] = (),
    ask: Callable[[Ask], Any] | None = None,
    keep: Callable[[Row], None] = lambda _: None,
) -> Rows:
    """One debate, answered by `ask`, else by backends as the experiment declares them."""
    [rows, *_] = await play_tree(experiment, row, debate, logged=logged, ask=ask, keep=keep)
    return rows


async def play_tree(
    experiment: Experiment,
    row: CaseRow,
    debate: Debate,
    before: Transcript = NOTHING,
    logged: Sequence[Row] = (),
    ask: Callable[[Ask], Any] | None = None,
    keep: Callable[[Row], None] = lambda _: None,
    plan: Plan | None = None,
) -> list[Rows]:
    """A debate, and all that follows from it."""
    backends = {name: await open_backend(block) for name, block in experiment.models.items()}

    async def answer(question: Ask) -> Reply:
        return await backends[question.model].answer(question)

    plan = plan or Plan(experiment, ())
    scene = stage(experiment, plan, row, debate, before)
    play: Play[Any] = Play(scene.dialogue, debate.seed)
    design = design_row(plan, debate, "here", scene.listed)
    setting = Setting(experiment.identities(), "claim-here")
    replies = await play_debate(setting, play, design, logged, ask or answer, keep)
    rows = scene.rows(design, play.outcome, replies)
    following = plan.after(debate, rows["debates"][0]["standing"])
    trees = [await play_tree(experiment, row, each, play.outcome, plan=plan) for each in following]
    return [rows, *chain.from_iterable(trees)]


def played(experiment: Experiment, rows: Sequence[CaseRow]) -> list[Rows]:
    """Every debate of the plan, in its order, each with all that follows from it."""
    by_id = {row.id: row for row in rows}

    async def all_of_them() -> list[Rows]:
        plan = Plan(experiment, list(by_id))
        plays = (play_tree(experiment, by_id[debate.case_id], debate, plan=plan) for debate in plan)
        return list(chain.from_iterable(await asyncio.gather(*plays)))

    return asyncio.run(all_of_them())


def steady(rows: Iterable[Row], table: str) -> list[Row]:
    """The rows of a table in a fixed order, without what varies between runs."""
    kept = [{name: value for name, value in row.items() if name not in VARYING} for row in rows]
    keys = {
        "replies": ("debate_id", "step", "slot"),
        "turns": ("debate_id", "round", "position"),
        "debates": ("debate_id",),
        "judgments": ("debate_id",),
    }
    return sorted(kept, key=lambda row: tuple(row[name] for name in keys[table]))


class Local:
    """An object whose methods are called as those of an actor are, in this process."""

    def __init__(self, of: object) -> None:
        self._of = of

    def __getattr__(self, name: str) -> SimpleNamespace:
        method = getattr(self._of, name)
        return SimpleNamespace(remote=lambda *given: asyncio.ensure_future(method(*given)))
