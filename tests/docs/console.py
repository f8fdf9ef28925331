"""Pages whose commands are typed and whose results are compared with what the page shows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CUT = "…"


def blocks(page: str, language: str) -> list[str]:
    """The blocks of a language on a page of the docs, in order."""
    text = (DOCS / page).read_text("utf-8")
    return [block for named, block in BLOCK.findall(text) if named == language]


def commands(block: str) -> Iterator[tuple[list[str], list[str]]]:
    """Each command of a console block in words, and the lines that the page shows of its result."""
    for typed in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, *shown = typed.splitlines()
        yield shlex.split(line), [each for each in shown if each.strip() not in ("", CUT)]


def follow(block: str, run: Callable[..., str]) -> None:
    """Types the commands of a block; what the page shows of each must be there, in this order."""
    for words, shown in commands(block):
        assert words[0] == "moot"
        left = run(*words[1:])
        for line in shown:
            start, *_ = line.split(CUT)
            assert start.rstrip() in left, f"{' '.join(words)}: not there in this order: {line}\n{left}"
            left = left[left.index(start.rstrip()) + len(start.rstrip()) :]
