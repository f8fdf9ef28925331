"""From messages to the tokens of a prompt, by the model's own chat template.

What stands in a message was written by people and models: a control token of the tokenizer inside it is
broken by an invisible character, so that no message can end itself, begin another or speak as the system.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from protocols.dialogue import Message
from serving.errors import ModelError
from serving.thinking import opens_thinking

BREAKS = ("\u200b", " ")  # stands after a control token's first character: the first that works
SYSTEM, USER = "the system text", "the user text"


@dataclass(frozen=True)
class Chat:
    """How one model is spoken to.

    `write` makes the prompt's text of messages (role and content) and raises `ValueError` for a
    sequence of roles that the template does not take; `encode` gives token ids, control tokens
    recognised; `control` maps the text of each control token to its id.
    """

    write: Callable[[list[dict[str, str]]], str]
    encode: Callable[[str], list[int]]
    control: Mapping[str, int]

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        """The token ids of the prompt to answer. Raises `ValueError` where the template refuses them."""
        shown = messages if self.takes_system else folded(messages)
        harmless = [{"role": each.role, "content": self.harmless(each.content)} for each in shown]
        return self.encode(self.write(harmless))

    def check(self) -> None:
        """Raises `ModelError` where the model cannot be spoken to at all."""
        try:
            self.prompt((Message("system", SYSTEM), Message("user", USER)))
        except ValueError as error:
            raise ModelError(f"the model takes no chat of a system and a user message: {error}") from error

    def harmless(self, text: str) -> str:
        """`text` with every control token in it broken."""
        return self._broken(text, self.break_mark)

    @cached_property
    def takes_system(self) -> bool:
        """Whether the template shows a system message; some refuse it, some drop it silently."""
        try:
            text = self.write([{"role": "system", "content": SYSTEM}, {"role": "user", "content": USER}])
        except ValueError:
            return False
        return SYSTEM in text

    @cached_property
    def opens_thinking(self) -> bool:
        """Whether the template begins the reply with a thought that the model goes on with."""
        shown = [{"role": "user", "content": USER}]
        return opens_thinking(self.write(shown))

    @cached_property
    def break_mark(self) -> str:
        """What breaks control tokens. Raises `ModelError` where nothing does."""
        for mark in BREAKS:
            ids = self.encode(" ".join(self._broken(token, mark) for token in self.control))
            if not set(ids) & set(self.control.values()):
                return mark
        raise ModelError("the tokenizer reads its control tokens out of any text, however they are broken")

    def _broken(self, text: str, mark: str) -> str:
        return self._starts.sub(lambda start: start[0] + mark, text)

    @cached_property
    def _starts(self) -> re.Pattern[str]:
        """Matches the first character of every control token, also where tokens overlap."""
        if not self.control:
            return re.compile(r"(?!)")
        tokens = "|".join(map(re.escape, self.control))
        first = "".join(sorted({re.escape(token[0]) for token in self.control}))
        return re.compile(rf"(?=[{first}])(?={tokens}).", re.DOTALL)


def folded(messages: Sequence[Message]) -> list[Message]:
    """The messages with the system text at the head of the first user message."""
    system = [message.content for message in messages if message.role == "system"]
    rest = [message for message in messages if message.role != "system"]
    if system and rest and rest[0].role == "user":
        return [Message("user", "\n\n".join([*system, rest[0].content])), *rest[1:]]
    return [*(Message("user", text) for text in system), *rest]


def control_tokens(added: Iterable[tuple[int, str, bool]], template: str) -> dict[str, int]:
    """The control tokens among a tokenizer's added tokens, given as (id, text, special).

    They are the special ones, and those that the chat template itself writes. White space never is one.
    """
    return {text: number for number, text, special in added if text.strip() and (special or text in template)}
