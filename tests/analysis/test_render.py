"""What a person reads: every number of the summary is there, and fits the page."""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from rich.console import Console, Group

from analysis.head import BOOTSTRAP, WILSON
from analysis.render import (
    FAILED,
    FAILED_JUDGMENTS,
    ROUND_ROBIN,
    UNREADABLE,
    UNREADABLE_JUDGMENTS,
    render,
)
from analysis.summary import summary
from analysis.tally import CONDITION
from tests.analysis.counting import said, tallied, two_seats
from tests.analysis.synthetic import Debate, Judged, Said, draw, judge

pytestmark = pytest.mark.long


def page(debates: list[Debate], width: int = 100, by: tuple[str, ...] = CONDITION) -> str:
    """The summary of these debates, as it goes through a pipe."""
    return _printed(tuple(debates), width, by)


@cache
def _printed(debates: tuple[Debate, ...], width: int, by: tuple[str, ...]) -> str:
    sheet = io.StringIO()
    Console(file=sheet, width=width).print(_rendered(debates, by))
    return sheet.getvalue()


@cache
def _rendered(debates: tuple[Debate, ...], by: tuple[str, ...]) -> Group:
    return render(summary("runs/one", tallied(debates), by=by))


def line(text: str, start: str) -> list[str]:
    """The words of the first line that starts so."""
    return next(row.split() for row in text.splitlines() if row.strip().startswith(start))


def flowing(text: str) -> str:
    """The text as if its lines had not been broken."""
    return " ".join(text.split())


def table(text: str, question: str) -> str:
    """The part of a page under a question."""
    return text.partition(question)[2].partition("?")[0]


SPLIT = [two_seats("NN"), two_seats("NY", "NN"), two_seats("N?", "NY", "YY"), two_seats("NY", "YN")]
FOUR = [replace(one, id=f"d{place}") for place, one in enumerate(SPLIT)]
APART = [replace(one, case=one.id) for one in FOUR]
FAILED_ONE = Debate("f", "synchronous", ("alpha", "beta"), "1-2", "default", error="Timeout")
READABLE = [FOUR[0], FOUR[1], FOUR[3]]


def test_consensus_with_its_denominator_and_what_is_not_in_it() -> None:
    shown = page([*APART, FAILED_ONE])
    assert line(shown, "synchronous") == ["synchronous", "25.0%", "25.0%", "25.0%", "25.0%", "4", "1", "1"]
    assert "5–70" in shown, "the interval of one in four"


def test_changes_by_seat() -> None:
    shown = page([*FOUR, FAILED_ONE])
    first = ["50.0%", "50.0%", "4", "50.0%", "2", "0", "1"]
    assert line(shown, "synchronous  seat 1") == ["synchronous", "seat", "1", *first]
    assert line(shown, "seat 2")[-7:] == ["66.7%", "66.7%", "3", "100.0%", "2", "1", "1"]


def test_a_model_in_several_seats_has_a_row_for_any_of_them() -> None:
    assert "any seat of alpha" in page([two_seats("NY", "NN", models=("alpha", "alpha"))])


def test_totals_failures_and_what_is_the_same_everywhere() -> None:
    shown = page([*FOUR, FAILED_ONE])
    assert "4 debates finished, 1 failed, 16 calls" in shown
    assert "panel alpha + beta, order 1-2, steering default, answer format json" in flowing(shown)
    assert line(shown, "Timeout") == ["Timeout", "1"]


def test_cut_off_replies_stand_beside_the_calls() -> None:
    cut = Debate("d", "solo", ("alpha",), None, "default", said("N"))
    repaired = replace(cut.said[0][0], status="repaired")
    shown = table(page([cut, replace(cut, id="e", said=((repaired,),))]), "What did each model do?")
    assert line(shown, "alpha") == ["alpha", "2", "1", "200", "80", "14", "$0.0001"]
    assert "50.0%" in shown


def test_what_was_lost_has_columns_that_are_explained_and_without_loss_none() -> None:
    lossy, clean = page([*FOUR, FAILED_ONE]), page(READABLE)
    for note in (*UNREADABLE.values(), FAILED):
        assert note in flowing(lossy)
        assert note not in flowing(clean)
    assert "no turn was unreadable; no debate failed" in clean
    assert "no turn was unreadable" not in lossy
    assert "turns were unreadable: " in lossy
    assert "turns were unreadable" not in clean
    assert "no debate failed" not in lossy
    assert line(clean, "condition")[-2:] == ["never", "debates"]


def test_only_what_was_lost_is_shown() -> None:
    assert line(page([*READABLE, FAILED_ONE]), "condition")[-2:] == ["debates", "failed"]
    assert "no turn was unreadable" in page([*READABLE, FAILED_ONE]).splitlines()
    assert line(page(FOUR), "condition")[-2:] == ["debates", "unreadable"]
    assert "no debate failed" in page(FOUR).splitlines()


def test_intervals_draw_cases_where_they_come_back() -> None:
    assert WILSON in flowing(page(APART))
    again = flowing(page([*APART, *(replace(one, id=f"{one.id} again") for one in APART)]))
    assert BOOTSTRAP in again
    assert WILSON not in again
    assert "0–75" in again, "of four cases, as wide as if each had been debated once"
    assert "–" not in table(page(FOUR), "first agree?"), "of one case there is no interval"


def test_round_robin_comes_with_its_caveat() -> None:
    assert ROUND_ROBIN not in flowing(page(FOUR))
    begun = replace(FOUR[1], id="r", protocol="round_robin")
    assert ROUND_ROBIN in flowing(page([*FOUR, begun]))
    assert ROUND_ROBIN not in flowing(page([*FOUR, replace(begun, stage="longer", inherited=1)]))


def test_a_pooled_table_says_what_it_is_pooled_over() -> None:
    shown = page([*FOUR, replace(FOUR[0], id="o", order="2-1")], by=("protocol",))
    assert "pooled over order (1-2, 2-1)" in shown
    assert line(shown, "synchronous")[-2:] == ["5", "1"]
    assert "pooled" not in page(FOUR)


@pytest.mark.parametrize(
    ("rounds", "times"), [(("NY",), ["round 1"]), (("NY", "NN"), ["round 1", "last round"])]
)
def test_where_the_first_round_is_the_last_its_verdicts_stand_once(
    rounds: tuple[str, ...], times: list[str]
) -> None:
    shown = table(page([two_seats(*rounds)]), "first and last?")
    assert [row.strip() for row in re.findall(r"(?:round 1|last round) ", shown)] == 2 * times


def test_what_no_backend_reported_is_not_in_the_header() -> None:
    refused = Debate("d", "solo", ("alpha",), None, "default", said("N"))
    unpriced = replace(refused, said=((replace(refused.said[0][0], status="refusal"),),))
    assert "cost" not in page([unpriced]).split("\n\n")[0]
    priced = replace(refused, id="e", models=("beta",))
    assert "cost of some calls unknown" in page([unpriced, priced])


JUDGES = (
    Judged("judged", "carla", Said("NTA", "ok")),
    Judged("judged", "carla", Said("YTA", "ok")),
    Judged("judged", "dora", Said(None, "missing")),
    Judged("judged", "dora", error="Timeout"),
)


def test_judgments_are_told_apart_from_debates() -> None:
    shown = page([replace(FOUR[0], judged=JUDGES), *FOUR[1:]])
    assert "4 debates finished, 0 failed; 3 judgments, 1 failed; 19 calls" in shown
    assert BOOTSTRAP in flowing(shown)
    assert "in all debates: protocol synchronous, panel alpha + beta" in flowing(shown)
    assert "no debate failed\n" in shown
    decided = table(shown, "What did the judges decide?")
    assert line(decided, "stage judged") == ["stage", "judged", "·", "answer", "format", "text"]
    assert line(decided, "carla")[:8] == ["carla", "50.0%", "50.0%", "0.0%", "0.0%", "0.0%", "2", "0"]
    assert line(decided, "dora") == ["dora", *5 * ["–"], "0", "1", "1"]
    assert UNREADABLE_JUDGMENTS in decided
    assert FAILED_JUDGMENTS in decided
    assert line(shown, "Timeout") == ["Timeout", "0", "1"]


def test_judgments_that_all_went_well_have_no_columns_of_loss() -> None:
    shown = page([replace(FOUR[0], judged=JUDGES[:2]), *FOUR[1:]])
    assert "no debate failed; no judgment was unreadable; no judgment failed" in shown
    assert line(table(shown, "judges decide?"), "carla")[6:7] == ["2"]
    assert "failed" not in table(shown, "judges decide?")


def test_without_judgments_and_further_stages_nothing_is_said_of_them() -> None:
    for word in ("judg", "stage", "go on from"):
        assert word not in page([*FOUR, FAILED_ONE])


def test_debates_that_go_on_stand_below_in_their_stage_and_are_explained() -> None:
    onward = replace(FOUR[1], id="o", stage="longer", inherited=1)
    shown = page([*FOUR, onward])
    assert line(shown, "stage debate")[-2:] == ["4", "1"]
    assert line(shown, "stage longer")[-2:] == ["1", "0"]
    assert shown.index("stage debate") < shown.index("stage longer  ")
    assert "debates of stage longer go on from others" in shown
    assert line(table(shown, "Could the turns be read?"), "alpha")[-1] == "9", "one of them its own"


def test_default_steering_stands_above_others() -> None:
    shown = page([*FOUR, replace(FOUR[0], id="b", steering="balanced")])
    assert shown.index("steering default") < shown.index("steering balanced")


def test_a_pipe_gets_no_escape_codes() -> None:
    assert "\x1b" not in page(FOUR)


def test_a_run_without_results_says_so_without_tables() -> None:
    assert page([]) == "runs/one\nNo debate has finished or failed yet: there is nothing to show.\n"


def three_seats(debate: Debate, protocol: str, steering: str) -> Debate:
    """A debate of two seats with a third that says what the first says."""
    doubled = tuple((*turns, turns[0]) for turns in debate.said)
    id = f"{protocol} {steering} {debate.id}"
    return Debate(id, protocol, ("anna", "bert", "anna"), "1-2-3", steering, doubled)


THREE = [
    three_seats(debate, protocol, steering)
    for protocol in ("synchronous", "round_robin")
    for steering in ("+".join(3 * ["adversarial"]), "default+default+adversarial", "default+default+kind")
    for debate in FOUR
]
STEERINGS = ("adversarial ×3", "default + default + adversarial", "default + default + kind")
HEADINGS = (
    "condition seat model round never debates changed ended disagreed first unreadable failed verdicts"
    " NTA YTA ESH NAH INFO ok repaired missing invalid refusal truncated turns calls cut off tokens read"
    " of them cached written cost"
)


@pytest.mark.parametrize("width", [40, 80, 100, 120])
def test_three_seats_with_long_steerings_fit_the_page_whole(width: int) -> None:
    shown = page([*THREE, replace(FAILED_ONE, models=("anna", "bert", "anna"))], width)
    assert all(len(row) <= width for row in shown.splitlines())
    assert "…" not in shown
    assert set(HEADINGS.split()) <= set(shown.split())
    for protocol in ("synchronous", "round_robin"):
        for steering in STEERINGS:
            named = f"{protocol} · order 1-2-3 · steering {steering}"
            assert flowing(shown).count(named) >= 3, "in the tables of consensus, change and verdicts"


def test_every_width_shows_the_same_figures() -> None:
    figures = [Counter(re.findall(r"[0-9.]+%", page(THREE, width))) for width in (40, 80, 100, 120, 200)]
    assert all(found == figures[-1] for found in figures)


@pytest.mark.parametrize("width", [40, 80, 100, 200])
def test_random_runs_fit_the_page(width: int) -> None:
    shown = page(judge(draw(1, 90), 1), width)
    assert all(len(row) <= width for row in shown.splitlines())
    assert "…" not in shown
