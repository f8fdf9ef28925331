"""From a run to the experiment that labels it: the same debates, and a judge of the values in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from protocols.names import NAME
from protocols.values import VALUES_48, write_taxonomy
from ray_jobs.claims import earlier_claims
from ray_jobs.experiment import Experiment
from ray_jobs.label_folder import label_names, label_store
from ray_jobs.located import ExperimentError, one_of
from ray_jobs.stage_block import DEBATES
from ray_jobs.stages import Labelling, Stage
from ray_jobs.store import Store
from serving.blocks import ModelBlock


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be labelled: by which judge, how often, under which name, by which values (CSV text)."""

    judge: str
    name: str
    passes: int = 1
    values: str = write_taxonomy(VALUES_48)


def labelling(played: Experiment, order: Order, models: Mapping[str, ModelBlock]) -> Experiment:
    """The debates that are `played`, each followed by its labels and by nothing else.

    The judge is one of its models, or of `models`. Labels of the designs' debates make up the stage
    `order.name`, those of further debates a stage `NAME-STAGE` each. Raises `ExperimentError` for a judge
    who is in neither or defined otherwise in both, and for names that are none or taken.
    """
    judge = _judge(played, order.judge, models)
    frozen = played.frozen()
    kept = [block for block in frozen["stages"] if block["protocols"]]
    labels = [_stage(order, source) for source in (DEBATES, *(block["name"] for block in kept))]
    _check_names(labels, [DEBATES, *(block.name for block in played.stages)])
    block = judge.model_dump(mode="json")
    return Experiment.thawed(
        {
            **{key: value for key, value in frozen.items() if key != "budget"},
            "models": {**frozen["models"], order.judge: block},
            "stages": [*kept, *labels],
        }
    )


def label_stages(stages: Iterable[Stage]) -> list[str]:
    """The names of those stages that labels make up."""
    return [stage.name for stage in stages if any(isinstance(cell, Labelling) for cell in stage.cells)]


def refuse_other_judges(store: Store, order: Order) -> None:
    """Raises `ExperimentError` when the store holds labels by another judge, be it a model or a person."""
    claims = earlier_claims(store)
    judges = {judge for claim in claims for judge in _judges(Experiment.thawed(claim.frozen))}
    if not claims and store.names("tables"):
        judges = {"a person"}
    for judge in judges - {order.judge}:
        raise ExperimentError(
            f"--name: found '{order.name}', and {store.uri} holds labels by {judge}; allowed: a name of its"
            " own for every judge"
        )


def judges_there(run: Store, name: str) -> dict[str, ModelBlock]:
    """The models that have labelled the run, as last declared: if several have one name, that of `name`."""
    found: dict[str, ModelBlock] = {}
    for each in sorted(label_names(run), key=lambda there: there == name):
        for claim in earlier_claims(label_store(run, each))[-1:]:
            experiment = Experiment.thawed(claim.frozen)
            found |= {judge: experiment.models[judge] for judge in _judges(experiment)}
    return found


def _judges(experiment: Experiment) -> Iterator[str]:
    return (model for block in experiment.stages if block.labels for model in block.labels.models)


def _judge(played: Experiment, name: str, models: Mapping[str, ModelBlock]) -> ModelBlock:
    there, brought = played.models.get(name), models.get(name)
    if there is None and brought is None:
        known = one_of(list(dict.fromkeys([*played.models, *models])), name)
        raise ExperimentError(
            f"--judge: found the unknown model '{name}'; allowed: {known}, or one of a file given by --models"
        )
    if there is not None and brought is not None and there.identity() != brought.identity():
        raise ExperimentError(
            f"--models: found another '{name}' than the one that the run has under this name; allowed: a name"
            " of its own for every model"
        )
    chosen = brought if brought is not None else there
    assert chosen is not None
    return chosen


def _stage(order: Order, source: str) -> dict[str, Any]:
    name = order.name if source == DEBATES else f"{order.name}-{source}"
    labels = {"models": [order.judge], "passes": order.passes, "values": order.values}
    return {"name": name, "from": source, "labels": labels}


def _check_names(labels: Iterable[Mapping[str, Any]], taken: Iterable[str]) -> None:
    for name in (stage["name"] for stage in labels):
        if not NAME.fullmatch(name):
            raise ExperimentError(
                f"--name: found '{name}'; allowed: up to 100 letters, digits, '.', '_' and '-', of which the"
                " first is a letter or digit"
            )
        if name in taken:
            raise ExperimentError(f"--name: found '{name}', a stage of the run; allowed: another name")
