"""Taxonomies: the lists of values that turns are labelled with, by name and group."""

from __future__ import annotations

from dataclasses import dataclass

from protocols.values import TaxonomyError, read_taxonomy

__all__ = ["Taxonomy", "TaxonomyError", "parse"]


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Values by name, each in a group of related ones; a value without a group is related to no other."""

    values: tuple[str, ...]
    groups: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.values)

    def related(self) -> list[list[int]]:
        """The places of the values of each group that has more than one."""
        places: dict[str, list[int]] = {}
        for place, group in enumerate(self.groups):
            places.setdefault(group, []).append(place)
        return [members for group, members in places.items() if group and len(members) > 1]


def parse(text: str, file: str) -> Taxonomy:
    """The taxonomy in the text of a CSV file, read as `protocols.values.read_taxonomy` does.

    Raises `TaxonomyError`, in which `file` is how the file is called.
    """
    values = read_taxonomy(text, file)
    return Taxonomy(tuple(value.name for value in values), tuple(value.group for value in values))
