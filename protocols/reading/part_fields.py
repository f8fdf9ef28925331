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

    A list is its texts on lines; an object is no part. Of what was cut, prose is kept as far as it goes.
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
            said = _said(page, tree, member)
            cut = member.kind == "cut" and name in CHOICES
            if depth == top and said is not None and not cut:
                parts.append(Part(name, own, member.span, said))
    return parts


def _said(page: Surface, tree: JsonTree, member: Member) -> str | None:
    """What a member says as text; None for an object."""
    if member.kind == "null":
        return ""
    array = tree.arrays.get(member.span[0]) if member.kind == "other" else None
    if array:
        texts = [element for element in array.elements if element.kind in ("text", "cut")]
        return "\n".join(_text(page, element) for element in texts)
    if member.kind == "other" and member.span[0] == member.span[1]:
        return None
    return _text(page, member)


def _text(page: Surface, member: Member) -> str:
    return unescaped(page.written(*member.span), member.kind == "cut").strip()
