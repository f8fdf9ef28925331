"""What studies of simulated consultants and judges come to, derived from their parameters alone.

Two consultants open alone; debates go on where exactly one of the openings is right. Written from the law as
it is stated in `serving.simulated_consultant` and `serving.simulated_judge`, without their code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

LEVELS = (0.25, 0.5, 0.75)  # what low, medium and high stand for


@dataclass(frozen=True)
class Consultant:
    """A consultant's probabilities, as an `oversight` block calls them; questions have `options`."""

    right: float
    adopts_right: float
    adopts_wrong: float
    outside: float = 0.0
    unreadable: float = 0.0
    options: int = 4

    @property
    def valid(self) -> float:
        """Of a position that it counts: it can be read, and is one of the two that are held."""
        return (1 - self.unreadable) * (1 - self.outside * (self.options > 2))

    def opens(self, right: bool) -> float:
        """Of an opening that can be read and is right, or wrong."""
        return (1 - self.unreadable) * (self.right if right else 1 - self.right)

    def moves(self, right: bool) -> float:
        """Of taking up the other's answer in a turn, when its own is right and the other's wrong, or not."""
        return self.valid * (self.adopts_wrong if right else self.adopts_right)


@dataclass(frozen=True)
class Judge:
    """A judge's probabilities, as an `oversight` block calls them; questions have `options`."""

    right: float
    follows: float
    q: float
    outside_judge: float = 0.0
    options: int = 4

    def of_one(self, right: bool) -> float:
        """Of a right judgment, when it is shown one answer, which is right, or wrong."""
        return self.follows if right else (1 - self.follows) / (self.options - 1)

    @property
    def of_two(self) -> float:
        """Of a right judgment, when it is shown two answers of which one is right."""
        return (1 - self.outside_judge * (self.options > 2)) * self.q


def standings(first: Consultant, second: Consultant) -> dict[tuple[bool, bool], float]:
    """The probability that both openings can be read, and of who is right then."""
    return {(a, b): first.opens(a) * second.opens(b) for a in (True, False) for b in (True, False)}


def one_right(first: Consultant, second: Consultant) -> float:
    """The probability that exactly one opening is right, and the other can be read."""
    return standings(first, second)[True, False] + standings(first, second)[False, True]


def first_is_right(first: Consultant, second: Consultant) -> float:
    """The probability that it is the first consultant's, given that exactly one is."""
    return standings(first, second)[True, False] / one_right(first, second)


@dataclass(frozen=True)
class Resolution:
    """How disagreement resolution goes on average, from openings of which exactly one is right.

    `ends` has the probability of each exit mode with who is right at last (first, second); `actions` the
    expected number of each action of the first consultant; `turns` the expected number of turns.
    """

    ends: Mapping[tuple[str, bool, bool], float]
    actions: Mapping[str, float]
    turns: float

    def ended(self, mode: str) -> float:
        """The probability of an exit mode."""
        return sum(share for (each, _, _), share in self.ends.items() if each == mode)

    def agreed(self, right: bool) -> float:
        """The probability that both hold the right answer at last, or both the wrong one."""
        return sum(share for (_, a, b), share in self.ends.items() if a == b == right)


def resolution(first: Consultant, second: Consultant, turns: int) -> Resolution:
    """A Markov chain over who is right: the two adopt independently of each other, turn by turn."""
    right = first_is_right(first, second)
    open_, swapped = {True: right, False: 1 - right}, {True: 0.0, False: 0.0}
    ends, actions, length = Counter[tuple[str, bool, bool]](), Counter[str](), 0.0
    for _ in range(turns):
        going, length = {True: 0.0, False: 0.0}, length + sum(open_.values())
        swapped = {True: 0.0, False: 0.0}
        for mine, share in open_.items():
            a, b = first.moves(mine), second.moves(not mine)
            going[mine] += share * (1 - a) * (1 - b)
            going[not mine] += share * a * b
            swapped[not mine] += share * a * b
            ends["consensus", not mine, not mine] += share * a * (1 - b)
            ends["consensus", mine, mine] += share * b * (1 - a)
            actions["overthinking" if mine else "recovery"] += share * a
            actions["persistence" if mine else "stubbornness"] += share * (first.valid - a)
        open_ = going
    for mine, share in open_.items():
        ends["swapped", mine, not mine] += swapped[mine]
        ends["turn_limit", mine, not mine] += share - swapped[mine]
    return Resolution(ends, actions, length)


def beta(levels: tuple[float, float, float], right: bool) -> float:
    """The mean of (p - Z)^2 over the confidences p that are stated in right (Z = 1) or wrong (Z = 0) answers.

    After persistence and recovery the answer is right, after overthinking and stubbornness wrong.
    """
    return sum(share * (p - right) ** 2 for share, p in zip(levels, LEVELS, strict=True))


def consultancy(first: Consultant, second: Consultant, judge: Judge, turns: int, swap: bool = False) -> float:
    """The accuracy of a judge that hears the first consultant alone; with a swap, on the other's opening."""
    right, silent = first_is_right(first, second), first.unreadable**turns
    right = 1 - right if swap else right
    heard = right * judge.of_one(True) + (1 - right) * judge.of_one(False)
    return silent * judge.right + (1 - silent) * heard


def both_heard(first: Consultant, second: Consultant, judge: Judge, turns: int, swap: bool = False) -> float:
    """The accuracy of a judge of a double consultancy or a debate; with a swap, on each other's openings.

    A consultant of whom no turn can be read is not heard; without such it does not matter who argues what.
    """
    right = first_is_right(first, second)
    right = 1 - right if swap else right
    quiet, also_quiet = first.unreadable**turns, second.unreadable**turns
    only_first = right * judge.of_one(True) + (1 - right) * judge.of_one(False)
    only_second = right * judge.of_one(False) + (1 - right) * judge.of_one(True)
    return (
        quiet * also_quiet * judge.right
        + (1 - quiet) * also_quiet * only_first
        + quiet * (1 - also_quiet) * only_second
        + (1 - quiet) * (1 - also_quiet) * judge.of_two
    )


def resolved(first: Consultant, second: Consultant, judge: Judge, turns: int) -> float:
    """The accuracy of a judge that sees the positions at the end of a disagreement resolution."""
    played = resolution(first, second, turns)
    agreed = {right: played.agreed(right) for right in (True, False)}
    told = sum(share * judge.of_one(right) for right, share in agreed.items())
    return told + (1 - sum(agreed.values())) * judge.of_two
