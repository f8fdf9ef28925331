"""`moot plan --prompts`: what models are shown, each kind of prompt once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from analysis.naming import label
from protocols.dialogue import Ask
from ray_jobs.cases import load_cases
from ray_jobs.debate import Debate
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.plan import Plan
from ray_jobs.rehearsal import characters, rehearse
from ray_jobs.stage_block import DEBATES
from ray_jobs.stages import Judging

ASKED = {"turn": "", "candidate": "draft", "preference": "choice of a draft", "critique": "critique"}
"""What an ask is for, where it is no turn: those of judges and labels are told by their stage."""


def print_prompts(file: Path, console: Console) -> None:
    """Prints the messages of the longest ask of each kind, in debates of two rounds; of some alike, of one.

    Asks are of one kind in one stage, with one protocol, its parameters, one steering, and one wording; what
    is asked for a draft, a choice, a critique or a judgment is of a kind of its own.
    """
    for head, ask in prompts(load_experiment(file)):
        console.rule(style="dim")
        console.print(Text(head, style="bold"), soft_wrap=True)
        for message in ask.messages:
            console.print(Text(f"[{message.role}]", style="bold"))
            console.print(Text(message.content), "")


def prompts(experiment: Experiment) -> Iterator[tuple[str, Ask]]:
    """Each kind of ask by its name: the longest one on the first case that comes up."""
    case = load_cases(experiment)[0]
    plan = Plan(experiment, [case.id])
    kinds: dict[Hashable, list[tuple[str, Ask]]] = {}
    for debate in plan.one_of_each():
        for each, ask in rehearse(experiment, plan, case, debate, False, full=False):
            if ask.round <= 2 or each.stage != DEBATES:
                head, kind = _named(plan, each, ask), _kind(plan, each, ask)
                kinds.setdefault(kind, []).append((head, ask))
    shown: set[Hashable] = set()
    for asks in kinds.values():
        head, ask = max(asks, key=lambda one: characters(one[1]))
        if ask.messages not in shown:
            shown.add(ask.messages)
            yield head, ask


def _kind(plan: Plan, debate: Debate, ask: Ask) -> Hashable:
    form = replace(ask.answer_format, labels=(), option_texts=None)
    return (*_condition(plan, debate), ask.kind, form, ask.prompt_hash)


def _condition(plan: Plan, debate: Debate) -> tuple[str, str, str, str]:
    """Stage, protocol, parameters and steering; a judge is told of no parameters, but sees by its own."""
    cell, own = plan.cell(debate), plan.stage_cell(debate)
    if isinstance(own, Judging):
        seen = f"judge who sees {own.sees}, answers with {own.answers}"
        return debate.stage, cell.protocol, seen, ""
    steering = cell.steering[0] if len(set(cell.steering)) == 1 else " + ".join(cell.steering)
    variant = label({"variant": cell.variant}) if cell.variant != "{}" else ""
    return debate.stage, cell.protocol, variant, steering


def _named(plan: Plan, debate: Debate, ask: Ask) -> str:
    stage, protocol, variant, steering = _condition(plan, debate)
    told = [
        "" if stage == DEBATES else f"stage {stage}",
        protocol,
        variant,
        steering and f"steering {steering}",
        f"answer {ask.answer_format.name}",
        ASKED.get(ask.kind, ""),
        ask.seat,
    ]
    return " · ".join(filter(None, told))
