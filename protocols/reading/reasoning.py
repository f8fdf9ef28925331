"""What a model thought before it spoke."""

import re

_TAG = re.compile(r"<(?P<close>/?)think(?:ing)?>", re.IGNORECASE)


def split_reasoning(text: str) -> tuple[str, str]:
    """Part `text` into (reasoning, reply).

    A closing tag without an opening one makes everything before it reasoning, an opening tag without a
    closing one everything after it.

    Several blocks are joined by blank lines; a tag opened twice is closed once.
    """
    thoughts: list[str] = []
    spoken: list[str] = []
    thinking = False
    place = 0
    for tag in _TAG.finditer(text):
        piece = text[place : tag.start()]
        place = tag.end()
        if thinking:
            thoughts.append(piece)
        else:
            spoken.append(piece)
        if tag["close"] and not thinking:
            thoughts.extend(spoken)
            spoken.clear()
        thinking = not tag["close"]
    (thoughts if thinking else spoken).append(text[place:])
    return "\n\n".join(filter(None, map(str.strip, thoughts))), "".join(spoken)
