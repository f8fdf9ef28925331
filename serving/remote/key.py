"""An API key in memory: sent, and nowhere shown."""

from __future__ import annotations

import os
import re

from serving.errors import AuthError

HIDDEN = "[key]"
SECRET = 12  # characters of the shortest key that is a secret; servers without keys are sent words like EMPTY
PERCENT = re.compile("%[0-9A-Fa-f]{2}")


class Key:
    """A key from an environment variable; empty where none is used. It cannot be pickled."""

    __slots__ = ("_disguised", "_value", "name")

    def __init__(self, name: str | None) -> None:
        self.name = name
        self._value = "" if name is None else os.environ.get(name, "").strip()
        self._disguised = re.compile("".join(map(_written, self._value)))

    @classmethod
    def read(cls, name: str | None) -> Key:
        """The key in the variable `name`. Raises `AuthError` where it holds none that can be sent."""
        key = cls(name)
        where = f"the environment variable {name}"
        if name is not None and not key._value:
            raise AuthError(f"{where} is not set where this model's agent runs; expected the API key there")
        if not key._value.isascii() or not key._value.isprintable():
            raise AuthError(f"{where} holds characters that no key has; expected the API key there")
        return key

    @property
    def secret(self) -> str:
        """The key itself, for the client that sends it."""
        return self._value

    def scrub(self, text: str) -> str:
        """`text` without the key, as it is or as JSON, an address or HTML may write each of its characters.

        JSON that is read after this holds it nowhere. What is too short to be secret stays.
        """
        if len(self._value) < SECRET:
            return text
        plain = text.replace(self._value, HIDDEN)
        if any(mark in plain for mark in self._marks) or PERCENT.search(plain):
            return self._disguised.sub(HIDDEN, plain)
        return plain

    @property
    def _marks(self) -> tuple[str, ...]:
        """What stands in every text that holds the key in disguise, but for percent signs."""
        return "\\u00", "&#", "\0", *("\\" + sign for sign in '/\\"' if sign in self._value)

    def __repr__(self) -> str:
        return f"Key({self.name!r})"

    def __reduce__(self) -> str:
        raise TypeError("a key stays in the process that read it")


def _written(character: str) -> str:
    """A pattern of the ways to write a character of the key; JSON may be inside JSON, characters be wide."""
    code, backslashes = f"{ord(character):02x}", r"\\\\{0,7}"
    ways = (re.escape(character), backslashes + re.escape(character), rf"{backslashes}u00(?i:{code})")
    entities = (f"%(?i:{code})", f"&#0{{0,4}}{ord(character)};", f"&#[xX]0{{0,4}}(?i:{code});")
    return rf"(?:{'|'.join((*ways, *entities))})(?:\0|{backslashes}u0000){{0,3}}"
