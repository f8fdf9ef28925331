"""The converted SmolLM2 is the real model: it writes sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocols.dialogue import Message
from serving.folder_chat import folder_chat

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("default")]


def test_smollm2_knows_the_capital_of_france(smollm2: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    chat = folder_chat(smollm2)
    assert chat is not None
    question = (
        Message("system", "Answer in one sentence."),
        Message("user", "What is the capital of France?"),
    )
    prompt = torch.tensor([chat.prompt(question)])
    model = AutoModelForCausalLM.from_pretrained(smollm2, dtype=torch.float32)
    written = model.generate(
        prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=16, do_sample=False
    )
    text = AutoTokenizer.from_pretrained(smollm2).decode(written[0, prompt.shape[1] :])
    assert "Paris" in text
