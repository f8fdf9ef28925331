"""One debate: what was said stands where it was said, and what is to be seen is marked."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.analysis.viewer.client import client
from tests.analysis.viewer.made_up import Made, case, judgment, write

pytestmark = pytest.mark.long


def asking(tmp_path: Path, *debates: Made, **others: object) -> TestClient:
    return client([write(tmp_path / "run", debates, **others)])  # type: ignore[arg-type]


def cells(page: str) -> list[list[str]]:
    """The cells of the table of turns, row by row, without the heads."""
    [table] = re.findall(r'<table class="turns.*?</table>', page, re.DOTALL)
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.DOTALL)[1:]
    return [re.findall(r"<td>(.*?)</td>", row, re.DOTALL) for row in rows]


def chips(cell: str) -> list[str]:
    return re.findall(r'class="chip [^"]*"[^>]*>(?:<bdi class="said">)?([^<]+)', cell)


def test_seats_are_columns_and_rounds_are_rows(tmp_path: Path) -> None:
    made = Made("d", [("NTA", "YTA", "ESH"), ("NTA", None, "NTA")], panel=("alpha", "beta", "alpha"))
    page = asking(tmp_path, made, cases=[case()]).get("/run/debates/d").text
    assert [[chips(cell) for cell in row] for row in cells(page)] == [
        [["NTA"], ["YTA"], ["ESH"]],
        [["NTA"], [], ["NTA"]],
    ]
    assert "did not speak" in cells(page)[1][1]
    assert page.count("<h1>") == 1
    assert "Title of case1" in page
    assert "The story of case1." in page


def test_a_change_of_verdict_is_marked_where_it_happens(tmp_path: Path) -> None:
    made = Made("d", [("NTA", "YTA"), ("missing", "YTA"), ("YTA", "YTA"), ("NTA", "YTA")])
    rows = cells(asking(tmp_path, made).get("/run/debates/d").text)
    changes = [[re.findall(r"changed from <bdi[^>]*>(\w+)", cell) for cell in row] for row in rows]
    assert changes == [[[], []], [[], []], [["NTA"], []], [["YTA"], []]]
    assert "missing" in rows[1][0]


def test_a_stance_that_was_given_is_no_change(tmp_path: Path) -> None:
    made = Made(
        "d",
        [("A", "B"), ("B", "A"), ("A", "B")],
        own={(2, "seat1"): {"stance": "B"}, (2, "seat2"): {"stance": "A"}},
    )
    page = asking(tmp_path, made).get("/run/debates/d").text
    assert "changed from" not in page
    assert re.search(r"argues for <bdi[^>]*>B", cells(page)[1][0])


def test_a_position_that_is_not_admitted_leaves_the_one_before(tmp_path: Path) -> None:
    made = Made("d", [("A", "B"), ("C", "B"), ("A", "A")], own={(2, "seat1"): {"violation": "outside"}})
    rows = cells(asking(tmp_path, made).get("/run/debates/d").text)
    assert "outside" in rows[1][0]
    assert "changed from" not in rows[2][0]
    assert "changed from" in rows[2][1]


def test_what_a_resolution_states_stands_with_its_turn(tmp_path: Path) -> None:
    own = {"confidence": 0.75, "crux": "Whether it rains.", "action": "adopt", "stated_action": "retain"}
    made = Made("d", own={(2, "seat2"): own}, ended={"exit_mode": "turn_limit"})
    page = asking(tmp_path, made).get("/run/debates/d").text
    cell = cells(page)[1][1]
    for said in ("confidence 0.75", 'value="0.75"', "Whether it rains.", "adopt", "stated retain"):
        assert said in cell
    assert "exit: turn limit" in page


@pytest.mark.parametrize(("listing", "right"), [("1-2-3", "B"), ("3-1-2", "C"), (None, "B")])
def test_the_right_option_is_marked_as_it_was_listed(tmp_path: Path, listing: str | None, right: str) -> None:
    made = Made("d", [("A", "B")], case="q", design={"listing": listing})
    told = case("q", options=["red", "green", "blue"], truth="green")
    page = asking(tmp_path, made, cases=[told]).get("/run/debates/d").text
    [item] = re.findall(r'<li class="right">(.*?)</li>', page, re.DOTALL)
    assert chips(item) == [right]
    assert "green" in item
    assert "✓ right" in item


def test_judges_decisions_stand_below_with_what_they_were_shown(tmp_path: Path) -> None:
    made = Made("d")
    asked = asking(tmp_path, made, others=[judgment(made, "j", decision="B", confidence=0.25)])
    page = asked.get("/run/debates/d").text
    [table] = re.findall(r"<h3>Judges</h3>.*?</table>", page, re.DOTALL)
    assert chips(table) == ["B"]
    assert "0.25" in table
    [address] = re.findall(r'href="(/run/debates/j/turns/[^"]+)"', table)
    assert "Judge what was said." in asked.get(address).text
    assert asked.get("/run/debates/j").status_code == 404


def test_a_turn_has_exactly_what_was_shown_and_what_it_took(tmp_path: Path) -> None:
    asked = asking(tmp_path, Made("d", shown="Think\n  twice."))
    cell = cells(asked.get("/run/debates/d").text)[1][0]
    assert "100 → 7 tokens · 1.5 s · seed 1002" in cell
    [address] = re.findall(r'data-piece="([^"]+)"', cell)
    piece = asked.get(f"{address}?piece=1").text
    assert "<html" not in piece
    assert "Think\n  twice." in piece
    assert "Round 2, seat1" in piece
    assert "seat2" not in piece
    assert re.search(r'<details class="reasoning"><summary>.*?Thoughts of seat1 in round 2', piece, re.DOTALL)
    assert "<html" in asked.get(address).text


def test_an_opening_leads_to_what_was_shown_where_it_was_said(tmp_path: Path) -> None:
    first = Made("first", [("A", "B")])
    opening = {"opening": True}
    on = Made(
        "on",
        [("A", "B"), ("A", "A")],
        own={(1, "seat1"): opening, (1, "seat2"): opening},
        design={"stage": "argued"},
        ended={"source_debate": "first"},
    )
    asked = asking(tmp_path, first, on)
    page = asked.get("/run/debates/on").text
    assert '<tr class="opening">' in page
    answer = asked.get("/run/debates/on/turns/1/seat1?piece=1")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/run/debates/first/turns/1/seat1?piece=1"
    assert "Round 1, seat1" in asked.get(answer.headers["location"]).text


def test_values_are_shown_and_those_adopted_are_marked(tmp_path: Path) -> None:
    made = Made("d", [("NTA", "YTA"), ("YTA", "YTA")])
    places = {
        (1, "seat1"): ["care"],
        (1, "seat2"): ["care", "truth"],
        (2, "seat1"): ["care", "truth", "hope"],
        (2, "seat2"): ["hope"],
    }
    labels = [
        judgment(
            made,
            f"l{number}",
            kind="label",
            judge="careful",
            source_round=place[0],
            source_seat=place[1],
            judged_labels=values,
        )
        for number, (place, values) in enumerate(places.items())
    ]
    run = write(tmp_path / "run", [made])
    own = {table: [row for one in labels for row in one[table]] for table in ("judgments", "debates")}
    write(run / "judgments" / "by-hand", [], others=[own])
    page = client([run]).get("/run/debates/d").text
    found = [
        [re.findall(r'class="value( adopted)?"><bdi[^>]*>(\w+)', cell) for cell in row] for row in cells(page)
    ]
    assert found == [
        [[("", "care")], [("", "care"), ("", "truth")]],
        [[("", "care"), (" adopted", "truth"), ("", "hope")], [("", "hope")]],
    ]
    assert "adopted from seat2" in cells(page)[1][0]
    assert "careful, pass 1 (by-hand)" in page


def test_the_same_case_stands_below_and_side_by_side(tmp_path: Path) -> None:
    one, two, other = Made("one"), Made("two", design={"repetition": 2}), Made("other", case="case2")
    asked = asking(tmp_path, one, two, other)
    page = asked.get("/run/debates/one").text
    [section] = re.findall(r'<section class="cells">.*?</section>', page, re.DOTALL)
    assert re.findall(r'href="/run/debates/(\w+)"', section) == ["two"]
    beside = asked.get("/run/debates/one?beside=two").text
    assert beside.count('<table class="turns') == 2
    assert asked.get("/run/debates/one?beside=nothing").text.count('<table class="turns') == 1


def test_of_a_case_in_many_cells_those_most_alike_are_listed_and_all_are_a_step_away(tmp_path: Path) -> None:
    same = [Made(f"same{n}", design={"repetition": n}) for n in range(30)]
    others = [Made(f"far{n}", design={"protocol": "solo", "repetition": n}) for n in range(30)]
    asked = asking(tmp_path, *same, *others)
    page = asked.get("/run/debates/same0").text
    [section] = re.findall(r'<section class="cells">.*?</section>', page, re.DOTALL)
    listed = re.findall(r'href="/run/debates/(\w+)"', section)
    assert listed == [*(f"same{n}" for n in range(1, 30)), *(f"far{n}" for n in range(11))]
    [address] = re.findall(r'href="([^"]*)">All 60 debates of this case', section)
    assert "60 debates" in asked.get(address).text


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    asked = asking(tmp_path, Made("d"))
    for address in (
        "/run/debates/none",
        "/nowhere/debates",
        "/run/nothing",
        "/run/debates/none/turns/1/seat1",
    ):
        answer = asked.get(address)
        assert answer.status_code == 404
        assert "Not here" in answer.text
    assert "Nothing was asked" in asked.get("/run/debates/d/turns/7/seat1").text
