"""Oversight studies drawn at random, in which anything may be."""

from __future__ import annotations

import random

from tests.analysis.oversight.played import Played

TURNS = ("A", "B", "C", "?", "!C", "!D", "Ah", "Bl", "Am")
VARIANTS = ('{"history":"last","turns":5}', '{"history":"full","turns":5}')
MODES = ("consensus", "swapped", "turn_limit")
TRUTHS = ("one", "one", "two", None)


def draw(seed: int, cases: int = 12) -> Played:
    """A study of so many questions from two data sets, most of them with all protocols and two judges."""
    dice = random.Random(seed)
    made = Played()
    for number in range(cases):
        case = f"c{number:04}"
        made.question(case, dice.choice(TRUTHS), dice.choice(("x", "y")))
        for repetition in range(1, dice.choice((2, 3))):
            listing = dice.choice(("1-2-3-4", "4-2-1-3"))
            opened = made.openings(
                case, dice.choice(("AB", "BA", "BC", "A?")), True, repetition=repetition, listing=listing
            )
            made.judged(opened, dice.choice("ABC?"), sees="nothing")
            for debate in _debates(made, opened, dice):
                for judge in ("weak", "strong"):
                    _judged(made, debate, judge, dice)
            for consultant in (1, 2):
                alone = made.debate(opened, "consultancy", variant=f'{{"consultant":{consultant}}}')
                made.judged(alone, "ABCD?"[(number * consultant) % 5], "weak")
    return made


def _judged(made: Played, debate: str, judge: str, dice: random.Random) -> None:
    answers, said = dice.choice((("option", "ABCD?"), ("winner", ("1", "2", "neither", "?"))))
    if dice.random() < 0.9:
        made.judged(debate, dice.choice(said), judge, answers=answers)
    else:
        design, _ = made.debates[debate]
        made.failed(design["case_id"], design["protocol"], judge)


def _debates(made: Played, opened: str, dice: random.Random) -> list[str]:
    found = []
    for place, protocol in enumerate(
        ("double_consultancy", "debate", "debate", "disagreement_resolution", "disagreement_resolution")
    ):
        turns = [f"{dice.choice(TURNS)} {dice.choice(TURNS)}" for _ in range(dice.randrange(1, 4))]
        own = {"exit_mode": dice.choice(MODES), "variant": VARIANTS[place % 2]} if place >= 3 else {}
        final = dice.choice(("AA", "AB", "BA", "BB", "CB", "A?"))
        if dice.random() < 0.9:
            found.append(made.debate(opened, protocol, final, turns, stance_swap=place == 2, **own))
        else:
            made.failed(made.debates[opened][0]["case_id"], protocol, stance_swap=place == 2)
    return found
