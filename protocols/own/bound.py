"""A bound on what a source may do at one go: a loop that has no end is stopped, on any thread and at the same pass.

A moderator plays thousands of debates in one thread, and nobody else can stop one that never yields. So every
pass through a loop and every call of a function of the source is counted, by a call put in when the source is
compiled. Lines stay as they are. What Python does without end in one call, `sum(itertools.count())` say, is
not seen.
"""

from __future__ import annotations

import ast
import threading

MOST_PASSES = 10_000_000
"""Passes through loops and calls of functions between two steps: a second or two."""

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
    """The tree with a count in every loop, comprehension and function of it."""
    counted: ast.Module = _Counted().visit(tree)
    return ast.fix_missing_locations(counted)


class _Counted(ast.NodeTransformer):
    def _in_body(self, node: ast.For | ast.AsyncFor | ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, _statement(node))
        return node

    def _after_docstring(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(int(ast.get_docstring(node, clean=False) is not None), _statement(node))
        return node

    visit_For = visit_AsyncFor = visit_While = _in_body
    visit_FunctionDef = visit_AsyncFunctionDef = _after_docstring

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        node.body = ast.copy_location(ast.BoolOp(ast.And(), [_call(node.body), node.body]), node.body)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs.insert(0, _call(node.target))
        return node


def _statement(at: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Expr(_call(at)), at)


def _call(at: ast.AST) -> ast.expr:
    name = ast.copy_location(ast.Name(PASSED, ast.Load()), at)
    return ast.copy_location(ast.Call(name, [], []), at)
