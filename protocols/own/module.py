"""A source as a module, imported under its hash: two versions of a file are two modules."""

from __future__ import annotations

import ast
import builtins
import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from traceback import walk_tb
from types import FunctionType, ModuleType
from typing import Any

from protocols.own.bound import PASSED, begin, bounded, passed
from protocols.own.source import ALLOWED, Source, SourceError, importable, read_tree

PREFIX = "moot_own_"


def imported(source: Source) -> ModuleType:
    """The module of the source, run once in a process.

    Its imports are checked again as they happen. Raises `SourceError` for a source that breaks the rules or
    fails while it is imported.
    """
    name = PREFIX + source.hash
    if name in sys.modules:
        return sys.modules[name]
    tree = read_tree(source)
    module = ModuleType(name)
    module.__file__ = source.file
    module.__dict__["SOURCE"] = source
    module.__dict__["__builtins__"] = {**vars(builtins), "__import__": _import, PASSED: passed}
    linecache.cache[code_name(source)] = (
        len(source.text),
        None,
        source.text.splitlines(keepends=True),
        code_name(source),
    )
    sys.modules[name] = module  # where dataclasses of it look for what they belong to
    try:
        begin()
        exec(compile(bounded(tree), code_name(source), "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise SourceError(what_broke(source, error)) from error
    return module


def source_of(hash: str) -> Source | None:
    """The source that was imported under this hash; None where none was."""
    module = sys.modules.get(PREFIX + hash)
    source = vars(module).get("SOURCE") if module else None
    return source if isinstance(source, Source) else None


def code_name(source: Source) -> str:
    """How code of the source is called in stacks: two versions of a file have two names."""
    return f"{source.file}@{source.hash}"


def line_of(source: Source, error: BaseException) -> int | None:
    """The line of the source that an error came from, or went through last; None if it never did."""
    lines = [
        line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == code_name(source)
    ]
    if not lines and error.__cause__ is not None:  # as a StopIteration is that of a RuntimeError
        return line_of(source, error.__cause__)
    return lines[-1] if lines else None


def what_broke(source: Source, error: BaseException) -> str:
    """An error in words, with the line of the source."""
    line = line_of(source, error)
    text = linecache.getline(code_name(source), line).strip() if line else ""
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    where = f"{source.file}:{line}" if line else source.file
    return f"{where}: {said}" + (f", in: {text}" if text else "")


def _import(
    name: str,
    globals: Mapping[str, Any] | None = None,
    locals: Mapping[str, Any] | None = None,
    fromlist: Sequence[str] = (),
    level: int = 0,
) -> ModuleType:
    if level or not importable(name):
        raise ImportError(f"found an import of {name or 'a file beside it'}; allowed: {ALLOWED}")
    return builtins.__import__(name, globals, locals, fromlist, level)


def function(source: Source, name: str) -> Callable[..., Any]:
    """The function of this name in the source. Raises `SourceError` with those that there are."""
    found = functions(source)
    if name not in found:
        raise SourceError(_no_function(source, name, ", ".join(found) or "none"))
    return found[name]


def _no_function(source: Source, name: str, known: str) -> str:
    for each in read_tree(source).body:
        if isinstance(each, ast.FunctionDef) and each.name == name and name[0] != "_":
            made = type(vars(imported(source))[name]).__name__
            what = f"found the function '{name}' with a decorator that makes a {made} of it; take that off"
            return source.at(each.lineno, what)
    return f"{source.file}: found no function '{name}'; it has: {known}"


def functions(source: Source) -> dict[str, FunctionType]:
    """The functions that the source defines, by name, in its order; none that begins with an underscore."""
    module = imported(source)
    return {
        name: each
        for name, each in vars(module).items()
        if isinstance(each, FunctionType) and each.__module__ == module.__name__ and name[0] != "_"
    }
