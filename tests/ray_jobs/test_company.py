"""Which models are open together, where the cluster has not room for all at once."""

from __future__ import annotations

import pytest

from ray_jobs.cluster.capacity import Capacity
from ray_jobs.company import company
from ray_jobs.located import ExperimentError
from serving.blocks import ModelBlock, SimulatedBlock, VllmBlock

NODE = {"GPU": 8.0, "CPU": 64.0}
GPUS = Capacity((NODE,), (NODE,))


def vllm(gpus: int, replicas: int = 1) -> VllmBlock:
    return VllmBlock(backend="vllm", model="m", tensor_parallel=gpus, replicas=replicas)


SIZES: dict[str, ModelBlock] = {"8b": vllm(1, 4), "70b": vllm(4), "r1": vllm(8)}


def chosen(*asked: str, models: dict[str, ModelBlock] = SIZES) -> list[str]:
    return list(company(models, [each.split("+") for each in asked], GPUS))


def test_all_are_open_where_all_fit() -> None:
    some = {"8b": vllm(1, 4), "70b": vllm(4)}
    assert chosen(models=some) == ["8b", "70b"], "nothing is looked at"


def test_those_of_the_first_debates_come_first_and_others_that_fit_beside_them() -> None:
    assert chosen("70b", "r1", "8b") == ["8b", "70b"]
    assert chosen("r1", "70b", "8b") == ["r1"]


def test_models_of_one_debate_come_together_or_not_at_all() -> None:
    assert chosen("8b", "8b+70b", "r1") == ["8b", "70b"]
    wide = {**SIZES, "8b": vllm(1, 6)}
    with pytest.raises(
        ExperimentError,
        match=r"need 6 × 1 GPU for 8b \+ 1 × 4 GPUs for 70b, 10 GPUs in all; the cluster has 8 GPUs",
    ):
        chosen("8b", "8b+70b", "r1", models=wide)


def test_a_model_that_is_too_large_alone_is_told_with_the_sum() -> None:
    with pytest.raises(ExperimentError, match="open together, but the models need 1 × 16 GPUs for huge"):
        chosen("8b", "huge", models={**SIZES, "huge": vllm(16)})


def test_models_that_need_no_engine_are_always_open() -> None:
    with_judge = {**SIZES, "judge": SimulatedBlock(backend="simulated")}
    assert chosen("r1", "70b", "judge", models=with_judge) == ["r1", "judge"]


def test_nothing_asked_opens_nothing() -> None:
    assert chosen() == []
