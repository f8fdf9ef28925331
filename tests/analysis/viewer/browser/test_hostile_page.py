"""Hostile text on every page: it is read as text, runs nothing, asks nothing, and breaks no layout."""

import pandas as pd
import pytest

from analysis.viewer.index import Index
from tests.analysis.viewer.browser.conftest import Look, Viewer
from tests.analysis.viewer.browser.test_every_page import pages
from tests.analysis.viewer.hostile import LONG, SCRIPTS

pytestmark = pytest.mark.browser

STRANGE = """
() => {
  const all = (kind) => [...document.querySelectorAll(kind)];
  const handled = (each) => [...each.attributes].some((attribute) => attribute.name.startsWith("on"));
  const addresses = all("a, form, link").map((each) => each.href || each.action);
  return {
    ran: window.ran ?? null,
    foreign: all("iframe, img, base, dialog, object, embed, style, script:not([src^='/static/'])").length,
    handlers: all("*").filter(handled).length,
    links: addresses.filter((each) => typeof each === "string" && !each.startsWith(location.origin)),
  };
}
"""
NOTHING = {"ran": None, "foreign": 0, "handlers": 0, "links": []}


ENDED = "select debate_id from debates where rounds is not null order by debate_id"


def test_no_page_runs_loads_or_links_what_was_said(look: Look, viewer: Viewer) -> None:
    page = look("/hostile")
    for path in [*pages(viewer, "hostile"), "/hostile/measures"]:
        look.go(page, path)
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        page.wait_for_timeout(150)
        assert page.evaluate(STRANGE) == NOTHING, path


def test_no_debate_does(look: Look, viewer: Viewer) -> None:
    """Debates enough that each text stands in one of them, as it was said."""
    index = Index(str(viewer.folder / "hostile"))
    index.refresh()
    page, seen = look("/hostile"), ""
    for row in index.rows(ENDED)[::8]:
        look.go(page, f"/hostile/debates/{row['debate_id']}")
        assert page.evaluate(STRANGE) == NOTHING, row
        seen += page.locator("main").inner_text()
    assert not [said for said in SCRIPTS.values() if said not in seen]


@pytest.mark.parametrize("said", SCRIPTS.values(), ids=SCRIPTS)
def test_what_is_searched_for_is_text_too(look: Look, said: str) -> None:
    page = look("/hostile/debates")
    page.get_by_label("Text in case or turns").fill(said[:500])
    page.get_by_role("button", name="Show").click()
    page.wait_for_load_state()
    assert page.get_by_label("Text in case or turns").input_value() == said[:500]
    assert page.locator("table.debates tbody th a").count() >= 1
    assert page.evaluate(STRANGE) == NOTHING


def test_long_texts_do_not_push_the_rest_away(look: Look, viewer: Viewer) -> None:
    turns = pd.read_parquet(viewer.folder / "hostile" / "tables" / "turns")
    page = look("/hostile")
    for said in LONG.values():
        (debate,) = turns["debate_id"][turns["explanation"] == said]
        look.go(page, f"/hostile/debates/{debate}")
        assert page.evaluate("document.documentElement.scrollHeight") < 8_000
        assert page.locator(".rest > summary").count() >= 1


def test_the_policy_holds_where_escaping_would_not(look: Look) -> None:
    """Were a script to come into a page, the browser would not run it, nor load an image from elsewhere."""
    page = look("/ladders")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', `<img src='x' onerror='window.ran = 1'>`)")
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = 2'}))"
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.ran ?? null") is None
    assert len(look.watched.errors) >= 2
    look.watched.errors.clear()


def test_a_report_that_somebody_else_wrote_goes_nowhere(look: Look, viewer: Viewer) -> None:
    file = viewer.folder / "hostile" / "report.html"
    kept = file.read_text()
    other = f"{viewer.address}/ladders"
    file.write_text(
        f'<meta http-equiv="refresh" content="0; url={other}"><header></header>'
        f'<script>location = "{other}"</script><script src="/static/viewer.js"></script>'
        f'<img src="{other}" onerror="location = this.src"><form action="{other}" id="f"></form>'
    )
    try:
        page = look("/hostile/report")
        page.wait_for_timeout(1_000)
        assert page.url.endswith("/hostile/report")
        page.get_by_role("link", name="hostile in the viewer").click()
        page.wait_for_url(lambda url: url.endswith("/hostile"))
    finally:
        file.write_text(kept)
        look.watched.errors.clear()  # what the browser tells of all that it did not do
