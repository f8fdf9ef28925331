"""The viewer by keyboard alone."""

import re
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import pytest
from playwright.sync_api import expect

from tests.analysis.viewer.browser.conftest import Look, Viewer

pytestmark = pytest.mark.browser

FOCUSED = """
() => {
  const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
  return {
    what: at.getAttribute("aria-label") || at.textContent.trim() || at.name || at.id,
    outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    seen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    body: at === document.body,
    place: [...document.querySelectorAll("*")].indexOf(at),
  };
}
"""


def changes(viewer: Viewer) -> pd.Series:
    """How many turns of each debate of `ladders` left the label of their seat."""
    turns = pd.read_parquet(viewer.folder / "ladders" / "tables" / "turns").sort_values(["seat", "round"])
    before = turns.groupby(["debate_id", "seat"])["label"].shift()
    return ((turns["label"] != before) & (turns["round"] > 1)).groupby(turns["debate_id"]).sum()


def test_next_and_previous_stay_within_the_filter(look: Look, viewer: Viewer) -> None:
    page = look("/ladders/debates?protocol=synchronous&change=yes&repetition=2")
    wanted = page.locator("table.debates tbody th a").evaluate_all("all => all.map((a) => a.pathname)")
    assert len(wanted) > 2
    page.locator("table.debates tbody th a").first.press("Enter")
    page.wait_for_url(re.compile(re.escape(wanted[0])))
    seen = [urlsplit(page.url).path]
    for path in wanted[1:]:
        page.keyboard.press("j")
        page.wait_for_url(re.compile(re.escape(path)))
        seen.append(urlsplit(page.url).path)
    assert seen == wanted
    assert parse_qs(urlsplit(page.url).query) == {
        "protocol": ["synchronous"],
        "change": ["yes"],
        "repetition": ["2"],
    }
    assert page.get_by_role("link", name="Next").count() == 0
    page.keyboard.press("k")
    page.wait_for_url(re.compile(re.escape(wanted[-2])))


def test_the_next_change_of_verdict_is_focused_and_seen(look: Look, viewer: Viewer) -> None:
    counted = changes(viewer)
    page = look(f"/ladders/debates/{counted.idxmax()}")
    marked = page.locator("[data-change]")
    assert marked.count() == counted.max() > 1
    for place in [*range(marked.count()), 0]:
        page.keyboard.press("c")
        expect(marked.nth(place)).to_be_focused()
        expect(marked.nth(place)).to_be_in_viewport()
    page.keyboard.press("Shift+C")
    expect(marked.nth(marked.count() - 1)).to_be_focused()


@pytest.mark.parametrize("path", ["/ladders", "/ladders/debates", "/compare", "/ladders/label", "debate"])
def test_the_tabulator_goes_through_a_page_in_its_order_and_is_always_seen(
    look: Look, viewer: Viewer, path: str
) -> None:
    page = look(f"/ladders/debates/{changes(viewer).idxmax()}" if path == "debate" else path)
    places: list[int] = []
    for _ in range(40):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUSED)
        if found["body"] or found["place"] in places:
            break
        assert found["what"], path
        assert found["outlined"], found
        assert found["seen"], found
        places.append(found["place"])
    assert len(places) > 5
    assert places == sorted(places)


def test_the_first_stop_leads_to_the_content(look: Look) -> None:
    page = look("/ladders/debates")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")


def test_keys_are_letters_where_one_writes(look: Look) -> None:
    page = look("/ladders/debates")
    page.get_by_label("Text in case or turns").press_sequentially("jkc")
    assert page.url.endswith("/ladders/debates")
    assert page.get_by_label("Text in case or turns").input_value() == "jkc"
