"""YAML files with the line of every key and value."""

from __future__ import annotations

import re
from pathlib import Path

import yaml
from yaml.reader import ReaderError

from ray_jobs.located import ExperimentError, KeyPath, Located, dotted, reading


def read_yaml(file: Path) -> Located:
    """The document in `file`, which must be UTF-8 YAML with text as keys and no key twice.

    Raises `ExperimentError` naming file, line and key.
    """
    if file.exists() and not file.is_file():
        raise ExperimentError(f"{file}: cannot be read: it is no file")
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ExperimentError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ExperimentError(
            f"{file}:{line}: found the byte {error.object[error.start]:#04x}; allowed: text in UTF-8"
        ) from None
    return locate(str(file), text)


def locate(file: str, text: str) -> Located:
    """The YAML document `text`; `file` is how messages call it. Raises `ExperimentError`."""
    try:
        loader = yaml.SafeLoader(text)
        walk = _Walk(file, loader)
        root = loader.get_single_node()
        data = None if root is None else walk.plain(root, ())
    except yaml.MarkedYAMLError as error:
        raise ExperimentError(_syntax(file, text, error)) from None
    except ReaderError as error:
        line = text[: error.position].count("\n") + 1
        raise ExperimentError(
            f"{file}:{line}: found the control character {error.character:#04x}; allowed: printable text"
        ) from None
    except RecursionError:
        raise ExperimentError(
            f"{file}: found values nested too deep, or an alias that holds itself"
        ) from None
    return Located(file, data, walk.lines, walk.written)


MAY_BE_SECRET = re.compile(r"(key|token|secret|password|authorization|base_url)\w*[\"']?\s*:", re.I)
QUOTED = re.compile(r"'[^']{4,}'|\"[^\"]{4,}\"")
MOST_VALUES = 100_000  # an alias of aliases can stand for billions


class _Walk:
    """Turns YAML nodes into plain data and notes where each stands."""

    def __init__(self, file: str, loader: yaml.SafeLoader) -> None:
        self.file = file
        self.loader = loader
        self.lines: dict[KeyPath, int] = {}
        self.written: dict[KeyPath, str] = {}

    def plain(self, node: yaml.Node, path: KeyPath) -> object:
        if len(self.lines) > MOST_VALUES:
            raise ExperimentError(
                f"{self.file}:{_line(node)}: found more than {MOST_VALUES:,} values, aliases written out;"
                " allowed: fewer; what is long belongs into files of its own"
            )
        self.lines.setdefault(path, _line(node))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.plain(child, (*path, index)) for index, child in enumerate(node.value)]
        self.written[path] = node.value
        return self._scalar(node)

    def _scalar(self, node: yaml.Node) -> object:
        try:
            return self.loader.construct_object(node)
        except ValueError as error:
            raise ExperimentError(
                f"{self.file}:{_line(node)}: found {node.value}, which YAML cannot read ({error});"
                f" allowed: the same in quotes, '{node.value}', if text is meant"
            ) from None

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, object]:
        mapping: dict[str, object] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node, path)
            here = (*path, key)
            if key in mapping:
                raise ExperimentError(
                    f"{self.file}:{_line(key_node)}: {dotted(here)}: found the key a second time,"
                    f" it also stands on line {self.lines[here]}; allowed: every key once"
                )
            self.lines[here] = _line(key_node)
            mapping[key] = self.plain(value_node, here)
        return mapping

    def _key(self, node: yaml.Node, path: KeyPath) -> str:
        key = self._scalar(node) if isinstance(node, yaml.ScalarNode) else None
        if isinstance(key, str):
            return key
        place = f"{self.file}:{_line(node)}:" + (f" {dotted(path)}:" if path else "")
        if isinstance(node, yaml.ScalarNode):
            raise ExperimentError(
                f"{place} found the key {node.value}, which YAML reads as {reading(key)};"
                f" allowed: text as keys; write '{node.value}' in quotes"
            )
        raise ExperimentError(f"{place} found a list or a mapping as a key; allowed: text as keys")


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _syntax(file: str, text: str, error: yaml.MarkedYAMLError) -> str:
    lines = text.splitlines()
    marks = [mark for mark in (error.problem_mark, error.context_mark) if mark and mark.line < len(lines)]
    number = marks[0].line + 1 if marks else max(1, len(lines))
    line = lines[number - 1] if lines else ""
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return f"{file}:{number}: found a tab in the indentation; allowed: spaces"
    what = " ".join(part for part in (error.context, error.problem) if part)
    if any(MAY_BE_SECRET.search(each) for each in lines[max(0, number - 2) : number]):
        line = "a line that may hold a key (not repeated here)"
        return f"{file}:{number}: found {line}, which is no valid YAML: {QUOTED.sub('...', what)}"
    return f"{file}:{number}: found {line.strip()!r}, which is no valid YAML: {what}"
