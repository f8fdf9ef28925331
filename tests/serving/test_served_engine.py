"""What Ray Serve LLM and vLLM make of our blocks: their own checks, and their parsers of thoughts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from serving.chat import Chat
from serving.deployments import llm_options
from serving.errors import ModelError
from serving.serve_block import ServeBlock

pytestmark = [
    pytest.mark.engine,
    pytest.mark.timeout(300),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

THOUGHT, SAID = "He lied.", "YTA"


def block(tiny: Path, **keys: Any) -> ServeBlock:
    return ServeBlock.model_validate({"backend": "serve", "model": str(tiny), **keys})


@pytest.mark.parametrize(
    ("keys", "on_cpu", "bundles", "strategy", "executor"),
    [
        ({}, True, [{"CPU": 1}], "STRICT_PACK", "mp"),
        ({"tensor_parallel": 4}, False, [{"GPU": 1}] * 4, "STRICT_PACK", "ray"),
        ({"tensor_parallel": 8, "pipeline_parallel": 2}, False, [{"GPU": 1}] * 16, "PACK", "ray"),
        ({"replicas": {"min": 1, "max": 4}}, False, [{"GPU": 1}], "STRICT_PACK", "ray"),
    ],
)
def test_ray_reads_the_options_as_they_are_meant(
    keys: dict[str, Any],
    on_cpu: bool,
    bundles: list[dict[str, int]],
    strategy: str,
    executor: str,
    tiny: Path,
) -> None:
    from ray.serve.llm import LLMConfig

    config = LLMConfig(**llm_options(block(tiny, **keys), on_cpu))
    engine = config.get_engine_config()
    assert (engine.placement_bundles, engine.placement_strategy) == (bundles, strategy)
    arguments = engine.get_initialization_kwargs()
    assert arguments["distributed_executor_backend"] == executor
    assert arguments["model"] == str(tiny)
    assert engine.frontend_kwargs == {"enable_prompt_tokens_details": True}
    assert 0 < config.deployment_config["max_ongoing_requests"] < 1_000


def thinking_tokenizer(tiny: Path) -> Any:
    """The tiny model's tokenizer, with the tokens of a thought."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tiny)
    tokenizer.add_tokens(["<think>", "</think>"])
    return tokenizer


SPEECHLESS = Chat(write=lambda _: "<assistant>", encode=lambda _: [], control={})
THINKING = Chat(write=lambda _: "<assistant><think>\n", encode=lambda _: [], control={})


@pytest.mark.parametrize(
    ("text", "thought", "said"),
    [
        (f"<think>{THOUGHT}</think>{SAID}", THOUGHT, SAID),
        (f"{THOUGHT}</think>{SAID}", THOUGHT, SAID),
        (f"<think></think>{SAID}", "", SAID),
        (f"</think>{SAID}", "", SAID),
        (f"<think>{THOUGHT}", THOUGHT, ""),
        (THOUGHT, THOUGHT, ""),  # cut off; the template had opened it
    ],
)
def test_an_engine_of_ours_parts_thoughts_by_the_parser_that_its_block_names(
    text: str, thought: str, said: str, tiny: Path
) -> None:
    from serving.vllm_reasoning import parting

    r1 = block(tiny, engine={"reasoning_parser": "deepseek_r1"})
    assert parting(r1, thinking_tokenizer(tiny), THINKING)(text) == (thought, said)


def test_without_a_parser_a_thought_that_the_template_opens_is_opened_in_the_reply(tiny: Path) -> None:
    from serving.vllm_reasoning import parting

    tokenizer = thinking_tokenizer(tiny)
    assert parting(block(tiny), tokenizer, THINKING)(THOUGHT) == ("", f"<think>\n{THOUGHT}")
    assert parting(block(tiny), tokenizer, SPEECHLESS)(SAID) == ("", SAID)


def test_a_parser_that_does_not_go_with_the_model_is_refused_by_name(tiny: Path) -> None:
    from transformers import AutoTokenizer

    from serving.vllm_reasoning import parting

    plain = AutoTokenizer.from_pretrained(tiny)
    with pytest.raises(ModelError, match="'deepseek_r1' does not go with this model"):
        parting(block(tiny, engine={"reasoning_parser": "deepseek_r1"}), plain, SPEECHLESS)
    with pytest.raises(ModelError, match="'deep' does not go with this model"):
        parting(block(tiny, engine={"reasoning_parser": "deep"}), plain, SPEECHLESS)
