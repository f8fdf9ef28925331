"""`protocols: [my_protocol.py:devils_advocate]`: protocols of one's own, from the file to the experiment.

In the experiment such an entry is called `devils_advocate@HASH`, and the text of the file stands under
`sources`, by its hash: so whoever has the experiment has all that it plays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator

from protocols.own.form import own_form
from protocols.own.module import functions, imported
from protocols.own.played import own_protocol
from protocols.own.source import SEP, Source, SourceError
from ray_jobs.located import KeyPath, Located, Problem

OWN = re.compile(r"(?P<file>.+\.py)(?::(?P<name>\w*))?")
Find = Callable[[KeyPath, str], Path]
"""Finds the file that is named so at a place of the document."""


def imports(sources: Mapping[str, Source]) -> dict[str, Source]:
    """The sources, imported in this process. Raises `ValueError` for another text than that of its hash."""
    for hash, source in sources.items():
        if source.hash != hash:
            raise ValueError(
                f"{source.file} under the hash {hash}, that of another text; its own is {source.hash}"
            )
        imported(source)
    return dict(sources)


Sources: TypeAlias = Annotated[dict[str, Source], AfterValidator(imports)]


def read_own(located: Located, data: dict[str, Any], find: Find) -> None:
    """Puts into `data`, a copy of the document, what its protocols and answers name in files.

    Raises `ExperimentError` for a file that holds no such thing.
    """
    sources: dict[str, Any] = {}
    for path, entries, exists in _lists(data):
        for at, entry in enumerate(entries):
            given = entry if isinstance(entry, str) else next(iter(entry), None) if _single(entry) else None
            if isinstance(given, str) and (named := OWN.fullmatch(given)):
                place = (*path, at) if isinstance(entry, str) else (*path, at, given)
                source, name = _read(located, place, named, find(place, named["file"]), exists)
                sources[source.hash] = asdict(source)
                entries[at] = name if isinstance(entry, str) else {name: entry[given]}
                located.called[*path, at, name] = given
    if sources:
        data["sources"] = {**(data.get("sources") or {}), **sources}


def read_source(path: Path, file: str) -> Source:
    """The source in a file that messages call `file`. Raises `SourceError` for one that is no text."""
    try:
        return Source(file, path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SourceError(
            f"{file}:{line}: found the byte {error.object[error.start]:#04x}; allowed: text in UTF-8"
        ) from None


def _read(
    located: Located, place: KeyPath, named: re.Match[str], path: Path, exists: Callable[[str], object]
) -> tuple[Source, str]:
    given, file = named[0], named["file"]
    try:
        source = read_source(path, file)
        imported(source)
        if not named["name"]:
            known = ", ".join(f"{file}:{name}" for name in functions(source))
            raise located.error([Problem(place, f"'{given}'", f"a file and a function of it: {known}")])
        name = f"{named['name']}{SEP}{source.hash}"
        exists(name)
    except SourceError as error:
        told = str(error).replace("\n", "\n  ")
        raise located.error([Problem(place, f"found '{given}', which cannot be played:\n  {told}")]) from None
    return source, name


def _lists(data: dict[str, Any]) -> Iterator[tuple[KeyPath, list[Any], Callable[[str], object]]]:
    """The lists of protocols and of answer formats of a document, with their places, and what must exist."""
    blocks: list[tuple[KeyPath, Any]] = [((), data)]
    for key in ("designs", "stages"):
        own = data.get(key)
        blocks += [((key, at), block) for at, block in enumerate(own if isinstance(own, list) else ())]
    for path, block in blocks:
        if isinstance(block, dict):
            if isinstance(block.get("answer"), str):
                block["answer"] = [block["answer"]]
            for key, exists in (("protocols", own_protocol), ("answer", own_form)):
                if isinstance(block.get(key), list):
                    yield (*path, key), block[key], exists


def _single(entry: object) -> bool:
    return isinstance(entry, dict) and len(entry) == 1


def changed(then: Mapping[str, Source], now: Mapping[str, Source]) -> Iterator[str]:
    """Which files have other texts `now`, one line each."""
    for old in then.values():
        for new in now.values():
            if new.name == old.name and new.hash != old.hash and old.hash not in now:
                yield (
                    f"{new.file} is another text than when this run was last begun: its debates are others,"
                    f" of protocols that end with {SEP}{new.hash}; what was played of {SEP}{old.hash} stays"
                    " in the tables beside them. For one text alone give another --out"
                )
