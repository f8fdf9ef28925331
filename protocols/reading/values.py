"""Reading the values that a labeller gives: {"values": [...]}, whole or not at all."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from protocols.reading.json_fields import own_trees, unescaped
from protocols.reading.json_scan import JsonArray, JsonTree, Member, json_lists
from protocols.reading.question import Status
from protocols.reading.quotations import quotations
from protocols.reading.reasoning import split_reasoning
from protocols.reading.refusals import refuses
from protocols.reading.surface import Surface, encodable, surface
from protocols.values.value import MOST_VALUES, normal

FIELD = "values"

ValuesStatus: TypeAlias = Status | Literal["unknown", "too_many"]
Said: TypeAlias = tuple[str, ...]

_BARE_LIST = re.compile(r"\s*(?:```\w*\s*)?(?=\[)")


@dataclass(frozen=True, slots=True)
class ValuesReading:
    """What a labeller's reply says.

    `values` are names of the list asked for, distinct and sorted, maybe none, if `status` is "ok" or
    "repaired". It is None otherwise: "unknown" is a name that is not in the list, "too_many" more than
    `MOST_VALUES` of them, the others are as in `Reading`.
    """

    status: ValuesStatus
    values: Said | None


def read_values(text: str, finish_reason: str, names: Sequence[str]) -> ValuesReading:
    """Read a reply of any length and content; nothing is guessed and nothing raises.

    Prose or a fence around the JSON, and names in another case or spacing, make it "repaired". Values that
    are given twice, as another set, are "invalid".
    `finish_reason` matters if it is "length" (the reply was cut) or "content_filter".
    """
    _, reply = split_reasoning(text)
    page = surface(reply)
    cut = finish_reason == "length"
    given = _given(page, cut) or _listed(page, cut)
    if not given:
        return ValuesReading(_without(page.text, cut, finish_reason), None)
    outcomes = {_told(said): said for said in given}
    said = given[0] if len(outcomes) == 1 else "invalid"
    if isinstance(said, str):
        return ValuesReading("refusal" if finish_reason == "content_filter" else said, None)
    return _known(said, {normal(name): name for name in names}, reply)


def _given(page: Surface, cut: bool) -> list[Said | Status]:
    """What every member of the field says, in whatever object it stands."""
    return [
        _said(page, tree, member, cut)
        for tree in own_trees(page.text, quotations(page.text))
        for inner in tree.objects
        for member in inner.members
        if member.key.strip().casefold() == FIELD
    ]


def _listed(page: Surface, cut: bool) -> list[Said | Status]:
    """What the lists say in a reply that begins with one; in any other, lists are not meant as an answer."""
    bare = _BARE_LIST.match(page.text)
    if not bare:
        return []
    quoted = quotations(page.text)
    trees = json_lists(page.text, bare.end())
    return [
        _elements(page, tree.arrays[tree.span[0]], cut) for tree in trees if not quoted.in_line(tree.span[0])
    ]


def _said(page: Surface, tree: JsonTree, member: Member, cut: bool) -> Said | Status:
    """The words given for the values, or why there are none to be had."""
    if member.kind == "text":
        return (_words(page, member),)
    if member.kind == "null":
        return "missing"
    if member.kind == "cut":
        return "truncated" if cut else "invalid"
    array = tree.arrays.get(member.span[0])
    return _elements(page, array, cut) if array else "invalid"


def _elements(page: Surface, array: JsonArray, cut: bool) -> Said | Status:
    if not array.closed:
        return "truncated" if cut else "invalid"
    if any(element.kind != "text" for element in array.elements):
        return "invalid"
    return tuple(_words(page, element) for element in array.elements)


def _told(said: Said | Status) -> frozenset[str] | Status:
    """What is the same in all that say the same."""
    return said if isinstance(said, str) else frozenset(map(normal, said))


def _words(page: Surface, member: Member) -> str:
    return encodable(unescaped(page.written(*member.span)))


def _known(said: Said, names: Mapping[str, str], reply: str) -> ValuesReading:
    keys = dict.fromkeys(map(normal, said))
    if any(key not in names for key in keys):
        return ValuesReading("unknown", None)
    if len(keys) > MOST_VALUES:
        return ValuesReading("too_many", None)
    values = tuple(names[key] for key in keys)
    kept = _plain(reply) == {FIELD: list(values)}
    return ValuesReading("ok" if kept else "repaired", tuple(sorted(values)))


def _plain(reply: str) -> object:
    """The JSON that the whole reply is; None where it is none."""
    try:
        return json.loads(reply)
    except (ValueError, RecursionError):
        return None


def _without(text: str, cut: bool, finish_reason: str) -> Status:
    """The status of a reply that has no values in it."""
    if cut:
        return "truncated"
    return "refusal" if finish_reason == "content_filter" or refuses(text) else "missing"
