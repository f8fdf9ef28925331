"""The text of a file with protocols of one's own, and what of it is known before any of it runs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import PurePath

HOUSE = "protocols"
SEP = "@"
"""Between the name of a function and the hash of its source, in the name of what is one's own."""

ALLOWED = "the standard library and `protocols`, which every machine of a cluster has"
EVADES = ("importlib", "runpy", "ctypes")
CALLS = {
    "open": "a dialogue reads and writes no file; what it needs comes with the case or as a parameter",
    "print": "a dialogue prints nothing; what it returns, and every reply, stands in the tables",
    "input": "a dialogue asks the seats alone: yield a step of asks",
    "exec": "write the code out, so that it can be read and checked",
    "eval": "write the code out, so that it can be read and checked",
    "compile": "write the code out, so that it can be read and checked",
    "__import__": "write an import statement",
    "breakpoint": "take it out; `moot check` prints what every seat is asked",
}
"""Built-in functions that a protocol must not call, and what to do instead."""

ENDS = ("KeyboardInterrupt", "SystemExit", "GeneratorExit")
"""Exceptions that a protocol must not raise."""

AT_THE_TOP = (
    *(ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Assign, ast.AnnAssign, ast.If),
)


class SourceError(ValueError):
    """A file that holds no protocol which could be played; the message is meant for its author."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file as text. `file` is how its author calls it, for messages; `hash` tells versions apart."""

    file: str
    text: str

    @property
    def hash(self) -> str:
        """Eight hexadecimal digits of the text."""
        return blake2b(self.text.encode(), digest_size=4).hexdigest()

    @property
    def name(self) -> str:
        """The name of the file, without its folder."""
        return PurePath(self.file).name

    def at(self, line: int, what: str) -> str:
        """A message about a line (from 1) of it."""
        return f"{self.file}:{line}: {what}"


def read_tree(source: Source) -> ast.Module:
    """The syntax tree of a source that keeps to the rules. Raises `SourceError` with all that it breaks."""
    try:
        tree = ast.parse(source.text, source.file)
    except SyntaxError as error:
        raise SourceError(source.at(error.lineno or 1, f"found no Python: {error.msg}")) from None
    except ValueError as error:
        raise SourceError(f"{source.file}: found no Python: {error}") from None
    found = sorted((*_at_the_top(tree), *_anywhere(tree)))
    if found:
        raise SourceError("\n".join(source.at(line, what) for line, what in found))
    return tree


def _at_the_top(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for each in tree.body:
        said = isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        if not (said or isinstance(each, AT_THE_TOP)):
            yield (
                each.lineno,
                f"found {_kind(each)} outside any function, which would run on every machine when the file is"
                " imported; allowed there: imports, functions, classes and constants",
            )


def _anywhere(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for each in ast.walk(tree):
        match each:
            case ast.Import(names=names):
                for name in names:
                    yield from _import(each.lineno, name.name)
            case ast.ImportFrom(level=0, module=str(module)):
                yield from _import(each.lineno, module)
            case ast.ImportFrom():
                yield (
                    each.lineno,
                    f"found an import of a file beside it; allowed: {ALLOWED}; put all into this one file,"
                    " which travels with the experiment",
                )
            case ast.Call(func=ast.Name(id=name)) if name in CALLS:
                yield each.lineno, f"found a call of {name}(); {CALLS[name]}"
            case ast.Raise(exc=ast.Name(id=name) | ast.Call(func=ast.Name(id=name))) if name in ENDS:
                yield (
                    each.lineno,
                    f"found a raise of {name}, which is for the whole process and not for one debate; raise"
                    " another error, ValueError say, to let a debate fail",
                )
            case ast.Attribute(attr="setrecursionlimit"):
                yield (
                    each.lineno,
                    "found a use of setrecursionlimit, which changes all that is played in the process; write"
                    " a loop",
                )
            case ast.Global(names=names):
                yield (
                    each.lineno,
                    f"found 'global {', '.join(names)}', which would outlive the debate; keep it in a"
                    " variable of the protocol: resuming plays it again from its replies",
                )
            case _:
                continue


def _import(line: int, module: str) -> Iterator[tuple[int, str]]:
    if not importable(module):
        yield line, f"found an import of {module}; allowed: {ALLOWED}"


def importable(module: str) -> bool:
    """Whether a protocol may import the module of this full name."""
    top = module.split(".")[0]
    return top == HOUSE or (top in sys.stdlib_module_names and top not in EVADES)


def _kind(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Expr):
        return "a call" if isinstance(statement.value, ast.Call) else "an expression"
    return f"'{type(statement).__name__.removeprefix('Async').lower()}'"
