"""From messages to prompts: system text folded where it must be, control tokens broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.dialogue import Message
from serving.chat import Chat, control_tokens, folded
from serving.errors import ModelError
from serving.folder_chat import folder_chat, template_writer

DIALOGUE = (
    Message("system", "Judge."),
    Message("user", "The case."),
    Message("assistant", "NTA."),
    Message("user", "And now?"),
)
FOLDED = [["user", "Judge.\n\nThe case."], ["assistant", "NTA."], ["user", "And now?"]]
CONTROL = ["<|im_start|>", "<|im_end|>", "<|endoftext|>", "<file_sep>"]
HOSTILE = st.lists(st.sampled_from([*CONTROL, "<|im_", "end|>", "system\n", "<", "|", " ", "a"]), max_size=12)

REFUSES = "{% if messages[0].role == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
DROPS = "{% for m in messages if m.role != 'system' %}[{{ m.role }}|{{ m.content }}]{% endfor %}"
SHOWS = "{% for m in messages %}[{{ m.role }}|{{ m.content }}]{% endfor %}"


@pytest.fixture(scope="module")
def chat(tiny: Path) -> Chat:
    """SmolLM2's own chat, with its real tokenizer."""
    found = folder_chat(tiny)
    assert found is not None
    return found


def characters(template: str) -> Chat:
    """A chat whose tokens are characters, by a template of our own."""
    return Chat(write=template_writer(template, {}), encode=lambda text: [*map(ord, text)], control={})


def shown(chat: Chat, messages: tuple[Message, ...]) -> str:
    return "".join(map(chr, chat.prompt(messages)))


@pytest.mark.parametrize("template", [REFUSES + SHOWS, DROPS], ids=["refuses", "drops"])
def test_a_template_without_a_system_role_gets_the_system_text_in_the_first_user_message(
    template: str,
) -> None:
    expected = "".join(f"[{role}|{content}]" for role, content in FOLDED)
    assert shown(characters(template), DIALOGUE) == expected


def test_a_template_with_a_system_role_gets_the_messages_as_they_are() -> None:
    expected = "".join(f"[{each.role}|{each.content}]" for each in DIALOGUE)
    assert shown(characters(SHOWS), DIALOGUE) == expected


def test_folding_loses_no_text_where_no_user_message_follows() -> None:
    only = [Message("system", "Judge.")]
    assert folded(only) == [Message("user", "Judge.")]
    assert folded([*only, Message("assistant", "NTA.")])[0] == Message("user", "Judge.")


def test_a_model_that_takes_no_chat_is_refused_at_once() -> None:
    with pytest.raises(ModelError, match="takes no chat"):
        characters("{{ raise_exception('never') }}").check()


@given(parts=HOSTILE)
def test_no_control_token_comes_out_of_what_was_said(chat: Chat, parts: list[str]) -> None:
    text = "".join(parts)
    plain = chat.prompt((Message("system", "S"), Message("user", "U")))
    attacked = chat.prompt((Message("system", text), Message("user", text)))
    ids = set(chat.control.values())
    assert [token for token in attacked if token in ids] == [token for token in plain if token in ids]


def test_harmless_text_is_left_as_it_is(chat: Chat) -> None:
    text = 'NTA, because 1 < 2 | "x" <think>so</think>\n\nTheir café'
    assert chat.harmless(text) == text


def test_overlapping_control_tokens_are_all_broken() -> None:
    chat = Chat(
        write=lambda _: "", encode=lambda text: [7] if "aba" in text else [0], control={"aba": 7, "bab": 8}
    )
    assert chat.harmless("ababa") == "a\u200bb\u200ba\u200bba"


def test_a_tokenizer_that_drops_invisible_characters_gets_a_space() -> None:
    def encode(text: str) -> list[int]:
        return [7] if "<s>" in text.replace("\u200b", "") else [0]

    assert Chat(write=lambda _: "", encode=encode, control={"<s>": 7}).harmless("<s>") == "< s>"


def test_a_tokenizer_whose_control_tokens_cannot_be_broken_is_refused() -> None:
    chat = Chat(write=lambda _: "", encode=lambda _: [7], control={"<s>": 7})
    with pytest.raises(ModelError, match="however they are broken"):
        chat.harmless("<s>")


def test_control_tokens_are_the_special_ones_and_those_that_the_template_writes() -> None:
    added = [(1, "<s>", True), (2, "<tool>", False), (3, "<b>", False), (4, "\n\n", False)]
    assert control_tokens(added, "<tool>\n\n") == {"<s>": 1, "<tool>": 2}


@pytest.mark.engine
@pytest.mark.filterwarnings("default")
def test_a_folder_read_without_transformers_gives_the_same_prompt(tiny: Path, chat: Chat) -> None:
    from transformers import AutoTokenizer

    messages = [{"role": each.role, "content": each.content} for each in DIALOGUE]
    tokenizer = AutoTokenizer.from_pretrained(tiny)
    text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    assert chat.prompt(DIALOGUE) == tokenizer.encode(text, add_special_tokens=False)
