"""What must hold for the orders in which seats speak."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial
from typing import Any

from ray_jobs.design_block import Product
from ray_jobs.located import KeyPath, Problem

MOST_PERMUTED = 7
ORDERS = "all, latin, given, or a list of orders such as [[1, 2], [2, 1]]"


def orders_problems(path: KeyPath, rule: Any, product: Product) -> Iterator[Problem]:
    """What is wrong with the orders in which the panels of a design are to speak."""
    if isinstance(rule, list) and rule:
        for at, order in enumerate(rule):
            for panel in product.panels:
                if not _is_order(order, len(panel)):
                    allowed = f"every number from 1 to {len(panel)} once, for the panel {list(panel)}"
                    yield Problem((*path, at), repr(order), allowed)
    elif rule not in ("all", "latin", "given"):
        yield Problem(path, repr(rule), ORDERS)
    elif rule == "all":
        for panel in product.panels:
            if len(panel) > MOST_PERMUTED:
                found = f"all {factorial(len(panel)):,} orders of the panel {list(panel)}"
                yield Problem(path, found, f"all for up to {MOST_PERMUTED} seats; else latin or a list")


def _is_order(order: object, seats: int) -> bool:
    numbers = list(range(1, seats + 1))
    return isinstance(order, list) and all(type(seat) is int for seat in order) and sorted(order) == numbers
