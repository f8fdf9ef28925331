"""A protocol of one's own on trial: played against every script, on several panels, under every law."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import groupby
from typing import Any, NamedTuple

from protocols.answer_format import FormatName
from protocols.case import Case
from protocols.dialogue import Ask
from protocols.laws.laws import KEPT, LAWS, SEEDED, Law
from protocols.laws.panels import Played, case, play_out, question
from protocols.laws.questions import asks_hold_all, turns_are_replies
from protocols.laws.replies import SCRIPTS
from protocols.own.played import place_of_step
from protocols.own.structure import structure
from protocols.play import Play
from protocols.record import LogMismatch
from protocols.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Panel:
    """A case before so many seats: what it is, how seats answer, and the seed of its chance."""

    seats: int
    question: bool
    form: FormatName
    seed: int

    def case(self, rounds: int) -> Case:
        """The case as a protocol of one's own has it."""
        make = question if self.question else case
        return make("own", self.seats, form=self.form, rounds=rounds, seed=self.seed, steering="default")

    def __str__(self) -> str:
        matter = "question" if self.question else "dilemma"
        return f"{self.seats} seats, a {matter}, {self.form}, seed {self.seed}"


def panels(sizes: Sequence[int]) -> list[Panel]:
    """Panels of these sizes: dilemmas and questions, text and JSON, several seeds."""
    kinds: list[tuple[bool, FormatName, int]] = [(False, "text", 0), (True, "json", 1), (False, "json", 2)]
    return [Panel(seats, *kind) for seats in sizes for kind in kinds]


class Finding(NamedTuple):
    """A law that is broken, before which panel and script, and what is to be done."""

    law: str
    where: str
    what: str


REPLAYED = ("disagreeing", "converging", "ragged")
"""The scripts under which a debate is also interrupted at every reply."""

BEGINNING = 25  # characters by which kinds of findings are told apart


@dataclass(frozen=True)
class Trial:
    """One protocol by its name, with parameters other than its defaults."""

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)
    rounds: int = 4

    def play(self, panel: Panel) -> Play[Transcript]:
        """A fresh play of it."""
        return Play(structure(self.name)(panel.case(self.rounds), **self.params), seed=7)

    def game(self, panel: Panel, script: str) -> Played:
        """It, played to its end. Raises `ProtocolError`."""
        return play_out(self.play(panel), SCRIPTS[script])

    def tried(self, panel: Panel, script: str) -> tuple[list[Finding], list[str]]:
        """What of the laws it breaks, and what it asks: a hash of every question, and of the outcome.

        Raises `ProtocolError` where it cannot be played.
        """
        game = self.game(panel, script)
        where = f"{panel}, {script}"
        laws = LAWS if script in REPLAYED else {"deterministic": LAWS["deterministic"]}
        found = [Finding(law, where, what) for law, what in self._broken(laws, panel, script, game)]
        found += [
            Finding(
                "questions",
                f"{self._place(panel, game, ask)}{where}, to {ask.seat} in round {ask.round}",
                what,
            )
            for ask, what in asks_hold_all(panel.case(self.rounds), game)
        ]
        found += [Finding("turns", where, what) for what in turns_are_replies(game)]
        pairs = zip(game.asks, game.records, strict=True)
        asked = [f"{ask.seat} in round {ask.round}: {record.fingerprint}" for ask, record in pairs]
        return found, [*asked, f"the Transcript: {_digest(repr(game.outcome))}"]

    def _place(self, panel: Panel, game: Played, ask: Ask) -> str:
        """The line at which a question was yielded."""
        step = game.records[next(at for at, each in enumerate(game.asks) if each is ask)].step
        steps = groupby(game.records, key=lambda record: record.step)
        answered = [tuple(record.reply for record in records) for _, records in steps][:step]
        return f"{place_of_step(self.name, panel.case(self.rounds), self.params, answered)}: "

    def _broken(
        self, laws: Mapping[str, Law], panel: Panel, script: str, game: Played
    ) -> Iterator[tuple[str, str]]:
        """The first law that is broken: whatever breaks one breaks more of them."""
        for law, holds in laws.items():
            try:
                found = list(holds(lambda: self.play(panel), game, SCRIPTS[script]))
            except LogMismatch as error:
                found = [f"its questions are not those of its log: {error}; {SEEDED}; {KEPT}"]
            if found:
                yield law, found[0]
                return


def once(found: Iterable[Finding]) -> list[Finding]:
    """The first of each kind, however many panels and scripts show it; to play it again is one kind."""
    kinds: dict[tuple[str, str], Finding] = {}
    for each in found:
        kind = ("again", "") if each.law in LAWS else (each.law, each.what[:BEGINNING])
        kinds.setdefault(kind, each)
    return list(kinds.values())


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()
