"""The experiment of a run, as its report tells it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pandas as pd

from analysis.report.setting import Setting
from analysis.report.units import listed
from protocols.prompts import BUILTIN, Prompts
from ray_jobs.checks import ORDERED
from ray_jobs.claims import earlier_claims
from ray_jobs.design import UNNAMED, variant
from ray_jobs.design_block import LabelRule
from ray_jobs.experiment import Experiment
from ray_jobs.published_models import published
from ray_jobs.store import Store
from ray_jobs.unfinished import unfinished
from serving.blocks import ModelBlock
from serving.published_block import PublishedBlock

MADE_UP = {"simulated": "a simulation", "scripted": "a script"}
"""What answers in place of a model, by backend."""

STOP = "consensus"
"""When a debate stops, where a design does not say."""

LABELS: dict[LabelRule, str] = {
    "balanced": "each seat has each label as equally often as can be (balanced)",
    "fixed": "by the place on the panel (fixed)",
    "crossed": "every assignment is a condition of its own (crossed)",
}
"""The rules of labels in words."""


def setting(store: Store) -> Setting:
    """As the run was last started. Raises `ExperimentError` when the store holds no run."""
    still = list(unfinished(store))
    experiment = Experiment.thawed(earlier_claims(store)[-1].frozen)
    models = pd.DataFrame([_model(name, block) for name, block in experiment.models.items()])
    return Setting(experiment.name, models, list(_facts(experiment)), still, _kept(experiment))


def _kept(experiment: Experiment) -> dict[str, str]:
    """The rules by which further debates are chosen, by stage; with those of the stages they are from."""
    found: dict[str, list[str]] = {}
    for block in experiment.stages:
        own = [] if block.keep == "all" else [block.keep]
        found[block.name] = list(dict.fromkeys([*found.get(block.source, []), *own]))
    debates = [block.name for block in experiment.stages if block.protocols is not None]
    return {name: listed(found[name]) for name in debates if found[name]}


def _model(name: str, block: ModelBlock) -> dict[str, str]:
    """A row of the table of models."""
    sampling, identity = block.sampling(), block.identity()
    made_up = MADE_UP.get(block.backend)
    known = not isinstance(block, PublishedBlock)  # how the models of others were asked is not
    return {
        "model": name,
        "answered by": made_up or str(identity["model"]),
        "through": "–" if made_up else str(identity["base_url"] or block.backend),
        "revision": "–" if made_up else str(identity["revision"] or "–"),
        "temperature": f"{sampling.temperature:g}" if known else "–",
        "top p": f"{sampling.top_p:g}" if known else "–",
        "max tokens": f"{sampling.max_tokens:,}" if known else "–",
    }


def _facts(experiment: Experiment) -> Iterator[str]:
    """Sentences on what the tables do not hold."""
    made_up = [name for name, block in experiment.models.items() if block.backend in MADE_UP]
    if made_up:
        yield (
            f"What {listed(made_up)} said comes from a simulation or a script, not from a language model: its"
            " figures show that everything works, and are no findings."
        )
    yield from _played(experiment)
    if imported := sorted(published(experiment)):
        yield (
            f"What {listed(imported)} said was published by others and imported; how they were asked is not"
            " part of the run."
        )
        return
    times = f"{experiment.repetitions} times, each with its own seeds"
    yield (
        f"Every debate was played {times if experiment.repetitions > 1 else 'once'};"
        f" the seed of the run is {experiment.seed}."
    )
    replaced = [name for name in BUILTIN if experiment.wording.text(name) != Prompts().text(name)]
    if replaced:
        yield f"Sections of the prompts that are not moot's own: {listed(replaced)}."


def _played(experiment: Experiment) -> Iterator[str]:
    """How long debates are, when they stop, and by which labels seats know each other."""
    told = [
        (entry.name, json.loads(variant(entry, design.rounds)), design.labels)
        for design in experiment.products
        for entry in design.protocols
    ]
    long = {
        f"{name.replace('_', '-')}, {params['rounds']} rounds at most, {_stop(params.get('stop', STOP))}"
        for name, params, _ in told
        if "rounds" in params
    }
    if long:
        yield f"Length of debates: {'; '.join(sorted(long))}."
    rules = sorted({LABELS[rule] for name, _, rule in told if name not in (*ORDERED, *UNNAMED)})
    if rules:
        yield f"In synchronous debates seats know each other as Agent 1, 2 and so on: {'; '.join(rules)}."


def _stop(rule: str) -> str:
    return "all of which are played" if rule == "never" else f"stopping at {rule}"
