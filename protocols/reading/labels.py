"""What counts as a label: verdicts with their written-out names, letters of options, numbers of agents."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from protocols.answer_format import Field

_GAP = r"[\s_-]{1,3}"
_HOLE = (
    r"(?:[a@*][rs$*#@.\\–-]{0,8}\x20?h[o0*@]{1,2}l[e3*]|a(?=[s\\]{0,4}\*)[a-z*$@#\\]{2,12}|ah)"
    r"s?(?![^\W_])"
)
_YOU = r"you(?:'?re| are)"
_NAMES = {
    "NTA": rf"(?:{_YOU} )?not the {_HOLE}|you aren't the {_HOLE}|you would(?:n't| not) be the {_HOLE}",
    "YTA": rf"{_YOU} the {_HOLE}|you(?:'d| would) be the {_HOLE}",
    "ESH": r"every(?:one|body) sucks here",
    "NAH": rf"no {_HOLE} here",
    "INFO": r"not enough info(?:rmation)?",
}
_CONDITIONAL = {"NTA": "YWNBTA", "YTA": "YWBTA"}
_NAMES_BEGIN = {"NTA": "y", "INFO": "n"}  # where not with the label's own first letter

_AGENT = r"(?:agent|debater|player|speaker|participant|side|seat)"
_NEITHER = (
    rf"neither(?:{_GAP}(?:{_AGENT}|of{_GAP}(?:them|the{_GAP}(?:two|{_AGENT}s|two{_GAP}{_AGENT}s)))"
    rf"(?:{_GAP}1{_GAP}nor{_GAP}(?:{_AGENT}{_GAP})?2)?)?"
)

_FAR_EAST = r"\u2e80-\uffff"
_WORD_BEFORE = rf"(?<!(?![{_FAR_EAST}])[^\W_])(?<![^\W_]-)"
_WORD_AFTER = rf"(?!(?![{_FAR_EAST}])[^\W_]|[\u0300-\u036f]|['-][^\W_])"
_LETTER_BEFORE = r"(?<![^\W_])(?<![&+#=^°%@.\\/-])(?<![^\W_]')"
_LETTER_AFTER = r"(?![^\W_]|[\u0300-\u036f]|['&+=^@./-][^\W_]|[+#°%])"
_NUMBER_BEFORE = r"(?<![^\W_])(?<![#$€£.,:/-])"
_NUMBER_AFTER = r"(?!(?!['’]s\b)(?:[^\W_]|[\u0300-\u036f]|[.,:/^-]\d|[%°]))"
_APART = re.compile(r"[ \t*_`]*+[,;:(–—-][ \t*_`]*+")
_ABOUT = re.compile(r"(?:'s)?[ \t]++(?!(?:and|or|both|tied?|draw)\b)[^\W\d_]")
_BOUNDS = {"verdict": (_WORD_BEFORE, _WORD_AFTER), "winner": (_NUMBER_BEFORE, _NUMBER_AFTER)}
_PROSE = re.compile(r"[ \t]+(?!(?:because|since|as|is|and|or|vs|but)\b)[^\W_]")
_NAMED = re.compile(r"\b(?:option|choice)[ \t*_(]*$", re.IGNORECASE)
_SENTENCE_GOES_ON = re.compile(r"[a-z,][ \t]$")
_ENDS_LINE = re.compile(r"[ \t.)\]*_`!$}]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Found:
    """A label and the span of text it was read from."""

    label: str
    start: int
    end: int


class Labels:
    """The labels one question allows, compiled once."""

    def __init__(self, field: Field, labels: Sequence[str]) -> None:
        self.field = field
        self._canonical = {f"label{place}": label for place, label in enumerate(labels)}
        forms = {name: _forms(field, label) for name, label in self._canonical.items()}
        choices = "|".join(f"(?P<{name}>{form})" for name, form in forms.items())
        before, after = _BOUNDS.get(field, (_LETTER_BEFORE, _LETTER_AFTER))
        self._here = re.compile(rf"(?:{choices or '(?!)'}){after}", re.IGNORECASE)
        first = {label[0] for label in labels} | {_NAMES_BEGIN.get(label, label[0]) for label in labels}
        first |= set("adps") if field == "winner" else set()
        here = f"[{re.escape(''.join(sorted(first)))}]" if labels else "(?!)"  # most places are not it
        self._anywhere = re.compile(rf"(?={here}){before}(?:{choices or '(?!)'}){after}", re.IGNORECASE)

    def at(self, text: str, place: int) -> Found | None:
        """The label that stands at `place`, in any case; a one-letter word that opens a phrase is none."""
        found = self._found(self._here.match(text, place))
        return None if found is None or (self.field == "answer" and _is_word(text, found)) else found

    def mentions(self, text: str) -> Iterator[Found]:
        """Every label that stands anywhere in `text` and cannot be taken for a common word."""
        for match in self._anywhere.finditer(text):
            found = self._found(match)
            if found and _MENTION.get(self.field, _is_option)(text, found):
                yield found

    def comment(self, text: str, label: Found, following: Found) -> bool:
        """Whether a sentence about the `following` agent stands behind `label` ("1 — Agent 2 was vague")."""
        return (
            self.field == "winner"
            and _APART.fullmatch(text, label.end, following.start) is not None
            and _ABOUT.match(text, following.end) is not None
        )

    def _found(self, match: re.Match[str] | None) -> Found | None:
        if match is None or match.lastgroup is None:
            return None
        return Found(self._canonical[match.lastgroup], *match.span())


@lru_cache(maxsize=256)
def labels_of(field: Field, labels: tuple[str, ...]) -> Labels:
    """The compiled labels of a question; empty ones and repetitions are left out."""
    return Labels(field, tuple(dict.fromkeys(filter(None, labels))))


def _forms(field: Field, label: str) -> str:
    if field == "winner":
        return _NEITHER if label == "neither" else rf"(?:{_AGENT}{_GAP})?#?{re.escape(label)}"
    if field != "verdict":
        return re.escape(label)
    forms = [re.escape(label), _CONDITIONAL.get(label), _NAMES.get(label, "").replace(" ", _GAP)]
    return "|".join(filter(None, forms))


def _is_verdict(text: str, found: Found) -> bool:
    said = text[found.start : found.end]
    if found.label not in ("NAH", "INFO"):
        return True
    if len(said) == len(found.label):
        return said.isupper()
    return found.label == "NAH" or "enough" not in said


def _is_winner(text: str, found: Found) -> bool:
    """A number or "neither" is one with a word for an agent, or alone."""
    said = text[found.start : found.end]
    return len(said) > len(found.label) or (len(text) < 20 and text.strip("\n\t .*_`()$") == said)


def _is_word(text: str, found: Found) -> bool:
    said = text[found.start : found.end]
    return (said.islower() or said in "AI") and _PROSE.match(text, found.end) is not None


def _is_option(text: str, found: Found) -> bool:
    said = text[found.start : found.end]
    before = text[max(0, found.start - 12) : found.start]
    bracketed = before.endswith("(") and text.startswith(")", found.end)
    alone = len(text) < 20 and text.strip("\n\t .*_`()$") == said
    if bracketed or alone or (_NAMED.search(before) and not _is_word(text, found)):
        return True
    if said == "I":
        return not _SENTENCE_GOES_ON.search(before) and _ENDS_LINE.match(text, found.end) is not None
    return said.isupper() and (not _is_word(text, found) or _SENTENCE_GOES_ON.search(before) is not None)


_MENTION = {"verdict": _is_verdict, "winner": _is_winner}
