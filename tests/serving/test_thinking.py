"""What a model thought is shown to no other seat, whichever way it thought and wherever it was answered."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from protocols.case import Case, Seat
from protocols.dialogue import Ask, Reply
from protocols.synchronous import synchronous
from serving.chat import Chat
from serving.remote.answer import Answer
from serving.remote.response import read_reply
from serving.remote_block import RemoteBlock
from serving.thinking import opened, opens_thinking

THOUGHT = "He lied to her, and I will not say so."
SAID = "She should not have read it. My current verdict: YTA"

TEXTS = {
    "a block": f"<think>{THOUGHT}</think>{SAID}",
    "a block on lines of its own": f"<think>\n{THOUGHT}\n</think>\n\n{SAID}",
    "a block that is never closed": f"<think>{THOUGHT}",
    "a block in a block": f"<think>a <think>{THOUGHT}</think> {THOUGHT}</think>{SAID}",
    "an empty block": f"<think></think>{SAID}",
    "a closing tag only": f"{THOUGHT}</think>{SAID}",
    "two blocks": f"<think>{THOUGHT}</think>{SAID}<thinking>{THOUGHT}</thinking>",
    "in capitals": f"<THINK>{THOUGHT}</THINK>{SAID}",
}
OPENED = {
    "cut off while thinking": THOUGHT,
    "closed": f"{THOUGHT}</think>{SAID}",
    "closed at once": f"</think>{SAID}",
    "opened once more by the model": f"<think>{THOUGHT}</think>{SAID}",
}


def heard(reply: Reply) -> str:
    """All that the seats are shown in the round after one in which both gave this reply."""
    seats = tuple(Seat(f"seat{n}", f"Agent {n}", model="m", system="You judge.") for n in (1, 2))
    dialogue = synchronous(Case("c", "The story of a letter.", seats), rounds=2, stop="never")
    step = next(dialogue)
    following = dialogue.send((reply,) * len(step))
    return "\n".join(message.content for ask in following for message in ask.messages)


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_tags_in_a_reply_hide_what_is_between_them(text: str) -> None:
    shown = heard(Reply(text))
    assert THOUGHT not in shown
    assert ("She should not have read it." in shown) == (SAID in text)


@pytest.mark.parametrize("text", OPENED.values(), ids=list(OPENED))
def test_a_thought_that_the_template_begins_is_hidden_up_to_its_end(text: str) -> None:
    shown = heard(Reply(opened(text), finish_reason="length" if SAID not in text else "stop"))
    assert THOUGHT not in shown
    assert ("She should not have read it." in shown) == (SAID in text)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
@pytest.mark.parametrize("said", [SAID, None])
def test_what_a_server_gives_apart_is_kept_apart(
    field: str, said: str | None, write_ask: Callable[..., Ask]
) -> None:
    """Also of a reply that ended before the thought did, whose content is null."""
    message = {"content": said, field: THOUGHT}
    body = Answer(200, {}, _completion(message, "stop" if said else "length"))
    block = RemoteBlock(backend="openai", model="m", base_url="http://host/v1")
    reply = read_reply(block, write_ask(), body, 0.1)
    assert (reply.text, reply.reasoning) == (said or "", THOUGHT)
    assert THOUGHT not in heard(reply)


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_a_server_without_a_parser_is_no_way_around(text: str, write_ask: Callable[..., Ask]) -> None:
    block = RemoteBlock(backend="openai", model="m", base_url="http://host/v1")
    reply = read_reply(block, write_ask(), Answer(200, {}, _completion({"content": text}, "stop")), 0.1)
    assert THOUGHT not in heard(reply)


@pytest.mark.parametrize(
    ("end", "opens"),
    [
        ("<assistant><think>\n", True),
        ("<assistant><think>", True),
        ("<assistant><thinking>\n\n", True),
        ("<assistant>", False),
        ("<assistant><think>\n\n</think>\n\n", False),  # as templates do that switch thinking off
        ("<think> of it </assistant>", False),
    ],
)
def test_a_template_begins_a_thought_where_its_prompt_ends_in_one(end: str, opens: bool) -> None:
    chat = Chat(write=lambda messages: messages[0]["content"] + end, encode=lambda _: [], control={})
    assert chat.opens_thinking == opens_thinking(end) == opens


def _completion(message: dict[str, object], finish: str) -> str:

    return json.dumps({"choices": [{"finish_reason": finish, "message": message}]})
