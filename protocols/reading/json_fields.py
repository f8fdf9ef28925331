"""The fields of a structured reply: its verdict or answer, and its explanation."""

import re
from collections.abc import Iterator, Sequence

from protocols.answer_format import Field
from protocols.reading.answer_lines import phrase
from protocols.reading.json_scan import JsonObject, JsonTree, Member, json_trees
from protocols.reading.quotations import Quotations

_EXPLANATIONS = ("explanation", "argument", "reasoning", "rationale", "justification", "reason", "analysis")
_INSTEAD: dict[Field, Field] = {"verdict": "answer", "answer": "verdict"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([\"'/\\bfnrt])|(u[0-9a-fA-F]{0,3})?\Z)")
_CONTROL = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def own_trees(text: str, quoted: Quotations) -> list[JsonTree]:
    """The JSON objects of a reply that do not stand in a line quoted by `>`."""
    return [tree for tree in json_trees(text) if not quoted.in_line(tree.span[0])]


def deciding_objects(trees: Sequence[JsonTree], field: Field) -> Iterator[tuple[JsonObject, list[Member]]]:
    """Of each tree the outermost objects that have the asked field, each with that field's members.

    Where no tree has the asked field "verdict", "answer" is taken for it, and the other way round.
    """
    for word in (field, _INSTEAD.get(field)):
        found = [pair for tree in trees for pair in _outermost(tree, word)] if word else []
        if found:
            yield from found
            return


def explanation_member(objects: Sequence[JsonObject]) -> Member | None:
    """The explanation in the last of `objects` that has one; "explanation" goes before its synonyms."""
    for inner in reversed(objects):
        for name in _EXPLANATIONS:
            for member in inner.members:
                if member.key.strip().casefold() == name:
                    return member
    return None


def unescaped(written: str, cut: bool = False) -> str:
    """The text behind a JSON string, also of one that was `cut`, in the middle of an escape perhaps."""
    return _ESCAPE.sub(_character, written.rstrip().removesuffix("```") if cut else written)


def _outermost(tree: JsonTree, word: Field) -> list[tuple[JsonObject, list[Member]]]:
    holders = [(inner, members) for inner in tree.objects if (members := _asked(inner, word))]
    top = min((inner.depth for inner, _ in holders), default=0)
    return [(inner, members) for inner, members in holders if inner.depth == top]


def _asked(inner: JsonObject, word: Field) -> list[Member]:
    keys = [(member, member.key.strip().casefold()) for member in inner.members if member.kind != "cut"]
    return [member for member, key in keys if key.endswith(word) and phrase(word).fullmatch(key)]


def _character(escape: re.Match[str]) -> str:
    if escape[1]:
        return chr(int(escape[1], 16))
    if escape[2]:
        return _CONTROL.get(escape[2], escape[2])
    return ""
