"""A bound on what a source may do at one go: a loop without an end is stopped, always at the same pass.

A moderator plays thousands of debates in one thread, and nobody else can stop one that never yields. So every
pass through a loop and every call of a function of the source is counted, by a call put in when the source is
compiled. Lines stay as they are. What Python does without end in one call, `sum(itertools.count())` say, is
not seen.
"""

from __future__ import annotations

import ast
import threading

MOST_PASSES = 1_000_000
"""Passes through loops and calls of functions between two steps: a fraction of a second."""

PASSED = "__passed__"
"""What the call that counts is called among the built-ins of a source."""


class EndlessLoop(RuntimeError):
    """More passes at one go than anything takes that ends."""


class _Left(threading.local):
    passes = MOST_PASSES


_left = _Left()


def begin() -> None:
    """Counts afresh, on this thread: the source is about to be imported, or called, or sent replies."""
    _left.passes = MOST_PASSES


def passed() -> bool:
    """Counts one pass; True. Raises `EndlessLoop` after too many."""
    _left.passes -= 1
    if _left.passes < 0:
        raise EndlessLoop(
            f"found no end in {MOST_PASSES:,} passes through loops and calls of functions without a yield;"
            " let the loop end"
        )
    return True


def bounded(tree: ast.Module) -> ast.Module:
    """The tree, in which a count now stands in every loop, comprehension and function."""
    for node in list(ast.walk(tree)):
        match node:
            case ast.For() | ast.AsyncFor() | ast.While():
                node.body.insert(0, _statement(node))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                node.body.insert(int(ast.get_docstring(node, clean=False) is not None), _statement(node))
            case ast.Lambda(body=body):
                node.body = ast.copy_location(ast.BoolOp(ast.And(), [_call(body), body]), body)
            case ast.comprehension():
                node.ifs.insert(0, _call(node.target))
            case _:
                continue
    return ast.fix_missing_locations(tree)


def _statement(at: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Expr(_call(at)), at)


def _call(at: ast.AST) -> ast.expr:
    name = ast.copy_location(ast.Name(PASSED, ast.Load()), at)
    return ast.copy_location(ast.Call(name, [], []), at)
