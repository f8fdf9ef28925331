"""How a measure is shown: what its figure is, and what of it the figure shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["stack", "forest", "matrix"]


@dataclass(frozen=True, slots=True)
class View:
    """The figure of a measure, and the layout of its table.

    `across` is the key column whose values stand beside each other: the parts of a bar (`stack`), marks on
    one line (`forest`), columns (`matrix`); "" for none. Where `spread`, the table has a column for each.
    The figure shows only rows with the values in `only`, and of each panel at most the `most` estimates that
    are farthest from 0 (all where 0). `caption` says what the figure shows.
    """

    kind: Kind = "forest"
    across: str = ""
    spread: bool = False
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    most: int = 0
    caption: str = ""
