"""An option's own text in the place of its letter."""

import re
import unicodedata
from collections.abc import Sequence

_WRAPPED = re.compile(
    r"\\\((.*)\\\)|\\\[(.*)\\\]|\\(?:boxed|text|mathrm|mathbf)\{([^{}]*)\}|\\boxed\{(.*)\}"
    r"|\$\$(.*)\$\$|\$(.*)\$|\*\*(.*)\*\*|\*(.*)\*|__(.*)__|`(.*)`|\"(.*)\"|“(.*)”|'(.*)'|<\w+>(.*)</\w+>",
    re.DOTALL,
)


class OptionTexts:
    """The texts of a question's options, to be recognised where a letter was asked for."""

    def __init__(self, labels: Sequence[str], texts: Sequence[str]) -> None:
        self._options = [
            (plain, label) for label, text in zip(labels, texts, strict=False) if (plain := _plain(text))
        ]
        self._longest = 2 * max((len(text) for text in texts), default=0) + 80

    def label(self, said: str) -> str | None:
        """The label of the one option whose text is exactly `said`; None if none or several are.

        White space, Markdown, LaTeX and quotation marks around the whole, a final stop and typographic forms
        of quotation marks and minus signs do not matter; letter case matters only between options that differ
        in nothing else.
        """
        if not self._options or len(said) > self._longest:
            return None
        wanted = _plain(said)
        exact = {label for text, label in self._options if text == wanted}
        folded = {label for text, label in self._options if text.casefold() == wanted.casefold()}
        found = exact or folded
        return found.pop() if len(found) == 1 else None

    def begins(self, said: str) -> bool:
        """Whether `said` may be the beginning of an option's text."""
        if not self._options or len(said) > self._longest:
            return False
        wanted = _plain(said).casefold()
        return any(text.casefold().startswith(wanted) for text, _ in self._options)


def _plain(text: str) -> str:
    visible = "".join(c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c) != "Cf")
    plain = " ".join(visible.translate(str.maketrans("‘’“”−", "''\"\"-")).split())
    while True:
        inner = _unwrapped(plain)
        if inner == plain:
            return plain
        plain = inner


def _unwrapped(text: str) -> str:
    wrapped = _WRAPPED.fullmatch(text.rstrip(".").strip())
    if wrapped and wrapped.lastindex:
        return str(wrapped[wrapped.lastindex]).strip()
    return text.rstrip(".").strip()
