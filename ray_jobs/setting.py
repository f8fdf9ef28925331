"""The experiment of a run, as its report tells it."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from analysis.report.setting import Setting
from analysis.report.units import listed
from protocols.prompts import BUILTIN, Prompts
from ray_jobs.experiment import Experiment
from ray_jobs.run_directory import earlier_claims
from ray_jobs.store import Store
from ray_jobs.unfinished import unfinished
from serving.blocks import ModelBlock

MADE_UP = {"simulated": "a simulation", "scripted": "a script"}
"""What answers in place of a model, by backend."""


def setting(store: Store) -> Setting:
    """As the run was last started. Raises `ExperimentError` when the store holds no run."""
    still = list(unfinished(store))
    experiment = Experiment.thawed(earlier_claims(store)[-1].frozen)
    models = pd.DataFrame([_model(name, block) for name, block in experiment.models.items()])
    return Setting(experiment.name, models, list(_facts(experiment)), still)


def _model(name: str, block: ModelBlock) -> dict[str, str]:
    """A row of the table of models."""
    sampling, identity = block.sampling(), block.identity()
    made_up = MADE_UP.get(block.backend)
    return {
        "model": name,
        "answered by": made_up or str(identity["model"]),
        "through": "–" if made_up else str(identity["base_url"] or block.backend),
        "revision": "–" if made_up else str(identity["revision"] or "–"),
        "temperature": f"{sampling.temperature:g}",
        "top p": f"{sampling.top_p:g}",
        "max tokens": f"{sampling.max_tokens:,}",
    }


def _facts(experiment: Experiment) -> Iterator[str]:
    """Sentences on what the tables do not hold."""
    made_up = [name for name, block in experiment.models.items() if block.backend in MADE_UP]
    if made_up:
        yield (
            f"What {listed(made_up)} said is made up by moot, not by a language model: its figures show that"
            " everything works, and are no findings."
        )
    times = f"{experiment.repetitions} times, each with its own seeds"
    yield (
        f"Every debate was played {times if experiment.repetitions > 1 else 'once'};"
        f" the seed of the run is {experiment.seed}."
    )
    replaced = [name for name in BUILTIN if experiment.wording.text(name) != Prompts().text(name)]
    if replaced:
        yield f"Sections of the prompts that are not moot's own: {listed(replaced)}."
