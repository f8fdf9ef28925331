"""The part of a model's limits that is one replica's."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """Replica `number` (from 0) of `replicas`, all of which count time from the same `epoch`.

    `epoch` is what this replica's clock shows, or showed, at a moment that is the same for all.
    """

    number: int = 0
    replicas: int = 1
    epoch: float = 0.0

    def of(self, whole: int) -> int:
        """What this replica gets of so many; those of all replicas add up to it."""
        return (whole + self.number) // self.replicas

    def turn(self, now: float, seconds: float) -> float:
        """When this replica's next turn begins, at `now` or later: turns of so many `seconds` go round."""
        rounds = ((now - self.epoch) / seconds - self.number) / self.replicas
        return self.epoch + seconds * (math.ceil(rounds) * self.replicas + self.number)


WHOLE = Share()
