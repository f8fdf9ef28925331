"""The `moot` commands that pages show."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")))

SHELL = ("", "sh", "console", "bash")
"""Languages of blocks in which a line may be a command."""

FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)`(moot [^`]+)`(?!`)")


@dataclass(frozen=True, slots=True)
class Shown:
    """A command on a page, with its words after `moot`; `whole` where it stands in a block, to be typed."""

    page: str
    said: str
    words: tuple[str, ...]
    whole: bool


def shown() -> list[Shown]:
    """Every command of every page."""
    return [one for page in PAGES for one in of_page(str(page.relative_to(ROOT)), page.read_text("utf-8"))]


def of_page(page: str, text: str) -> Iterator[Shown]:
    """The commands of a page: lines of its blocks, then those within its sentences."""
    for language, block in FENCED.findall(text):
        lines = block.replace("\\\n", " ").splitlines() if language in SHELL else []
        for said in (line.strip().removeprefix("$ ") for line in lines):
            if said.startswith("moot "):
                words = _words(said)
                yield Shown(page, said, words, "..." not in words)
    for said in INLINE.findall(FENCED.sub("", text)):
        yield Shown(page, said, _words(" ".join(said.split())), False)


def _words(said: str) -> tuple[str, ...]:
    """The words after `moot`, those that may be left out as well: "[--out FILE]", "RUN..."."""
    bare = re.sub(r"[\[\]]", " ", said)
    return tuple(
        word if word == "..." else word.removesuffix("...") for word in shlex.split(bare, comments=True)[1:]
    )
