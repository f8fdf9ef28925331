"""The agents that `moot power` simulates: those of the paper, of a file, or like those of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from analysis.model.population import Population
from analysis.model.rows import TERMS
from analysis.model.truth import PAPER_TRUTH
from protocols.answer_format import VERDICTS
from ray_jobs.located import ExperimentError, Problem, one_of
from ray_jobs.problems import not_allowed, problems
from ray_jobs.yaml_file import read_yaml

LogOdds = Annotated[float, Field(ge=-20, le=20)]
Deviation = Annotated[float, Field(ge=0, le=10)]


class Agent(BaseModel):
    """One model in log-odds; a verdict that `theta` leaves out has 0."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    alpha: LogOdds
    gamma_prev: LogOdds
    gamma_within: LogOdds
    theta: dict[str, LogOdds]

    @field_validator("theta")
    @classmethod
    def _verdicts(cls, theta: dict[str, float]) -> dict[str, float]:
        strange = [label for label in theta if label not in VERDICTS]
        if strange:
            raise not_allowed(f"theta of {one_of(VERDICTS, strange[0])}, not of {strange[0]}")
        return theta


class TruthFile(BaseModel):
    """Every model of the experiment by name, and how much dilemmas, models on them, and debates vary."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    models: Annotated[dict[str, Agent], Field(min_length=1)]
    phi_sd: Deviation
    model_case_sd: Deviation = 0.0
    debate_sd: Deviation = 0.0


def paper_truth(models: Sequence[str]) -> Population:
    """The paper's models under the names of these, in order; beyond the third it begins anew."""
    known = PAPER_TRUTH.population()
    places = [place % len(known.models) for place in range(len(models))]
    return Population(tuple(models), known.slopes[:, places], known.theta[places], known.phi_root)


def paper_names(models: Sequence[str]) -> str:
    """Which model stands for which of the paper's, in words."""
    names = PAPER_TRUTH.models
    return ", ".join(f"{model} as {names[place % len(names)]}" for place, model in enumerate(models))


def read_truth(file: Path, models: Sequence[str]) -> Population:
    """The agents of a YAML file. Raises `ExperimentError`, which lists everything found wrong in it."""
    located = read_yaml(file)
    try:
        truth = TruthFile.model_validate(located.data)
    except ValidationError as error:
        raise located.error(problems(located, error, TruthFile)) from None
    wrong = [
        Problem(("models", name), f"the model '{name}', which has no seat", one_of(models, name))
        for name in truth.models
        if name not in models
    ]  # fmt: skip
    missing = [name for name in models if name not in truth.models]
    if missing:
        wrong.append(Problem(("models",), f"nothing of {', '.join(missing)}", "every model that has a seat"))
    if wrong:
        raise located.error(wrong)
    agents = [truth.models[name] for name in models]
    return Population(
        models=tuple(models),
        slopes=np.array([[getattr(agent, term) for agent in agents] for term in TERMS], float),
        theta=np.array([[agent.theta.get(label, 0.0) for label in VERDICTS] for agent in agents]),
        phi_root=truth.phi_sd * np.eye(len(VERDICTS)),
        model_case_sd=truth.model_case_sd,
        debate_sd=truth.debate_sd,
    )


def like_run(run: str, models: Sequence[str]) -> Population:
    """Agents like those of a run. Raises `ExperimentError` where it has not all of these models."""
    from analysis.power.pilot import NothingToLearn, pilot  # reading runs takes Ray Data seconds to import

    try:
        found = pilot(run)
    except NothingToLearn as error:
        raise ExperimentError(f"--like: {error}") from None
    missing = [name for name in models if name not in found.models]
    if missing:
        raise ExperimentError(
            f"--like: found no verdict of {', '.join(missing)} in {run}, which has {', '.join(found.models)};"
            " allowed: a run in which every model that has a seat gave verdicts"
        )
    places = [found.models.index(name) for name in models]
    return Population(tuple(models), found.slopes[:, places], found.theta[places], found.phi_root)
