"""The wording of every prompt, from text files read once at import; `Prompts` may override any of them.

Prompts put first what all seats share and last what differs, so that engines can share prefixes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib.resources import files
from string import Template

from protocols.answer_format import Field
from protocols.prompts.placeholders import NEEDED, PLACEHOLDERS, SENT

BUILTIN: dict[str, str] = {
    entry.name.removesuffix(".txt"): entry.read_text("utf-8").strip()
    for entry in sorted(files(__name__).iterdir(), key=lambda entry: entry.name)
    if entry.name.endswith(".txt")
}
QUESTION = "question_"  # sections so called replace others where a question with options is put
GOALS = ("default", "none", "balanced", "adversarial", "vanilla", "sycophantic", "anti_sycophantic")
"""The variants of steering by name; a further one is value:<label>."""


class PromptError(ValueError):
    """A prompt section that does not exist, leaves out what it must show, or uses an unknown placeholder."""


def placeholders(text: str) -> set[str]:
    """The names that a section leaves to be filled in."""
    template = Template(text)
    if not template.is_valid():
        raise PromptError("a lone '$' stands in the text; write '$$' for a dollar sign")
    return set(template.get_identifiers())


@dataclass(frozen=True)
class Prompts:
    """All sections by name.

    `overrides` replace built-in ones; each may use the placeholders of the one it replaces. Raises
    `PromptError` for an unknown section or placeholder, for a section that leaves out the case or a
    heard turn, and for an empty turn.
    """

    overrides: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, text in self.overrides.items():
            if name not in BUILTIN:
                raise PromptError(f"unknown prompt section '{name}'; known sections: {', '.join(BUILTIN)}")
            try:
                _check(name, text)
            except PromptError as error:
                raise PromptError(f"prompt section '{name}': {error}") from None

    def text(self, name: str) -> str:
        """The section as it stands, its placeholders open."""
        return self.overrides.get(name, BUILTIN[name]).strip()

    def fill(self, name: str, **values: object) -> str:
        """The section with its placeholders filled; values are never themselves expanded."""
        return Template(self.text(name)).substitute({key: str(value) for key, value in values.items()})

    def worded(self, name: str, field: Field) -> str:
        """The name of the section in its wording for questions, where the answer is one and there is such."""
        question = f"{QUESTION}{name}"
        return question if field == "answer" and question in BUILTIN else name

    def id(self, *names: str) -> str:
        """The id of a prompt: a hash of the texts it is made of, without what fills them."""
        return blake2b("\x1f".join(self.text(name) for name in names).encode(), digest_size=8).hexdigest()


def _check(name: str, text: str) -> None:
    used = placeholders(text)
    if unknown := used - PLACEHOLDERS[name]:
        raise PromptError(f"it uses {_listed(unknown)}; it may use: {_listed(PLACEHOLDERS[name])}")
    if missing := NEEDED.get(name, set()) - used:
        raise PromptError(f"it leaves out {_listed(missing)}, which nothing else shows")
    if name.removeprefix(QUESTION).startswith(SENT) and not text.strip():
        raise PromptError("it is empty, and no empty message is ever sent")


def _listed(keys: set[str]) -> str:
    return ", ".join(f"${key}" for key in sorted(keys)) or "no placeholder"
