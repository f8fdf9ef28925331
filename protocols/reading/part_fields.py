"""The parts of a reply that are members of its JSON objects."""

from collections.abc import Sequence

from protocols.answer_format import CHOICES, PartName
from protocols.reading.json_fields import unescaped
from protocols.reading.json_scan import JsonTree, Member
from protocols.reading.part_lines import Part
from protocols.reading.part_names import part_named
from protocols.reading.surface import Surface


def part_fields(page: Surface, names: Sequence[PartName], trees: Sequence[JsonTree]) -> list[Part]:
    """The parts that outermost objects have as members, in order; the span of each is that of its text.

    A list is its texts on lines; null, an object, and a level or action that was cut, are "".
    """
    parts = []
    for tree in trees:
        named = [
            (inner.depth, member, *part)
            for inner in tree.objects
            for member in inner.members
            if (part := part_named(member.key.replace("_", " "), names))
        ]
        top = min((depth for depth, *_ in named), default=0)
        for depth, member, name, own in named:
            if depth == top:
                cut = member.kind == "cut" and name in CHOICES
                parts.append(Part(name, own, member.span, "" if cut else _said(page, tree, member)))
    return parts


def _said(page: Surface, tree: JsonTree, member: Member) -> str:
    """What a member says as text."""
    array = tree.arrays.get(member.span[0]) if member.kind == "other" else None
    if array:
        texts = [element for element in array.elements if element.kind in ("text", "cut")]
        return "\n".join(_text(page, element) for element in texts)
    return "" if member.kind == "null" else _text(page, member)


def _text(page: Surface, member: Member) -> str:
    return unescaped(page.written(*member.span), member.kind == "cut").strip()
