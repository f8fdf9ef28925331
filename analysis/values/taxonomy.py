"""The list of values that turns are labelled with, as the measures use it: names and groups."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from protocols.values import Value


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Values by name, each in a group of related ones; a value without a group is related to no other."""

    values: tuple[str, ...]
    groups: tuple[str, ...]

    @classmethod
    def of(cls, values: Iterable[Value]) -> Taxonomy:
        """These values, each once: of values of the same name the first counts."""
        groups: dict[str, str] = {}
        for value in values:
            groups.setdefault(value.name, value.group)
        return cls(tuple(groups), tuple(groups.values()))

    def __len__(self) -> int:
        return len(self.values)

    def related(self) -> list[list[int]]:
        """The places of the values of each group that has more than one."""
        places: dict[str, list[int]] = {}
        for place, group in enumerate(self.groups):
            places.setdefault(group, []).append(place)
        return [members for group, members in places.items() if group and len(members) > 1]
