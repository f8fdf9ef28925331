"""Studies with openings, a filter, protocols that argue and judges: what is played and written."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from ray_jobs.cases import CaseRow
from ray_jobs.experiment import Experiment
from ray_jobs.log import Row
from ray_jobs.plan import Plan
from ray_jobs.stages import Onward
from tests.ray_jobs.plays import played
from tests.ray_jobs.studies import study

pytestmark = pytest.mark.long

LETTERS = "ABCD"
PROTOCOLS: list[Any] = [
    {"consultancy": {"turns": 2}},
    {"consultancy": {"consultant": 2, "turns": 1}},
    {"double_consultancy": {"turns": 2}},
    {"debate": {"turns": 2, "words": 12}},
    {"debate": {"turns": 2, "form": "alternating", "first": "simultaneous"}},
    {"debate": {"turns": 1, "best_of_n": {"n": 3, "preference": "c", "seats": [2]}}},
    "disagreement_resolution",
    {"disagreement_resolution": {"turns": 2, "history": "full", "critiqued": {"critic": "c"}}},
]
JUDGES = {"models": ["b", "c"], "display": "crossed"}


def questions(count: int, truths: str = "one") -> list[CaseRow]:
    """Questions of four options; the right one is their first, or for `truths` "other" their last."""
    options = ["one", "two", "three", "other"]
    return [
        CaseRow(f"q{n}", "", f"Question {n}?", options=options, truth=truths) for n in range(1, count + 1)
    ]


def argued(keep: str = "disagree", **keys: object) -> Experiment:
    """Openings, every protocol, and judges of each kind."""
    stages: list[Any] = [
        {"name": "naive", "judges": {"models": ["c"], "sees": "nothing"}},
        {"name": "argued", "keep": keep, "protocols": PROTOCOLS, "stance_swap": "crossed"},
        {"name": "judged", "from": "argued", "judges": JUDGES},
        {"name": "named", "from": "argued", "judges": {**JUDGES, "answers": "winner", "sees": "positions"}},
    ]
    return study(panels=[["a", "b"]], protocols=["solo"], stages=stages, seed=3, **keys)


@cache
def tables(keep: str = "disagree", truths: str = "one", count: int = 6) -> dict[str, list[Row]]:
    """All rows of such a study."""
    found: dict[str, list[Row]] = defaultdict(list)
    for rows in played(argued(keep), questions(count, truths)):
        for table, own in rows.items():
            found[table] += own
    return found


def asks(rows: list[Row]) -> dict[tuple[str, int, int], tuple[str, str]]:
    """Every ask of a run: its question and its reply, by debate, step and slot."""
    return {(row["debate_id"], row["step"], row["slot"]): (row["fingerprint"], row["text"]) for row in rows}


def test_law_9_no_ask_depends_on_the_right_answer() -> None:
    """Of all debates that disagree, whichever option is right."""
    assert asks(tables(truths="one")["replies"]) == asks(tables(truths="other")["replies"])
    assert {row["protocol"] for row in tables()["replies"]} >= {
        *("solo", "consultancy", "double_consultancy", "debate", "disagreement_resolution")
    }


def test_law_9_the_filter_alone_knows_the_right_answer() -> None:
    """It decides which debates go on, and nothing in them."""
    one, other = (asks(tables("one_right", truths, 12)["replies"]) for truths in ("one", "other"))
    both = one.keys() & other.keys()
    assert one.keys() != other.keys()
    assert {key: one[key] for key in both} == {key: other[key] for key in both}
    assert len(both) > 100


def test_only_those_go_on_that_the_filter_keeps() -> None:
    debates = tables("one_right", "one", 12)["debates"]
    openings = {row["debate_id"]: row for row in debates if row["stage"] == "debate"}
    gone_on = {row["source_debate"] for row in debates if row["stage"] == "argued"}
    assert gone_on == {id for id, row in openings.items() if row["standing"] == "one_right"} != set()
    for row in openings.values():
        right = LETTERS[row["listing"].split("-").index("1")]
        assert (row["standing"] == "one_right") == (
            row["final_labels"].count(right) == 1 and len(set(row["final_labels"])) == 2
        )


def test_openings_are_asked_once_and_stand_first_in_every_further_debate() -> None:
    said = defaultdict(list)
    for row in tables()["turns"]:
        if row["round"] == 1:
            said[row["stage"], row["debate_id"]].append((row["seat"], row["label"], row["shown"]))
    sources = {row["debate_id"]: row["source_debate"] for row in tables()["debates"]}
    argued = {id: turns for (stage, id), turns in said.items() if stage == "argued"}
    assert argued
    for id, turns in argued.items():
        assert sorted(turns) == sorted(said["debate", sources[id]])
    assert all(row["step"] > 0 or row["round"] > 1 for row in tables()["replies"] if row["stage"] == "argued")


def test_stances_are_the_openings_or_with_a_swap_the_other_ones() -> None:
    opened = {(row["debate_id"], row["seat"]): row["label"] for row in tables()["turns"] if row["round"] == 1}
    for row in tables()["turns"]:
        if row["stance"] is None:
            assert row["round"] == 1 or row["protocol"] == "disagreement_resolution"
            continue
        other = {"seat1": "seat2", "seat2": "seat1"}[row["seat"]]
        stance = opened[row["debate_id"], other if row["stance_swap"] else row["seat"]]
        assert row["label"] == row["stance"] == stance


def test_swaps_and_listings_are_columns() -> None:
    """Each protocol that argues is played both ways; all debates of a case list its options alike."""
    swaps = defaultdict(set)
    listings = defaultdict(set)
    for row in tables()["debates"]:
        listings[row["case_id"]].add(row["listing"])
        if row["stage"] == "argued":
            swaps[row["protocol"]].add(row["stance_swap"])
    assert all(len(found) == 1 for found in listings.values())
    assert len({*map(tuple, listings.values())}) > 1
    assert swaps.pop("disagreement_resolution") == {None}
    assert set(map(frozenset, swaps.values())) == {frozenset({False, True})}


def test_crossed_listings_are_the_drawn_one_and_its_reverse() -> None:
    plan = [rows["debates"][0] for rows in played(argued(listing="crossed"), questions(2))]
    listings = defaultdict(set)
    for row in plan:
        listings[row["case_id"]].add(row["listing"])
    for found in listings.values():
        first, second = found
        assert second == first[::-1]
    given = [
        rows["debates"][0]
        for rows in played(study(panels=[["a"]], protocols=["solo"], listing="given"), questions(1))
    ]
    assert [row["listing"] for row in given] == ["1-2-3-4"]


def test_judges_answer_with_an_option_or_a_winner() -> None:
    named = {row["answers"]: set() for row in tables()["judgments"]}
    for row in tables()["judgments"]:
        named[row["answers"]].add(row["decision"])
    assert named["option"] <= set(LETTERS)
    assert named["winner"] <= {"1", "2", "neither"}


def test_what_assists_is_asked_and_written_but_not_said() -> None:
    kinds = defaultdict(set)
    for row in tables()["replies"]:
        if row["stage"] == "argued":
            kinds[row["variant"]].add((row["kind"], row["model"], row["seat"]))
    [best] = [found for variant, found in kinds.items() if "best_of_n" in variant]
    assert best == {("turn", "a", "seat1"), ("candidate", "b", "seat2"), ("preference", "c", "seat2")}
    [critic] = [found for variant, found in kinds.items() if "critiqued" in variant]
    assert critic == {
        (kind, model, seat)
        for seat, own in (("seat1", "a"), ("seat2", "b"))
        for kind, model in (("candidate", own), ("critique", "c"), ("turn", own))
    }
    assert Plan(argued(), ()).models == {"a", "b", "c"}


def test_openings_of_the_data_stand_and_nobody_is_asked() -> None:
    openings = (("two", "Because of two."), ("one", "Because of one."))
    rows = [replace(row, openings=openings) for row in questions(2)]
    found = played(argued("one_right"), rows)
    openers = [each for each in found if each["debates"][0]["stage"] == "debate"]
    for each in openers:
        listing = each["debates"][0]["listing"].split("-")
        assert each["replies"] == []
        assert [turn["label"] for turn in sorted(each["turns"], key=lambda turn: turn["seat"])] == [
            LETTERS[listing.index("2")],
            LETTERS[listing.index("1")],
        ]
        assert each["debates"][0]["standing"] == "one_right"
    assert len(found) > len(openers) + 20


@pytest.mark.parametrize("labels", ["balanced", "fixed"])
def test_seats_that_were_alone_are_named_anew(labels: str) -> None:
    """So that in a study of openings neither seat is always Agent 1."""
    named = {
        row["labels"]
        for each in played(argued(labels=labels), questions(8))
        for row in each["debates"]
        if row["stage"] == "argued" and "alternating" not in row["variant"]
    }
    assert named == ({"1-2", "2-1"} if labels == "balanced" else {"1-2"})


def test_a_steering_that_a_protocol_does_not_know_makes_no_further_debates() -> None:
    """Sycophancy is for seats that resolve a disagreement; who argues for a stance argues once."""
    stage = {
        "name": "argued",
        "protocols": ["debate", "disagreement_resolution"],
        "steering": ["vanilla", ["sycophantic", "vanilla"]],
    }
    plan = Plan(study(panels=[["a", "b"]], protocols=["solo"], stages=[stage]), ())
    told = [
        (cell.protocol, cell.steering) for cell in plan.stages["argued"].cells if isinstance(cell, Onward)
    ]
    assert told == [
        ("debate", "none"),
        ("disagreement_resolution", "vanilla"),
        ("disagreement_resolution", ("sycophantic", "vanilla")),
    ]
