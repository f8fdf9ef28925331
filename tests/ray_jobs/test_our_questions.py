"""The questions that come with moot: well formed, even, and right where an answer can be computed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest

from ray_jobs.case_block import CaseFile
from ray_jobs.cases import read_cases

FILE = Path(__file__).parents[2] / "experiments" / "data" / "questions.jsonl"
CASES = {case.id: case for case in read_cases(CaseFile(file=str(FILE)))}


def test_they_are_many_of_many_subjects_and_all_have_an_answer() -> None:
    assert len(CASES) >= 48
    assert all(case.options and len(case.options) == 4 and case.truth for case in CASES.values())
    subjects = Counter(str(case.source).removeprefix("written for moot / ") for case in CASES.values())
    assert len(subjects) >= 14
    assert min(subjects.values()) >= 3
    assert not any(";" in subject for subject in subjects)


def test_neither_place_nor_length_gives_the_answer_away() -> None:
    places = Counter(case.options.index(case.truth) for case in CASES.values())
    assert set(places.values()) == {len(CASES) // 4}
    longest = [max(case.options, key=len) == case.truth for case in CASES.values()]
    assert sum(longest) <= len(CASES) / 4


def expected_tosses() -> int:
    """Until two heads in a row: E = 1 + E/2 + F/2 and F = 1 + E/2, with one head already in F."""
    start, _ = np.linalg.solve([[0.5, -0.5], [-0.5, 1.0]], [1.0, 1.0])
    return round(start)


def second_order_minutes() -> int:
    """1/c grows in proportion to time: by 1 in the 10 minutes until c is 1/2, by 3 until it is 1/4."""
    return 10 * (4 - 1) // (2 - 1)


def knaves() -> list[tuple[bool, bool]]:
    """Who may be a knight, if Ana says that exactly one of both is."""
    return [(ana, ben) for ana, ben in product([True, False], repeat=2) if ana == (ana != ben)]


def wason() -> list[str]:
    """Cards that some other side would make break the rule."""
    breaks = {(letter, number) for letter, number in product("AK", "47") if letter == "A" and int(number) % 2}
    return [card for card in "AK47" if any(card in pair for pair in breaks)]


def determinant() -> int:
    a = np.diag([1.0, 2.0, 3.0])
    return round(np.linalg.det(a @ a - a))


def derangements() -> Fraction:
    orders = list(permutations(range(4)))
    return Fraction(sum(all(at != to for at, to in enumerate(order)) for order in orders), len(orders))


def larger_die() -> float:
    return sum(max(throw) for throw in product(range(1, 7), repeat=2)) / 36


def switched() -> Fraction:
    """Over where the prize is, which empty door of the others the host opens, and which one is taken."""
    won = Fraction(0)
    for prize in range(4):
        opened = [door for door in (1, 2, 3) if door != prize]
        for shut in opened:
            left = [door for door in (1, 2, 3) if door != shut]
            won += Fraction(sum(door == prize for door in left), 4 * len(opened) * len(left))
    return won


def neither() -> int:
    return sum(all(number % prime for prime in (2, 3, 5)) for number in range(1, 1001))


def onto() -> int:
    return sum(len(set(rooms)) == 3 for rooms in product(range(3), repeat=5))


def true_rows() -> int:
    return sum((p and not q) or r for p, q, r in product([False, True], repeat=3))


def collision() -> int:
    """To two figures: the number at which n(n - 1)/2 pairs of 2^32 pass ln 2."""
    return round(math.sqrt(2 * math.log(2) * 2**32) / 1000) * 1000


def weekday() -> str:
    """In a year whose 1 March is a Monday."""
    [year] = [year for year in range(2020, 2024) if date(year, 3, 1).weekday() == 0]
    return f"{date(year, 11, 1):%A}"


def dilute() -> float:
    """From h² - 1e-8 h - 1e-14 = 0."""
    return -math.log10((1e-8 + math.sqrt(1e-16 + 4e-14)) / 2)


COMPUTED: dict[str, Callable[[], object]] = {
    "shared-charge": lambda: {0.5: "one half"}[(1 / 2) ** 2 * 2],
    "moving-beacon": lambda: f"{8 / math.sqrt(1 - 0.6**2):g} hours",
    "lens-under-water": lambda: f"{20 * (1.5 - 1) / (1.5 / (4 / 3) - 1):g} cm",
    "reversible-levelling": lambda: f"{math.sqrt(100 * 400):g} K",
    "half-neutralised": lambda: f"{4.76 + math.log10((0.20 - 0.10) / 0.10):.2f}",
    "very-dilute-acid": lambda: f"{dilute():.2f}",
    "second-order-decay": lambda: f"{second_order_minutes()} minutes",
    "copper-plating": lambda: f"{1.27 / 63.5 * 2 * 96485 / 2.00 / 60:.0f} minutes",
    "silver-chromate": lambda: f"{(1.1e-12 / 4) ** (1 / 3):.1e} mol/L".replace("e-0", "e-"),
    "colour-blind-boy": lambda: Fraction(1, 2) * Fraction(1, 2),
    "carriers-of-a-disease": lambda: f"1 in {1 / (2 * math.sqrt(1 / 2500)):.0f}",
    "healthy-sister": lambda: Fraction(2, 4) / Fraction(3, 4),
    "share-of-guanine": lambda: f"{(100 - 2 * 22) / 2:g} %",
    "ten-centimorgans": lambda: f"{10 / 2:g} %",
    "two-heads-in-a-row": expected_tosses,
    "no-letter-right": derangements,
    "zeros-of-a-factorial": lambda: len(str(math.factorial(100))) - len(str(math.factorial(100)).rstrip("0")),
    "last-two-digits": lambda: f"{pow(7, 2026, 100):02d}",
    "vanishing-determinant": determinant,
    "weighted-halves": lambda: f"{sum(n / 2**n for n in range(1, 99)):g}",
    "edges-of-a-map": lambda: 10 + 7 - 2,
    "neither-two-three-five": neither,
    "onto-three": onto,
    "four-cards": lambda: " and ".join(wason()),
    "knights-and-knaves": lambda: (
        "Ben is a knave; Ana may be either." if knaves() == [(True, False), (False, False)] else ""
    ),
    "true-rows": true_rows,
    "positive-test": lambda: f"{0.01 * 0.9 / (0.01 * 0.9 + 0.99 * 0.05):.0%}".replace("%", " %"),
    "variance-of-a-difference": lambda: f"{4 + 9 - 2 * 0.5 * 2 * 3:g}",
    "larger-of-two-dice": lambda: f"about {larger_die():.2f}",
    "four-doors": switched,
    "twenty-tests": lambda: f"{1 - 0.95**20:.0%}".replace("%", " %"),
    "noon-in-june": lambda: f"{90 - 60 + 23.4:.1f}°",
    "dried-cucumbers": lambda: f"{100 * (1 - 0.99) / (1 - 0.98):.0f} kg",
    "march-to-november": weekday,
    "sale-after-sale": lambda: f"{1 - 0.8 * 0.8 * 1.5:.0%} lower".replace("%", " %"),
    "hands-of-a-clock": lambda: f"{abs((3 + 40 / 60) * 30 - 40 * 6):.0f}°",
    "dearer-tickets": lambda: f"It rises by {100 * (1.10 * 0.95 - 1):.1f} %.",
    "real-interest": lambda: f"{100 * (1.07 / 1.03 - 1):.2f} %",
    "monopoly-price": lambda: max(range(101), key=lambda price: (price - 20) * (100 - price)),
    "eight-bits": lambda: int.from_bytes([0b11110110], signed=True),
    "hash-collision": lambda: f"about {collision():,}",
    "search-trees": lambda: math.comb(10, 5) // 6,
    "number-to-treat": lambda: f"{round(1 / (0.002 - 0.001)):,}",
    "cardiac-output": lambda: f"about {72 * 0.070 * 15:.0f} L",
    "four-times-as-far": lambda: f"{4**1.5:g} years",
    "five-magnitudes": lambda: round(10 ** (0.4 * 5)),
    "parallax-and-magnitude": lambda: f"{6.5 - 5 * math.log10(1 / 0.05 / 10):.1f}",
    "tempered-fifth": lambda: f"It is narrower by about {1200 * math.log2(1.5) - 700:.0f} cents.",
    "twelve-fifths": lambda: f"about {1200 * math.log2(1.5**12 / 2**7):.0f} cents",
}


@pytest.mark.parametrize("name", COMPUTED)
def test_an_answer_that_can_be_computed_is_right(name: str) -> None:
    assert CASES[name].truth == str(COMPUTED[name]())


def test_the_hospitals_are_as_the_answer_says() -> None:
    a, b = ((90, 100), (300, 900)), ((765, 900), (30, 100))
    assert all(cured / of > others / those for (cured, of), (others, those) in zip(a, b, strict=True))
    assert sum(cured for cured, _ in a) < sum(cured for cured, _ in b)
    assert str(CASES["two-hospitals"].truth).startswith("A cures the larger share of either kind, B the")
