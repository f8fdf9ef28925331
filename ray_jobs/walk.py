"""The walk through the debates of a run, as the driver hands them out."""

from __future__ import annotations

from collections.abc import Iterable

from ray_jobs.debate import Debate

BLOCK = 100  # debates handed out at once: few enough to balance, many enough that handing out costs nothing


class Walk:
    """Debates on their way out, in blocks; `rests` while there are no further ones yet."""

    def __init__(self, debates: Iterable[Debate | None]) -> None:
        self._debates = iter(debates)
        self.over = self.rests = False

    def block(self) -> list[Debate]:
        """The next `BLOCK` debates, or as many as there are."""
        self.rests = False
        block: list[Debate] = []
        for debate in self._debates:
            if debate is None:
                self.rests = True
                return block
            block.append(debate)
            if len(block) == BLOCK:
                return block
        self.over = True
        return block
