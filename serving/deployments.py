"""From a model block to an application of Ray Serve LLM, as plain data until it is built.

Ray's own defaults let a billion requests into one replica and never scale; here a replica takes as many
asks as its engine puts into a batch and a quarter more, which wait in it, and another one is started when
those that there are have `BUSY` of a batch each. All asks of one debate reach the same replica by consistent
hashing over the header `x-session-id`, so that its prefix cache holds the debate; where that replica is full
they go to one of the next two on the ring.

Not verified on a GPU: the placement of engines on GPUs and over several nodes.
"""

from __future__ import annotations

import math
from typing import Any

from serving.catalogue import resolve
from serving.serve_block import Scale, ServeBlock
from serving.vllm_arguments import engine_arguments, environment, prepare_environment

BUSY = 0.8  # of a batch: asks for each replica at which one more is started
WAITING = 1.25  # of a batch: asks that one replica takes
ROUTER = "ray.serve.experimental.consistent_hash_router.ConsistentHashRouter"
FALLBACKS = 2  # replicas that are asked in place of one that is full
MOST_LOGPROBS = 21  # vLLM's 20 and the token that was drawn, which its server counts as one of them
RAYS_OWN = ("model", "distributed_executor_backend")  # engine arguments
FETCH = "serving.fetch_callback.FetchOnce"
INGRESS_SERVES = 8  # engines for each process that passes requests on to them
DOWNSCALE_SECONDS = 600.0  # an engine that is needed again takes minutes to start


def llm_options(block: ServeBlock, on_cpu: bool) -> dict[str, Any]:
    """What Ray's LLMConfig is made of. Raises `ModelError` for a model that cannot be had."""
    return {
        "model_loading_config": {"model_id": block.served_name, "model_source": resolve(block.model)},
        "engine_kwargs": engine_options(block, on_cpu),
        "accelerator_config": {"kind": "cpu" if on_cpu else "gpu"},
        "placement_group_config": placement(block, on_cpu),
        "deployment_config": deployment_options(block, on_cpu),
        "runtime_env": {"env_vars": environment(block)},
        "callback_config": {
            "callback_class": FETCH,
            "callback_kwargs": {"model": block.model, "revision": block.revision},
        },
    }


def engine_options(block: ServeBlock, on_cpu: bool) -> dict[str, object]:
    """The arguments of the engines: those of an engine in a process of ours, but for what Ray sets.

    The sampling defaults of a model's own generation_config.json stay out of it, as they do there, and
    replies tell how much of their prompt was in the cache.
    """
    arguments = engine_arguments(block, on_cpu)
    return {
        **{name: value for name, value in arguments.items() if name not in RAYS_OWN},
        "pipeline_parallel_size": block.pipeline_parallel,
        "max_num_seqs": block.max_num_seqs,
        "max_logprobs": arguments.get("max_logprobs", MOST_LOGPROBS),
        "generation_config": "vllm",
        "enable_prompt_tokens_details": True,
    }


def placement(block: ServeBlock, on_cpu: bool) -> dict[str, Any]:
    """Where the workers of one replica stand: each on a GPU of its own, all on one node where they fit.

    With pipeline parallelism nodes may be several, filled one after the other.
    """
    return {
        "bundle_per_worker": {"CPU": 1} if on_cpu else {"GPU": 1},
        "strategy": "STRICT_PACK" if block.pipeline_parallel == 1 else "PACK",
    }


def deployment_options(block: ServeBlock, on_cpu: bool) -> dict[str, Any]:
    """How many replicas there are, how much each takes, and which one an ask goes to."""
    return {
        **_replicas(block),
        "max_ongoing_requests": math.ceil(block.max_num_seqs * WAITING),
        "request_router_config": {
            "request_router_class": ROUTER,
            "request_router_kwargs": {"num_fallback_replicas": FALLBACKS},
        },
        "ray_actor_options": {"num_cpus": 0 if on_cpu else 1},
        "health_check_timeout_s": 60.0,
        "graceful_shutdown_timeout_s": 20.0,
        "max_constructor_retry_count": 1,  # what an engine does not start of is mostly there again
    }


def ingress_options(block: ServeBlock, on_cpu: bool) -> dict[str, Any]:
    """Of the processes that pass requests on."""
    return {
        "num_replicas": math.ceil(block.most / INGRESS_SERVES),
        "max_ongoing_requests": block.asks + 100,  # and people who look
        "ray_actor_options": {"num_cpus": 0 if on_cpu else 1},
    }


def resources(block: ServeBlock, on_cpu: bool) -> dict[str, float]:
    """What the cluster must have for the fewest replicas."""
    workers = block.tensor_parallel * block.pipeline_parallel * block.least
    if on_cpu:
        return {"CPU": workers}
    return {"GPU": workers, "CPU": block.least + math.ceil(block.most / INGRESS_SERVES)}


def build(block: ServeBlock, on_cpu: bool) -> Any:
    """The application. Imports Ray Serve LLM, and with it vllm and torch."""
    prepare_environment(block)
    from ray.serve.llm import LLMConfig, build_openai_app

    return build_openai_app(
        {
            "llm_configs": [LLMConfig(**llm_options(block, on_cpu))],
            "ingress_deployment_config": ingress_options(block, on_cpu),
        }
    )


def _replicas(block: ServeBlock) -> dict[str, Any]:
    if not isinstance(block.replicas, Scale):
        return {"num_replicas": block.replicas}
    scaling = {
        "min_replicas": block.replicas.min,
        "max_replicas": block.replicas.max,
        "target_ongoing_requests": max(1, round(block.max_num_seqs * BUSY)),
        "downscale_delay_s": DOWNSCALE_SECONDS,
    }
    return {"autoscaling_config": scaling}
