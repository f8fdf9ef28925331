"""One debate as a page tells it: seats as columns, rounds as rows, and what is to be marked in a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from analysis.statuses import READABLE
from analysis.viewer.index import Row
from analysis.viewer.named import Labelled, Place, labelled
from analysis.viewer.words import count


@dataclass(frozen=True, slots=True)
class Seat:
    """A column: `number` is that of the name by which the others know the seat, null where there is none."""

    name: str
    model: str
    steering: str
    number: str | None


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn: its row of `turns`, the label that it changed from (null: it did not), replies and values.

    `replies` have neither messages nor texts.
    """

    row: Row
    changed_from: str | None = None
    replies: Sequence[Row] = ()
    labelled: Sequence[Labelled] = ()

    @property
    def readable(self) -> bool:
        """Whether it carries a label or, where none is asked for, an argument."""
        return self.row["status"] in READABLE

    @property
    def spent(self) -> list[str]:
        """What its replies took: tokens, seconds, seed, attempts; and what is unusual in them."""
        tokens = " → ".join(count(_sum(self.replies, f"{name}_tokens")) for name in ("prompt", "completion"))
        seconds, last = _sum(self.replies, "seconds"), self.replies[-1]
        kinds = Counter(str(reply["kind"]) for reply in self.replies)
        told = [
            f"{tokens} tokens",
            "" if seconds is None else f"{seconds:.1f} s",
            "" if last["ask_seed"] is None else f"seed {last['ask_seed']}",
            f"{last['attempts']} attempts" if (last["attempts"] or 1) > 1 else "",
            "" if last["finish_reason"] in ("stop", None) else f"ended by {last['finish_reason']}",
            ", ".join(f"{n} {kind}" for kind, n in kinds.items()) if len(self.replies) > 1 else "",
        ]
        return list(filter(None, told))

    @property
    def text(self) -> str:
        """What it says: the explanation, or what others were shown where it could not be read."""
        return str((self.row["explanation"] if self.readable else self.row["shown"]) or "")


@dataclass(frozen=True, slots=True)
class Transcript:
    """A debate to read: its rows of `debates` and `cases`, and a row of turns for each round."""

    debate: Row
    case: Row
    seats: Sequence[Seat]
    rounds: Sequence[tuple[int, Sequence[Spoken | None]]]
    judgments: Sequence[Row] = field(default_factory=list)

    @property
    def changes(self) -> int:
        """In how many turns a seat left its label."""
        return sum(spoken is not None and spoken.changed_from is not None for spoken in self._spoken())

    @property
    def options(self) -> list[tuple[str, str, bool]]:
        """The options of a question as they were listed: letter, text, and whether it is the right one."""
        options, listing = self.case["options"] or [], self.debate["listing"]
        places = listing.split("-") if listing else [str(n) for n in range(1, len(options) + 1)]
        shown = [
            options[int(place) - 1] for place in places if place.isdecimal() and int(place) <= len(options)
        ]
        return [(chr(ord("A") + n), option, option == self.case["truth"]) for n, option in enumerate(shown)]

    @property
    def right_label(self) -> str | None:
        """The letter of the right option; null where it is not known."""
        return next((letter for letter, _, right in self.options if right), None)

    @property
    def opening_rounds(self) -> set[int]:
        """The rounds that were said in the debate that this one goes on from."""
        return {spoken.row["round"] for spoken in self._spoken() if spoken and spoken.row["opening"]}

    def _spoken(self) -> Iterator[Spoken | None]:
        return (spoken for _, row in self.rounds for spoken in row)


def transcript(
    debate: Row,
    case: Row,
    turns: Sequence[Row],
    replies: Sequence[Row],
    labels: Sequence[Row] = (),
    judgments: Sequence[Row] = (),
) -> Transcript:
    """Puts a debate together from its rows; `labels` are those of `judgments` of values in its turns."""
    ordered = sorted(turns, key=lambda turn: (turn["round"], turn["position"]))
    names = sorted({turn["seat"] for turn in ordered}, key=lambda name: (len(name), name))
    asked: dict[Place, list[Row]] = {}
    for reply in sorted(replies, key=lambda row: (row["step"] or 0, row["slot"] or 0)):
        asked.setdefault((reply["round"], reply["seat"]), []).append(reply)
    spoken: dict[Place, Spoken] = {}
    for turn, before in _with_standing(ordered):
        place = turn["round"], turn["seat"]
        own = None if turn["stance"] else turn["label"]
        moved = before if own and before and before != own else None
        spoken[place] = Spoken(turn, moved, asked.get(place, []))
    for place, found in labelled({place: one.row for place, one in spoken.items()}, labels).items():
        spoken[place] = replace(spoken[place], labelled=found)
    rounds = sorted({turn["round"] for turn in ordered})
    grid = [(number, [spoken.get((number, name)) for name in names]) for number in rounds]
    return Transcript(debate, case, [_seat(name, ordered, debate) for name in names], grid, judgments)


def _sum(replies: Sequence[Row], name: str) -> float | None:
    """The sum of what is known; null where nothing is."""
    known = [reply[name] for reply in replies if reply[name] is not None]
    return sum(known) if known else None


def _with_standing(turns: Sequence[Row]) -> Iterator[tuple[Row, str | None]]:
    """Each turn with the label that its seat held before: what it argued for by a stance is none."""
    held: dict[str, str] = {}
    for turn in turns:
        yield turn, held.get(turn["seat"])
        if turn["label"] and not turn["stance"] and turn["violation"] != "outside":
            held[turn["seat"]] = turn["label"]


def _seat(name: str, turns: Sequence[Row], debate: Row) -> Seat:
    place = int(name.removeprefix("seat").strip()) - 1 if name[-1:].isdecimal() else 0
    model = next(turn["model"] for turn in turns if turn["seat"] == name)
    steerings = (debate["steering"] or "").split("+")
    numbers = (debate["labels"] or "").split("-")
    return Seat(
        name,
        model,
        steerings[place] if place < len(steerings) else "",
        numbers[place] if place < len(numbers) and numbers[place] else None,
    )
