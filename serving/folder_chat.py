"""The chat of a model folder, read with `tokenizers` and `jinja2` alone: a third of a second, not ten."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from serving.chat import Chat, control_tokens
from serving.errors import ModelError


@lru_cache(maxsize=8)
def folder_chat(folder: Path) -> Chat | None:
    """How the model in `folder` is spoken to; None where this cannot be told without its engine.

    Raises `ModelError` for a model without a chat template.
    """
    readable = (folder / "tokenizer.json").is_file() and (folder / "tokenizer_config.json").is_file()
    if not readable or not (find_spec("tokenizers") and find_spec("jinja2")):
        return None
    from jinja2 import TemplateSyntaxError
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    settings = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))
    template = chat_template(folder, settings)
    try:
        write = template_writer(template, special_texts(settings))
    except TemplateSyntaxError:
        return None  # transformers knows tags that plain jinja2 does not
    added = tokenizer.get_added_tokens_decoder().items()
    return Chat(
        write=write,
        encode=lambda text: tokenizer.encode(text, add_special_tokens=False).ids,
        control=control_tokens(((id, token.content, token.special) for id, token in added), template),
    )


def chat_template(folder: Path, settings: dict[str, object]) -> str:
    """The default template: chat_template.jinja, else the one in tokenizer_config.json or its default."""
    separate = folder / "chat_template.jinja"
    template = separate.read_text("utf-8") if separate.is_file() else settings.get("chat_template")
    if isinstance(template, list):
        template = {entry["name"]: entry["template"] for entry in template}.get("default")
    if not isinstance(template, str):
        raise ModelError(f"the model in '{folder}' has no chat template; choose an instruction-tuned model")
    return template


def special_texts(settings: dict[str, object]) -> dict[str, str]:
    """The texts of bos_token, eos_token and their like, which templates name."""
    named = {key: value for key, value in settings.items() if key.endswith("_token")}
    texts = {key: value.get("content") if isinstance(value, dict) else value for key, value in named.items()}
    return {key: text for key, text in texts.items() if isinstance(text, str)}


def template_writer(template: str, special: dict[str, str]) -> Callable[[list[dict[str, str]]], str]:
    """Renders as transformers does: sandboxed, blocks trimmed, with the same few extra functions."""
    from jinja2 import TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def refuse(reason: str) -> str:
        raise TemplateError(reason)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.globals["raise_exception"] = refuse
    environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    environment.filters["tojson"] = lambda value, **kw: json.dumps(value, ensure_ascii=False, **kw)
    compiled = environment.from_string(template)

    def write(messages: list[dict[str, str]]) -> str:
        try:
            return compiled.render(messages=messages, add_generation_prompt=True, **special)
        except TemplateError as error:
            raise ValueError(f"the chat template refuses the messages: {error}") from None

    return write
