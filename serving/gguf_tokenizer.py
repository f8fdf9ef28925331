"""From the tokenizer inside a GGUF file to the files that Hugging Face's tokenizers read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from serving.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

CONTROL = 3  # GGUF's token type of control tokens
SINGLE_DIGITS = {"gpt-2": False, "smollm": True}  # by pre-tokenizer: whether every digit stands alone
ROLES = {"bos_token": "bos", "eos_token": "eos", "pad_token": "padding", "unk_token": "unknown"}


def write_tokenizer(metadata: Mapping[str, object], folder: Path) -> None:
    """Writes tokenizer.json and tokenizer_config.json, the chat template included.

    Raises `ModelError` for another kind of tokenizer than byte-level BPE, and for a pre-tokenizer that
    is not known here.
    """
    kind, pre = metadata.get("tokenizer.ggml.model"), metadata.get("tokenizer.ggml.pre")
    if kind != "gpt2" or pre not in SINGLE_DIGITS:
        known = ", ".join(SINGLE_DIGITS)
        raise ModelError(
            f"the GGUF file has tokenizer '{kind}', pre-tokenizer '{pre}'; expected gpt2 with {known}"
        )
    tokens = cast(Sequence[str], metadata["tokenizer.ggml.tokens"])
    tokenizer = byte_level_bpe(
        tokens, cast(Sequence[str], metadata["tokenizer.ggml.merges"]), SINGLE_DIGITS[str(pre)]
    )
    types = cast(Sequence[int], metadata["tokenizer.ggml.token_type"])
    tokenizer.add_special_tokens(
        [token for token, type in zip(tokens, types, strict=True) if type == CONTROL]
    )
    (folder / "tokenizer.json").write_text(tokenizer.to_str(), "utf-8")
    settings = tokenizer_config(metadata, tokens)
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=1), "utf-8")


def byte_level_bpe(tokens: Sequence[str], merges: Sequence[str], single_digits: bool) -> Tokenizer:
    """A byte-level BPE tokenizer; `tokens` in order of their ids, `merges` as "left right", best first."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    pairs = [cast(tuple[str, str], tuple(merge.split(" ", 1))) for merge in merges]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=pairs))
    bytes_only = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    digits = [pre_tokenizers.Digits(individual_digits=True)] if single_digits else []
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*digits, bytes_only])
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def tokenizer_config(metadata: Mapping[str, object], tokens: Sequence[str]) -> dict[str, object]:
    """What the tokenizer's special tokens are for, and how a chat is written."""
    ids = {role: metadata.get(f"tokenizer.ggml.{name}_token_id") for role, name in ROLES.items()}
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        **{role: tokens[number] for role, number in ids.items() if isinstance(number, int)},
        "add_prefix_space": False,
        "clean_up_tokenization_spaces": False,
        "model_max_length": metadata["llama.context_length"],
        "chat_template": metadata["tokenizer.chat_template"],
    }
