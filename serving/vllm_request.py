"""One ask in vLLM's terms: its chat, its sampling parameters, and the reply that an output makes."""

from __future__ import annotations

import json
import time

from jinja2 import TemplateError
from transformers import PreTrainedTokenizerBase
from vllm import RequestOutput, SamplingParams
from vllm.logprobs import Logprob
from vllm.sampling_params import RequestOutputKind, StructuredOutputsParams

from protocols.answer_format import AnswerFormat
from protocols.dialogue import FinishReason, Reply, Sampling
from serving.chat import Chat, control_tokens
from serving.errors import ModelError, TransportError

FINISH_REASONS: dict[str, FinishReason] = {"stop": "stop", "length": "length"}


def sampling_parameters(sampling: Sampling, form: AnswerFormat, seed: int) -> SamplingParams:
    """What vLLM is told of one ask. Raises vLLM's error for values that it does not take."""
    return SamplingParams(
        **dict(sampling.extra),
        temperature=sampling.temperature,
        top_p=sampling.top_p,
        max_tokens=sampling.max_tokens,
        seed=seed,
        skip_clone=True,  # made for this ask alone
        structured_outputs=None if form.schema is None else StructuredOutputsParams(json=form.schema),
        output_kind=RequestOutputKind.FINAL_ONLY,
    )


def reply(model: str, output: RequestOutput, elapsed: float) -> Reply:
    """The reply that an output makes. Raises `TransportError` where the engine broke it off."""
    completion = output.outputs[0]
    if completion.finish_reason not in FINISH_REASONS:
        raise TransportError(f"{model}: the engine ended the reply by '{completion.finish_reason}'")
    times = output.metrics
    seconds = times.last_token_ts - times.scheduled_ts if times is not None else elapsed
    return Reply(
        text=completion.text,
        finish_reason=FINISH_REASONS[completion.finish_reason],
        model=model,
        provider="vllm",
        prompt_tokens=len(output.prompt_token_ids or ()),
        cached_tokens=output.num_cached_tokens,
        completion_tokens=len(completion.token_ids),
        logprobs=_logprobs_text(completion.logprobs),
        seconds=seconds,
        wait_seconds=max(0.0, elapsed - seconds),
        time=time.time(),
    )


def tokenizer_chat(model: str, tokenizer: PreTrainedTokenizerBase) -> Chat:
    """How a model is spoken to, by its own tokenizer. Raises `ModelError` for one without a chat template."""
    if tokenizer.chat_template is None:
        raise ModelError(f"model '{model}' has no chat template; choose an instruction-tuned model")
    template = tokenizer.get_chat_template()

    def write(messages: list[dict[str, str]]) -> str:
        try:
            return str(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))
        except TemplateError as error:
            raise ValueError(f"the chat template refuses the messages: {error}") from None

    added = tokenizer.added_tokens_decoder.items()
    return Chat(
        write=write,
        encode=lambda text: list(tokenizer.encode(text, add_special_tokens=False)),
        control=control_tokens(((id, token.content, token.special) for id, token in added), template),
    )


def _logprobs_text(logprobs: list[dict[int, Logprob]] | None) -> str | None:
    """Per token written, its candidates as [text, log-probability]; None where none were asked for."""
    if logprobs is None:
        return None
    return json.dumps([[[each.decoded_token, each.logprob] for each in token.values()] for token in logprobs])
