"""What a served model's application is made of: limits of its own, room for its workers, affinity."""

from __future__ import annotations

from typing import Any

import pytest

from serving.deployments import deployment_options, engine_options, ingress_options, placement, resources
from serving.serve_block import Scale, ServeBlock


def block(**keys: Any) -> ServeBlock:
    return ServeBlock.model_validate({"backend": "serve", "model": "org/name", **keys})


def test_a_replica_takes_a_batch_and_a_quarter_and_scales_at_four_fifths_of_one() -> None:
    """By default 256 asks to a batch."""
    assert deployment_options(block(), on_cpu=False)["max_ongoing_requests"] == 320
    scaled = deployment_options(block(replicas={"min": 1, "max": 6}, engine={"max_num_seqs": 10}), False)
    assert scaled["max_ongoing_requests"] == 13
    found = scaled["autoscaling_config"]
    assert (found["min_replicas"], found["max_replicas"], found["target_ongoing_requests"]) == (1, 6, 8)
    assert "num_replicas" not in scaled


def test_replicas_that_are_fixed_do_not_scale() -> None:
    fixed = deployment_options(block(replicas=3), on_cpu=True)
    assert fixed["num_replicas"] == 3
    assert "autoscaling_config" not in fixed


def test_the_ingress_never_holds_back_what_the_engines_could_use() -> None:
    many = block(replicas=Scale(min=1, max=20))
    found = ingress_options(many, on_cpu=False)
    assert found["max_ongoing_requests"] > many.asks == 20 * 256
    assert found["num_replicas"] == 3  # one for every eight


@pytest.mark.parametrize(
    ("keys", "strategy", "gpus"),
    [
        ({}, "STRICT_PACK", 1),
        ({"tensor_parallel": 4, "replicas": 2}, "STRICT_PACK", 8),
        ({"tensor_parallel": 8, "pipeline_parallel": 2}, "PACK", 16),
        ({"replicas": {"min": 2, "max": 9}}, "STRICT_PACK", 2),
    ],
)
def test_every_worker_has_a_gpu_and_only_a_pipeline_leaves_its_node(
    keys: dict[str, Any], strategy: str, gpus: int
) -> None:
    assert placement(block(**keys), on_cpu=False) == {"bundle_per_worker": {"GPU": 1}, "strategy": strategy}
    assert resources(block(**keys), on_cpu=False)["GPU"] == gpus


def test_engines_are_started_as_ours_are_but_for_what_ray_sets() -> None:
    """Sampling defaults that a model's own files hold stay out of it."""
    found = engine_options(block(tensor_parallel=2, revision="abc", engine={"max_model_len": 4096}), False)
    assert not {"model", "distributed_executor_backend"} & found.keys()
    assert found["generation_config"] == "vllm"
    assert found["max_num_seqs"] == 256
    assert (found["tensor_parallel_size"], found["pipeline_parallel_size"]) == (2, 1)
    assert (found["revision"], found["max_model_len"]) == ("abc", 4096)
    assert engine_options(block(), on_cpu=True)["dtype"] == "float32"
