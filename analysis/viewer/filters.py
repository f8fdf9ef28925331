"""Which debates a page lists, and in which order: all of it stands in the address of the page.

A parameter that comes several times lets through what any of its values does. What a parameter cannot mean
is told on the page, and nothing is filtered by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import quote, urlencode

from starlette.datastructures import QueryParams

from analysis.statuses import STATUSES
from analysis.viewer.pages import number

OWN = "outcome <> 'judgment'"
"""What tells a debate from a judgment, which has a row of its own in the table."""

COLUMNS = {
    "stage": "stage",
    "protocol": "protocol",
    "variant": "variant",
    "panel": "panel",
    "model": "string_split(panel, '+')",
    "order": '"order"',
    "steering": "steering",
    "format": "answer_format",
    "swap": "stance_swap::varchar",
    "repetition": "repetition::varchar",
    "case": "case_id",
    "outcome": "outcome",
    "standing": "standing",
    "exit": "exit_mode",
    "rounds": "rounds::varchar",
    "agreed": "consensus_label",
    "reading": "list_transform(course, lambda turn: turn.status)",
    "debate": "debate_id",
}
"""Filters by value: the parameter, and the column or list of values that must have it."""

LISTS = ("model", "reading")

CHANGES = {
    "yes": "changed > 0",
    "no": "changed = 0",
    "lasting": "ended_changed > 0",
    "back": "changed > ended_changed",
}
"""Filters by change of verdict: some seat changed, none did, one ended elsewhere, one came back."""

VIOLATIONS = {"yes": "violations > 0", "no": "violations = 0"}

NEED_VERDICTS = ("reading", "change", "violation")
"""Filters and orders that need the verdicts of all turns to have been read."""

SORTS = {
    "case": ("coalesce(case_id, '')",),
    "protocol": ("coalesce(protocol, '')", "coalesce(variant, '')"),
    "panel": ("coalesce(panel, '')",),
    "order": ("coalesce(\"order\", '')",),
    "repetition": ("coalesce(repetition, 0)",),
    "rounds": ("coalesce(rounds, 0)",),
    "outcome": ("coalesce(outcome, '')", "coalesce(consensus_label, '')"),
    "change": ("coalesce(changed, -1)",),
    "calls": ("coalesce(calls, -1)",),
    "tokens": ("coalesce(prompt_tokens + completion_tokens, -1)",),
    "cost": ("coalesce(cost_usd, -1)",),
}
"""What debates may be sorted by; what is not known comes before all that is."""

USUAL = ("case", "protocol", "panel", "order", "repetition")
"""What debates are ordered by after what the address says, so that those of a case stand together."""

PER_PAGE = 50


@dataclass(frozen=True)
class Wish:
    """What an address asks for: values by filter, text, order and page."""

    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    text: str = ""
    sort: str = ""
    page: int = 1
    problems: Sequence[str] = ()

    @classmethod
    def of(cls, query: QueryParams) -> Wish:
        """As the parameters of an address say."""
        problems: list[str] = []
        values = {}
        for name in (*COLUMNS, "change", "violation"):
            given = tuple(dict.fromkeys(value for value in query.getlist(name) if value))
            allowed = {"change": CHANGES, "violation": VIOLATIONS, "reading": STATUSES}.get(name)
            if wrong := [value for value in given if allowed is not None and value not in allowed]:
                problems.append(_problem(name, wrong[0], list(allowed or ())))
                given = tuple(value for value in given if value not in wrong)
            if given:
                values[name] = given
        sort = query.get("sort", "")
        if sort.removeprefix("-") not in ("", *SORTS):
            problems.append(_problem("sort", sort, list(SORTS)))
            sort = ""
        page = number(query.get("page", "1"))
        if page is None:
            problems.append(_problem("page", query["page"], ["a number from 1"]))
        return cls(values, query.get("text", "").strip(), sort, page or 1, problems)

    @cached_property
    def where(self) -> tuple[str, list[object]]:
        """The condition on rows of the index, and what it is given."""
        told, given = [OWN], list[object]()
        for name, values in self.values.items():
            if name in ("change", "violation"):
                meant = CHANGES if name == "change" else VIOLATIONS
                told.append(" or ".join(meant[value] for value in values))
            else:
                has = (
                    f"list_has_any({COLUMNS[name]}, ?)"
                    if name in LISTS
                    else f"list_contains(?, {COLUMNS[name]})"
                )
                told.append(has)
                given.append(list(values))
        return " and ".join(f"({one})" for one in told), given

    @cached_property
    def keys(self) -> list[tuple[str, bool]]:
        """What rows are ordered by, never null, and whether it falls. No two debates have all alike."""
        first, falling = self.sort.removeprefix("-"), self.sort.startswith("-")
        own = SORTS[first] if first else ("place",) if self.text else ()
        usual = [column for name in USUAL if name != first for column in SORTS[name]]
        return [
            *((column, falling) for column in own),
            *((column, False) for column in (*usual, "debate_id")),
        ]

    @property
    def needs_verdicts(self) -> bool:
        """Whether the verdicts of all turns must have been read."""
        return any(name in NEED_VERDICTS for name in (*self.values, self.sort.removeprefix("-")))

    @property
    def mark(self) -> str:
        """The end of an address at which a browser looks for the text and marks it; "" without a text."""
        return f"#:~:text={quote(self.text, safe='').replace('-', '%2D')}" if self.text else ""

    @property
    def narrowed(self) -> bool:
        """Whether it leaves anything out."""
        return bool(self.values or self.text)

    def address(self, **changes: str | int | tuple[str, ...] | None) -> str:
        """The parameters of the same wish with changes (None: without), from "?"; "" for no parameters.

        A change of anything but the page begins at page 1.
        """
        told: dict[str, object] = {**self.values, "text": self.text, "sort": self.sort, **changes}
        told.setdefault("page", 1 if changes else self.page)
        pairs = list(_pairs(told))
        return f"?{urlencode(pairs)}" if pairs else ""

    def hidden(self, *but: str) -> list[tuple[str, str]]:
        """Its parameters but for some, for the hidden fields of a form."""
        told: dict[str, object] = {**self.values, "text": self.text, "sort": self.sort}
        return list(_pairs({name: value for name, value in told.items() if name not in but}))


def _pairs(told: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in told.items():
        for one in value if isinstance(value, tuple) else (value,):
            if one not in (None, "") and (name, one) != ("page", 1):
                yield name, str(one)


def _problem(name: str, found: str, allowed: Sequence[str]) -> str:
    return f"{name}: found “{found}”; allowed: {', '.join(allowed)}. It is left out here."
