"""Models of imported studies, which have answered and answer nothing more."""

from __future__ import annotations

from collections.abc import Collection

from ray_jobs.experiment import Experiment
from ray_jobs.located import Problem
from serving.published_block import PublishedBlock


def published(experiment: Experiment) -> frozenset[str]:
    """The names of these models."""
    return frozenset(name for name, block in experiment.models.items() if isinstance(block, PublishedBlock))


def refuse_published(experiment: Experiment, asked: Collection[str]) -> None:
    """Raises `ExperimentError` where one of the models that are to be `asked` is one of these."""
    raised = [
        Problem(
            ("models", name, "backend"),
            "'published', the models of a study that was imported, which cannot be asked anything",
            "a backend that answers",
        )
        for name in experiment.models
        if name in published(experiment).intersection(asked)
    ]
    if raised:
        raise experiment.error(raised)
