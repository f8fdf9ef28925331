"""An API key in memory: sent, and nowhere shown."""

from __future__ import annotations

import os

from serving.errors import AuthError

HIDDEN = "[key]"
SECRET = 12  # characters of the shortest key that is a secret; servers without keys are sent words like EMPTY


class Key:
    """A key from an environment variable; empty where none is used. It cannot be pickled."""

    __slots__ = ("_value", "name")

    def __init__(self, name: str | None) -> None:
        self.name = name
        self._value = "" if name is None else os.environ.get(name, "").strip()

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
        """`text` without the key, as it is or as JSON may write it. What is too short to be secret stays."""
        if len(self._value) < SECRET:
            return text
        return text.replace(self._value, HIDDEN).replace(self._value.replace("/", r"\/"), HIDDEN)

    def __repr__(self) -> str:
        return f"Key({self.name!r})"

    def __reduce__(self) -> str:
        raise TypeError("a key stays in the process that read it")
