"""Reading the values that a labeller gives: {"values": [...]}, whole or not at all."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from protocols.reading.json_fields import own_trees, unescaped
from protocols.reading.json_scan import JsonTree, Member
from protocols.reading.question import Status
from protocols.reading.quotations import quotations
from protocols.reading.reasoning import split_reasoning
from protocols.reading.refusals import refuses
from protocols.reading.surface import Surface, surface
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

    Prose or a fence around the JSON, and names in another case or spacing, make it "repaired".
    `finish_reason` matters if it is "length" (the reply was cut) or "content_filter".
    """
    _, reply = split_reasoning(text)
    page = surface(reply)
    cut = finish_reason == "length"
    outcomes = _outcomes(page, cut) or _outcomes(_as_object(page), cut)
    if not outcomes:
        return ValuesReading(_without(page.text, cut, finish_reason), None)
    said = outcomes.pop() if len(outcomes) == 1 else "invalid"
    if isinstance(said, str):
        return ValuesReading("refusal" if finish_reason == "content_filter" else said, None)
    return _known(said, {normal(name): name for name in names}, reply)


def _outcomes(page: Surface, cut: bool) -> set[Said | Status]:
    """What every member of the field says, in whatever object it stands."""
    return {
        _said(page, tree, member, cut)
        for tree in own_trees(page.text, quotations(page.text))
        for inner in tree.objects
        for member in inner.members
        if member.key.strip().casefold() == FIELD
    }


def _as_object(page: Surface) -> Surface:
    """A reply that is a list and nothing before it, as the object that it was to stand in; else nothing."""
    bare = _BARE_LIST.match(page.text)
    return surface(f'{{"{FIELD}":{page.written(bare.end(), len(page.text))}' if bare else "")


def _said(page: Surface, tree: JsonTree, member: Member, cut: bool) -> Said | Status:
    """The words given for the values, or why there are none to be had."""
    if member.kind == "text":
        return (_words(page, member),)
    if member.kind == "null":
        return "missing"
    array = tree.arrays.get(member.span[0])
    if member.kind == "cut" or (array and not array.closed):
        return "truncated" if cut else "invalid"
    if array is None or any(element.kind != "text" for element in array.elements):
        return "invalid"
    return tuple(_words(page, element) for element in array.elements)


def _words(page: Surface, member: Member) -> str:
    return unescaped(page.written(*member.span))


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
