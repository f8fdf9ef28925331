"""What is left of a reply when passages are cut out of it."""

import re
from collections.abc import Iterable

from protocols.reading.surface import Surface

_EMPTY_FENCE = re.compile(r"```\w*\s*```")


def without(page: Surface, spans: Iterable[tuple[int, int]]) -> str:
    """The writer's text with `spans` cut out, and the lines, fences and bold marks that this leaves empty."""
    kept: list[str] = []
    place = 0
    cut = ""
    for start, end in [*sorted(spans), (len(page.text), len(page.text))]:
        following = page.written(place, max(place, start)).replace("**", "", cut.count("**") % 2)
        if kept and kept[-1].endswith("\n"):
            following = following.lstrip("\r\n")
        kept += filter(None, [following])
        cut = page.written(start, end)
        place = max(place, end)
    return _EMPTY_FENCE.sub("", "".join(kept)).strip()
