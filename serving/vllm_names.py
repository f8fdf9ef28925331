"""Which engine arguments and sampling parameters vLLM knows, read from its source without importing it.

Importing vllm takes ten seconds and loads torch; the process that checks an experiment needs neither.
Where vllm is not installed nothing is checked here, and the engine refuses a wrong name when it starts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from importlib.util import find_spec
from pathlib import Path

OURS_ENGINE = {
    "model": "model",
    "model_weights": "model",
    "revision": "revision",
    "tensor_parallel_size": "tensor_parallel",
    "pipeline_parallel_size": "pipeline_parallel (backend: serve)",
    "data_parallel_size": "replicas",
}
OURS_SAMPLING = {"max_tokens": "max_tokens", "temperature": "temperature", "top_p": "top_p"}
NOT_SETTABLE = ("n", "seed", "structured_outputs", "output_kind", "detokenize", "skip_clone", "extra_args")


def check_engine_names(names: Iterable[str]) -> None:
    """Raises `ValueError` for a name that no engine argument has, or that the block itself sets."""
    for name in names:
        if name in OURS_ENGINE:
            raise ValueError(f"'{name}' is set by the block's own key '{OURS_ENGINE[name]}'")
        _check_known(name, _fields("engine/arg_utils.py", "EngineArgs", "AsyncEngineArgs"), "engine argument")


def check_sampling_names(names: Iterable[str]) -> None:
    """Raises `ValueError` for a name that no sampling parameter has, or that is set elsewhere."""
    for name in names:
        if name in OURS_SAMPLING:
            raise ValueError(f"'{name}' is set by the block's own key '{OURS_SAMPLING[name]}'")
        if name in NOT_SETTABLE:
            raise ValueError(f"'{name}' is set for every ask and cannot be declared")
        _check_known(name, _fields("sampling_params.py", "SamplingParams"), "sampling parameter")


def check_served_names(names: Iterable[str]) -> None:
    """Raises `ValueError` for a sampling parameter that vLLM's own server takes no notice of."""
    taken = _fields("entrypoints/openai/chat_completion/protocol.py", "ChatCompletionRequest")
    for name in names:
        if taken and name not in taken:
            raise ValueError(
                f"'{name}' cannot be passed to a served model: vLLM's server does not take it; use it with"
                " backend: vllm"
            )


def _check_known(name: str, known: frozenset[str], kind: str) -> None:
    if known and name not in known:
        near = get_close_matches(name, sorted(known), n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "see the documentation of vLLM"
        raise ValueError(f"vLLM has no {kind} '{name}'; {hint}")


@cache
def _fields(file: str, *classes: str) -> frozenset[str]:
    """The public annotated fields of classes in a source file of vllm; none where it is not installed."""
    spec = find_spec("vllm")
    if spec is None or spec.origin is None:
        return frozenset()
    source = Path(spec.origin).parent / file
    bodies = [
        node.body
        for node in ast.parse(source.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name in classes
    ]
    return frozenset(
        line.target.id
        for body in bodies
        for line in body
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and line.target.id[0] != "_"
    )
