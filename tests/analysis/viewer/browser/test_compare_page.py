"""Two cells side by side in a browser, and filters: what is chosen stands in the address."""

import re

import pytest
from playwright.sync_api import expect

from tests.analysis.viewer.browser.conftest import Look

pytestmark = pytest.mark.browser


def test_two_cells_are_chosen_and_their_pairs_read_and_shared(look: Look) -> None:
    page = look("/compare")
    page.get_by_label("First cell").select_option(index=1)
    page.get_by_label("Second cell").select_option(index=5)
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".lead")).to_contain_text("16 pairs: ")
    rows = page.locator("table.pairs tbody tr")
    differ = [text.startswith("≠") for text in rows.locator("td:last-child").all_inner_texts()]
    assert differ == sorted(differ, reverse=True)
    assert page.locator(".lead").inner_text().split()[2] == str(sum(differ))
    shared = look(page.url.partition(page.url.split("/")[2])[2])
    assert shared.locator("table.pairs").inner_text() == page.locator("table.pairs").inner_text()
    rows.first.get_by_role("link", name="side by side").click()
    page.wait_for_url(re.compile("beside="))
    assert page.locator("article.transcript, .transcript").count() == 2


def test_a_number_of_the_table_leads_to_its_pairs(look: Look) -> None:
    page = look("/compare")
    page.get_by_label("First cell").select_option(index=1)
    page.get_by_label("Second cell").select_option(index=5)
    page.get_by_role("button", name="Compare").click()
    cell = page.locator("table.crossed tbody tr").first.locator("a").first
    number = int(cell.inner_text())
    cell.click()
    page.wait_for_url(re.compile("ends=.*otherwise="))
    assert page.locator("table.pairs tbody tr").count() == number
    page.get_by_role("list", name="Pairs shown").get_by_role("link").click()
    expect(page.locator("table.pairs tbody tr")).to_have_count(16)


def test_what_is_no_cell_is_told(look: Look) -> None:
    page = look("/compare?a=<script>&b=x&page=-1")
    said = page.locator(".absent").all_inner_texts()
    assert said[0] == "a: found “<script>”; allowed: one of the cells below"
    assert len(said) == 3


def test_filters_stand_in_the_address_and_say_what_they_leave(look: Look) -> None:
    page = look("/ladders/debates")
    page.get_by_role("checkbox", name=re.compile("^synchronous")).check()
    page.get_by_role("checkbox", name="a seat changed").check()
    page.get_by_role("button", name="Show").click()
    page.wait_for_url(re.compile("protocol=synchronous"))
    assert "change=yes" in page.url
    assert set(page.locator("table.debates tbody td:nth-child(2)").all_inner_texts()) == {"synchronous"}
    assert "0" not in page.locator("table.debates tbody td:nth-child(7)").all_inner_texts()
    page.get_by_role("link", name="rounds").click()
    page.wait_for_url(re.compile("sort=rounds"))
    rounds = [int(text) for text in page.locator("table.debates tbody td:nth-child(9)").all_inner_texts()]
    assert rounds == sorted(rounds)
    page.get_by_role("list", name="Filters in use").get_by_role("link").first.click()
    page.wait_for_url(lambda url: "protocol=" not in url)


def test_numbers_of_the_report_are_links_to_their_debates(look: Look) -> None:
    page = look("/ladders/report")
    links = page.locator("td[data-behind] > a")
    assert links.count() == page.locator("td[data-behind]").count() > 0
    address = links.first.get_attribute("href") or ""
    assert address.startswith("/ladders/debates?stage=debate&protocol=")
    style = page.locator("h1").evaluate("heading => getComputedStyle(heading).fontWeight")
    assert style == "600"
    page.get_by_role("link", name="ladders in the viewer").click()
    page.wait_for_url(re.compile("/ladders$"))
