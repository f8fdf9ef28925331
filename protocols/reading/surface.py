"""The surface of a reply: a normalised text to match on, with the way back to the writer's own characters."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_APOSTROPHES = frozenset("‘’‛ʼ´′＇")
_LINE_ENDS = frozenset("\v\f\x85\u2028\u2029")
_IGNORABLE = frozenset("\u034f" + "".join(map(chr, range(0xFE00, 0xFE10))))


@dataclass(frozen=True, slots=True)
class Surface:
    """`text` is `raw` under NFKC, without format characters, with plain apostrophes and line ends.

    `origin[i]` is the place in `raw` that `text[i]` came from; its one entry more is the length of `raw`.
    """

    raw: str
    text: str
    origin: Sequence[int]

    def written(self, start: int, end: int) -> str:
        """The writer's own characters behind `text[start:end]`."""
        return self.raw[self.origin[start] : self.origin[end]]


def surface(raw: str) -> Surface:
    """Fold every character by itself.

    Characters are folded one by one because normalising a whole text orders its combining marks, which takes
    quadratic time on a hostile one.
    """
    if raw.isascii() and not any(end in raw for end in "\v\f\r"):
        return Surface(raw, raw, range(len(raw) + 1))
    folded = {character: _fold(character) for character in set(raw)}
    pieces = [folded[character] for character in raw]
    origin = [place for place, piece in enumerate(pieces) for _ in piece]
    return Surface(raw, "".join(pieces), [*origin, len(raw)])


def encodable(text: str) -> str:
    """`text` with surrogate pairs joined and lone surrogates replaced, so that it can be stored as UTF-8."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _fold(character: str) -> str:
    if character in _APOSTROPHES:
        return "'"
    if character in _LINE_ENDS:
        return "\n"
    if character == "\r":
        return " "
    if character in _IGNORABLE or unicodedata.category(character) == "Cf":
        return ""
    return unicodedata.normalize("NFKC", character)
