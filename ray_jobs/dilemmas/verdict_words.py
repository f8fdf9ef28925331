"""The verdict of a comment: one of the words in capitals by which members vote."""

from __future__ import annotations

import re

from protocols.answer_format import VERDICTS

CONDITIONAL = {"YWBTA": "YTA", "YWNBTA": "NTA"}
"""The same verdict on what an author has not done yet."""

_WORD = re.compile(rf"(?<![^\W_])(?:{'|'.join([*CONDITIONAL, *VERDICTS])})(?![^\W_])")
_QUOTED = re.compile(r"^[ \t]*(?:&gt;|>)(?!!).*$", re.MULTILINE)
_ADDRESS = re.compile(r"(?:https?://|www\.|/?\b[ur]/)[^\s)\]]+")


def verdicts(body: str) -> set[str]:
    """The verdicts that stand in a comment as whole words in capitals, outside quotations and addresses."""
    if _WORD.search(body) is None:
        return set()
    own = _QUOTED.sub(" ", body) if ">" in body or "&gt;" in body else body
    own = _ADDRESS.sub(" ", own) if "/" in own or "www." in own else own
    return {CONDITIONAL.get(word, word) for word in _WORD.findall(own)}
