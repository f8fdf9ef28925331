"""What models need, and whether nodes can hold it: all replicas at once, each on one node."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ray_jobs.cluster.capacity import Capacity
from ray_jobs.crew import check_resources
from ray_jobs.located import ExperimentError
from ray_jobs.needs import Need, Resources, fit, has, needs_of, sum_of
from serving.blocks import SimulatedBlock, VllmBlock
from serving.remote_block import RemoteBlock


def engine(replicas: int = 1, tensor_parallel: int = 1) -> VllmBlock:
    return VllmBlock(backend="vllm", model="org/model", replicas=replicas, tensor_parallel=tensor_parallel)


def gpu_nodes(*gpus: int) -> tuple[Resources, ...]:
    return tuple({"CPU": 8, "GPU": count} for count in gpus)


@given(
    st.lists(st.tuples(st.integers(1, 2), st.sampled_from([1, 2, 4, 8])), max_size=3),
    st.lists(st.sampled_from([1, 2, 4, 8]), max_size=3),
)
def test_replicas_fit_if_and_only_if_some_arrangement_holds_them(
    wanted: list[tuple[int, int]], gpus: list[int]
) -> None:
    """Against every arrangement; GPUs come in powers of two, for which placing the largest first is exact."""
    sizes = [each for replicas, each in wanted for _ in range(replicas)]
    arrangements = product(range(len(gpus)), repeat=len(sizes))
    possible = any(
        all(
            sum(size for size, at in zip(sizes, places, strict=True) if at == node) <= gpus[node]
            for node in range(len(gpus))
        )
        for places in arrangements
    )
    needs = [Need(f"m{at}", replicas, each, "GPU") for at, (replicas, each) in enumerate(wanted)]
    assert fit(needs, gpu_nodes(*gpus)) == possible


def test_engines_need_gpus_where_there_are_any_else_a_cpu_and_others_nothing() -> None:
    blocks = {
        "large": engine(2, tensor_parallel=4),
        "far": RemoteBlock(backend="openai", model="far"),
        "made": SimulatedBlock(backend="simulated"),
    }
    assert needs_of(blocks, gpus=True) == [Need("large", 2, 4, "GPU")]
    assert needs_of(blocks, gpus=False) == [Need("large", 2, 1, "CPU")]


def test_the_sum_is_said_in_one_line() -> None:
    needs = needs_of({"large": engine(2, 4), "small": engine()}, gpus=True)
    assert sum_of(needs) == "2 × 4 GPUs for large + 1 × 1 GPU for small, 9 GPUs in all"
    assert has("GPU", gpu_nodes(4, 1, 0, 4)) == "9 GPUs on 3 nodes (4 + 4 + 1)"
    assert has("GPU", gpu_nodes(0)) == "no GPUs"


def test_a_cluster_that_is_too_small_is_told_with_the_sum() -> None:
    """Eight GPUs are eight GPUs, but no node has room for the four of one replica."""
    nodes = gpu_nodes(2, 2, 2, 2)
    finding = Capacity(nodes, nodes).finding({"large": engine(2, 4)})
    assert finding.level == "fail"
    assert finding.found == (
        "the models need 2 × 4 GPUs for large, 8 GPUs in all; the cluster has 8 GPUs on 4 nodes"
        " (2 + 2 + 2 + 2)"
    )
    with pytest.raises(
        ExperimentError, match=r"for large, 8 GPUs in all; .* lower replicas or tensor_parallel"
    ):
        check_resources({"large": engine(2, 4)}, Capacity(nodes, nodes))


def test_models_that_have_no_places_at_once_take_turns() -> None:
    nodes = gpu_nodes(4)
    finding = Capacity(nodes, nodes).finding({"large": engine(1, 4), "small": engine()})
    assert finding.level == "warn"
    assert "5 GPUs in all; the cluster has 4 GPUs on 1 node (4); they play one company after" in str(finding)


def test_what_an_autoscaler_may_add_is_waited_for_and_not_refused() -> None:
    """With no GPU there yet, engines are for GPUs all the same."""
    capacity = Capacity(({"CPU": 8},), ({"CPU": 8}, *gpu_nodes(4, 4)))
    assert capacity.gpus
    finding = capacity.finding({"large": engine(2, 4)})
    assert finding.level == "warn"
    assert "the cluster has no GPUs" in finding.found
    assert "up to 8 GPUs on 2 nodes (4 + 4)" in finding.do
    beyond = capacity.finding({"large": engine(3, 4)})
    assert beyond.level == "fail"
    assert "its autoscaler adds nodes up to 8 GPUs on 2 nodes (4 + 4)" in beyond.found


def test_models_without_engines_need_nothing() -> None:
    nodes = ({"CPU": 2},)
    finding = Capacity(nodes, nodes).finding({"made": SimulatedBlock(backend="simulated")})
    assert finding.level == "ok"
    assert "no model needs an engine" in finding.found
