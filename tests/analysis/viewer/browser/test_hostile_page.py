"""Hostile text on every page: it is read as text, runs nothing, asks nothing of anybody, and breaks no layout."""

import pytest

from analysis.viewer.index import Index
from tests.analysis.viewer.browser.conftest import Look, Viewer
from tests.analysis.viewer.browser.test_every_page import pages
from tests.analysis.viewer.hostile import SCRIPTS

pytestmark = pytest.mark.browser

STRANGE = """
() => ({
  ran: window.ran ?? null,
  foreign: [...document.querySelectorAll("iframe, img, base, dialog, object, embed, style, script:not([src^='/static/'])")]
    .map((each) => each.outerHTML.slice(0, 80)),
  handlers: [...document.querySelectorAll("*")].filter((each) => [...each.attributes].some((a) => a.name.startsWith("on")))
    .map((each) => each.outerHTML.slice(0, 80)),
  links: [...document.querySelectorAll("a, form, link")].map((each) => each.href || each.action)
    .filter((address) => typeof address === "string" && !address.startsWith(location.origin)),
})
"""
NOTHING = {"ran": None, "foreign": [], "handlers": [], "links": []}


def test_no_page_runs_loads_or_links_what_was_said(look: Look, viewer: Viewer) -> None:
    page = look("/hostile")
    for path in [*pages(viewer, "hostile"), "/hostile/measures"]:
        look.go(page, path)
        for summary in page.locator("details:not([open]) > summary:visible").all()[:12]:
            summary.click()
        page.wait_for_load_state("networkidle")
        assert page.evaluate(STRANGE) == NOTHING, path


def test_no_debate_does(look: Look, viewer: Viewer) -> None:
    """All debates, each text stands in one of them as it was said."""
    index = Index(str(viewer.folder / "hostile"))
    index.refresh()
    debates = [
        row["debate_id"] for row in index.rows("select debate_id from debates where rounds is not null")
    ]
    page, seen = look("/hostile"), ""
    for debate in debates[::4]:
        look.go(page, f"/hostile/debates/{debate}")
        assert page.evaluate(STRANGE) == NOTHING, debate
        seen += page.locator("main").inner_text()
    assert not [said for said in SCRIPTS.values() if said not in seen]


@pytest.mark.parametrize("said", SCRIPTS.values(), ids=SCRIPTS)
def test_what_is_searched_for_is_text_too(look: Look, said: str) -> None:
    page = look("/hostile/debates")
    page.get_by_label("Text in case or turns").fill(said[:500])
    page.get_by_role("button", name="Show").click()
    page.wait_for_load_state()
    assert page.get_by_label("Text in case or turns").input_value() == said[:500]
    assert page.locator("table.debates tbody tr").count() > 1
    assert page.evaluate(STRANGE) == NOTHING


def test_a_megabyte_does_not_push_the_rest_away(look: Look, viewer: Viewer) -> None:
    index = Index(str(viewer.folder / "hostile"))
    index.refresh()
    for row in index.rows("select debate_id from debates where rounds is not null")[:3]:
        page = look(f"/hostile/debates/{row['debate_id']}")
        assert page.evaluate("document.documentElement.scrollHeight") < 20_000


def test_the_policy_holds_where_escaping_would_not(look: Look) -> None:
    """Were a script to come into a page, the browser would not run it, nor load an image from elsewhere."""
    page = look("/ladders")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', `<img src='x' onerror='window.ran = 1'>`)")
    page.evaluate(
        "const s = document.createElement('script'); s.textContent = 'window.ran = 2'; document.body.append(s)"
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.ran ?? null") is None
    assert len(look.watched.errors) >= 2
    look.watched.errors.clear()
