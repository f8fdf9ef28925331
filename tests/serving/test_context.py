"""What is known of a prompt's room before any engine starts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from protocols.dialogue import Message
from serving.blocks import ModelBlock
from serving.context import context_limit, least_tokens, prompt_tokens
from serving.errors import ModelError

Read = Callable[..., ModelBlock]
SHORT = (Message("system", "You judge."), Message("user", "Who is at fault?"))


def test_the_limit_is_the_models_own_or_a_lower_one(tiny: Path, read_block: Read) -> None:
    assert context_limit(read_block(backend="vllm", model="tiny")) == 8192
    for asked, limit in ((512, 512), (10_000, 8192), (-1, 8192)):
        assert (
            context_limit(read_block(backend="vllm", model="tiny", engine={"max_model_len": asked})) == limit
        )


def test_tokens_are_counted_with_the_chat_template(tiny: Path, read_block: Read) -> None:
    block = read_block(backend="vllm", model="tiny")
    words = len("You judge. Who is at fault?".split())
    tokens = prompt_tokens(block, SHORT)
    assert tokens is not None
    assert tokens > words + 10
    longer = prompt_tokens(block, (*SHORT, Message("assistant", "NTA")))
    assert longer is not None
    assert longer > tokens


@pytest.mark.parametrize(
    "block",
    [
        {"backend": "simulated"},
        {"backend": "scripted", "replies": [{"text": "NTA"}]},
        {"backend": "vllm", "model": "org/on-some-hub"},
    ],
    ids=lambda block: str(block["backend"]),
)
def test_what_cannot_be_known_here_is_none(block: dict[str, object], read_block: Read) -> None:
    model = read_block(**block)
    assert (context_limit(model), prompt_tokens(model, SHORT)) == (None, None)


def test_a_folder_without_a_chat_template_is_refused(tiny: Path, tmp_path: Path, read_block: Read) -> None:
    folder = tmp_path / "base"
    shutil.copytree(tiny, folder)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps(settings | {"chat_template": None}))
    with pytest.raises(ModelError, match="has no chat template; choose an instruction-tuned model"):
        prompt_tokens(read_block(backend="vllm", model=str(folder)), SHORT)


def test_a_separate_template_file_counts_and_so_does_the_default_among_several(
    tiny: Path, tmp_path: Path, read_block: Read
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny, folder)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    several = [
        {"name": "default", "template": "{{ messages[-1].content }}"},
        {"name": "tools", "template": "x"},
    ]
    (folder / "tokenizer_config.json").write_text(json.dumps(settings | {"chat_template": several}))
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "model"
    shutil.copytree(folder, other)
    (other / "chat_template.jinja").write_text("{{ messages[-1].content }} {{ messages[-1].content }}")
    once = prompt_tokens(read_block(backend="vllm", model=str(folder)), SHORT[1:])
    twice = prompt_tokens(read_block(backend="vllm", model=str(other)), SHORT[1:])
    assert (once, twice) == (5, 10)


def test_of_a_remote_model_the_block_tells_the_limit_and_words_the_least(read_block: Read) -> None:
    block = read_block(backend="openai", model="m", context=1024)
    assert context_limit(block) == 1024
    assert context_limit(read_block(backend="openai", model="m")) is None
    assert prompt_tokens(block, SHORT) is None
    assert least_tokens(block, SHORT) == len("You judge. Who is at fault?".split())


def test_what_is_certain_of_a_prompt_is_its_count_where_there_is_one(tiny: Path, read_block: Read) -> None:
    block = read_block(backend="vllm", model="tiny")
    assert least_tokens(block, SHORT) == prompt_tokens(block, SHORT)
    assert least_tokens(read_block(backend="simulated"), SHORT) == 0
