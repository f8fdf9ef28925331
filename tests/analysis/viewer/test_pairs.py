"""Pairs of two cells: by case and repetition, those that ended otherwise first, counted by hand."""

from pathlib import Path

import pytest

from analysis.viewer.cells import all_cells
from analysis.viewer.pairs import Pairs
from analysis.viewer.shelf import Shelf
from tests.analysis.viewer.client import client
from tests.analysis.viewer.client import told as progress
from tests.analysis.viewer.made_up import Made, case, write

AGREED, SPLIT = (("NTA", "NTA"),), (("NTA", "YTA"),)
OTHER = (("YTA", "YTA"),)


def made(id: str, labels: object, case: str, order: str, repetition: int = 1, **design: object) -> Made:
    own = {"order": order, "repetition": repetition, "protocol": "round_robin", **design}
    return Made(id, labels, case=case, design=own)  # type: ignore[arg-type]


DEBATES = [
    *(made("a1", AGREED, "c1", "1-2"), made("b1", AGREED, "c1", "2-1")),
    *(made("a2", AGREED, "c2", "1-2"), made("b2", SPLIT, "c2", "2-1")),
    *(made("a3", AGREED, "c3", "1-2"), made("b3", OTHER, "c3", "2-1")),
    *(made("a4", SPLIT, "c1", "1-2", 2), made("b4", SPLIT, "c1", "2-1", 2)),
    *(made("a5", AGREED, "c4", "1-2"), made("b5", AGREED, "c5", "2-1"), made("b6", AGREED, "c6", "2-1")),
]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write(tmp_path / "run", DEBATES, cases=[case(f"c{n}") for n in range(1, 7)])


def pairs(*runs: Path) -> Pairs:
    cells = all_cells(Shelf.of([str(run) for run in runs], progress))
    return Pairs.of(cells[0], cells[-1])


def test_they_pair_by_case_and_repetition_and_the_rest_is_counted(run: Path) -> None:
    found = pairs(run)
    assert {(one["debate_id"], other["debate_id"]) for one, other in found.pairs} == {
        ("a1", "b1"),
        ("a2", "b2"),
        ("a3", "b3"),
        ("a4", "b4"),
    }
    assert found.alone == (1, 2)
    assert found.differing == 2


def test_both_agreed_on_different_things_comes_first_then_other_differences(run: Path) -> None:
    order = [one["debate_id"] for one, _ in pairs(run).ordered]
    assert order == ["a3", "a2", "a1", "a4"]


def test_the_table_counts_endings_and_narrows(run: Path) -> None:
    found = pairs(run)
    first, second, counted = found.table
    assert first == ["NTA", "no consensus"]
    assert second == ["NTA", "no consensus", "YTA"]
    assert dict(counted) == {
        ("NTA", "NTA"): 1,
        ("NTA", "no consensus"): 1,
        ("NTA", "YTA"): 1,
        ("no consensus", "no consensus"): 1,
    }
    assert [one["debate_id"] for one, _ in found.narrowed("NTA", "YTA")] == ["a3"]
    assert [one["debate_id"] for one, _ in found.narrowed("", "no consensus")] == ["a2", "a4"]


def test_letters_are_told_apart_by_the_options_that_they_stand_for(tmp_path: Path) -> None:
    """A in one listing is C in the other: the panels agreed on one option."""
    debates = [
        made("a", (("A", "A"),), "c1", "1-2", listing="3-1-2"),
        made("b", (("C", "C"),), "c1", "2-1", listing="1-2-3"),
        made("c", (("A", "A"),), "c2", "1-2", listing="3-1-2"),
        made("d", (("A", "A"),), "c2", "2-1", listing="1-2-3"),
    ]
    found = pairs(write(tmp_path / "run", debates))
    assert [one["debate_id"] for one, _ in found.ordered] == ["c", "a"]
    assert found.differing == 1
    assert {row["ended"] for pair in found.pairs for row in pair} == {"option 3", "option 1"}


def test_what_is_played_more_than_once_pairs_one_by_one(tmp_path: Path) -> None:
    debates = [
        made(f"{cell}{listing}", AGREED, "c1", order, listing=listing)
        for cell, order in (("a", "1-2"), ("b", "2-1"))
        for listing in ("1-2", "2-1")
    ]
    found = pairs(write(tmp_path / "run", debates))
    assert [(one["listing"], other["listing"]) for one, other in found.pairs] == [
        ("1-2", "1-2"),
        ("2-1", "2-1"),
    ]


def test_two_runs_pair_too_and_a_cell_keeps_its_key_when_others_come(run: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "other", DEBATES[:6])
    found = pairs(run, other)
    assert len(found.pairs) == 3
    before = [cell.key for cell in all_cells(Shelf.of([str(run)], progress))]
    write(run, [made("z", AGREED, "c1", "1-2", steering="stern+stern")], stem="b-000000")
    after = [cell.key for cell in all_cells(Shelf.of([str(run)], progress))]
    assert set(before) < set(after)


def test_the_page_tells_what_it_cannot_take(run: Path) -> None:
    viewer = client([run])
    key = all_cells(Shelf.of([str(run)], progress))[0].key
    assert "the same cell twice" in viewer.get(f"/compare?a={key}&b={key}").text
    assert "page: found" in viewer.get("/compare?page=0").text
    assert "page: found" in viewer.get("/compare?page=%C2%B2").text
    assert viewer.get("/compare?a=%ED%A0%80&b=%00").status_code == 200


def test_a_run_may_be_called_as_a_page_is(tmp_path: Path) -> None:
    viewer = client([write(tmp_path / "compare", DEBATES), write(tmp_path / "static", DEBATES)])
    assert viewer.get("/compare").status_code == 200
    for run in ("compare~2", "static~2"):
        assert f'href="/{run}"' in viewer.get("/").text
        assert viewer.get(f"/{run}/debates").status_code == 200
