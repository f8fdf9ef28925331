"""The company: the models that are open together, where the cluster has not room for all at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ray_jobs.cluster.capacity import Capacity
from ray_jobs.located import ExperimentError
from serving.blocks import ModelBlock


def company(
    models: Mapping[str, ModelBlock], asked: Iterable[Collection[str]], cluster: Capacity
) -> dict[str, ModelBlock]:
    """The models to be opened now: all, if they fit, else as many as do, from those that are `asked` first.

    `asked` are the models of each debate that is left, in the order of the plan: those of one debate are
    open together. Of what does not fit now another company is made when this one has played.
    Raises `ExperimentError` when the models of a single debate do not fit.
    """
    if not cluster.shortage(models):
        return dict(models)
    chosen: dict[str, ModelBlock] = {}
    for together in dict.fromkeys(map(frozenset, asked)):
        larger = {name: block for name, block in models.items() if name in chosen or name in together}
        if not cluster.shortage(larger):
            chosen = larger
        elif short := cluster.shortage({name: models[name] for name in models if name in together}):
            raise ExperimentError(
                f"models of one debate must be open together, but {short}; lower replicas or"
                " tensor_parallel, or add nodes"
            )
    return chosen
