"""Labelling by hand in a browser: blind, by keyboard alone, and read back by `moot label`."""

import csv
import re

import pandas as pd
import pytest
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

from protocols.answer_format import VERDICTS
from protocols.values import VALUES_48
from ray_jobs.cli import app
from tests.analysis.viewer.browser.conftest import Look, Viewer

pytestmark = pytest.mark.browser

NAMES = [value.name for value in VALUES_48]


def begin(look: Look, person: str, sample: int, run: str = "ladders") -> Page:
    page = look(f"/{run}/label")
    page.get_by_label("Name").fill(person)
    page.get_by_label("Explanations").fill(str(sample))
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(re.compile(rf"/label/{person}/1$"))
    return page


def kept(viewer: Viewer, person: str, run: str = "ladders") -> list[list[str]]:
    file = viewer.folder / run / "sheets" / f"{person}.csv"
    with file.open(encoding="utf-8-sig", newline="") as stream:
        return [
            [row[f"value_{n}"] for n in range(1, 6) if row[f"value_{n}"]] for row in csv.DictReader(stream)
        ]


def test_a_sheet_is_labelled_by_keyboard_alone_kept_after_each_and_read_back(
    look: Look, viewer: Viewer
) -> None:
    page = begin(look, "ann", 3)
    expect(page.get_by_label("Find a value")).to_be_focused()
    page.keyboard.type(NAMES[3][:8].lower())
    page.keyboard.press("Enter")
    page.keyboard.type(NAMES[10])
    page.keyboard.press("Enter")
    assert kept(viewer, "ann") == [[], [], []]
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/label/ann/2$"))
    assert kept(viewer, "ann") == [sorted([NAMES[3], NAMES[10]]), [], []]
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Tick at least one")
    page.keyboard.type("none of")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/label/ann/3$"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/label/ann$"))
    assert kept(viewer, "ann") == [sorted([NAMES[3], NAMES[10]]), ["none"], [NAMES[0]]]
    expect(page.get_by_role("region", name="Agreement with the judges")).to_contain_text("kappa of all cells")
    command = page.locator("code").first.inner_text().split()
    said = CliRunner().invoke(app, command[1:])
    assert said.exit_code == 0, said.output
    rows = pd.read_parquet(viewer.folder / "ladders" / "judgments" / "human-ann" / "tables" / "judgments")
    assert sorted(map(list, rows["judged_labels"])) == [[], [NAMES[0]], sorted([NAMES[3], NAMES[10]])]


def test_it_goes_on_where_it_was_left_and_a_label_can_be_mended(look: Look, viewer: Viewer) -> None:
    page = begin(look, "bea", 3)
    page.get_by_role("checkbox", name=NAMES[5]).check()
    page.get_by_role("button", name="Save and go on").click()
    page.wait_for_url(re.compile("/label/bea/2$"))
    page = look("/ladders/label")
    page.get_by_role("link", name="Go on with the sheet of bea").click()
    assert page.url.endswith("/label/bea/2")
    page.get_by_role("link", name="Previous").click()
    assert page.get_by_role("checkbox", name=NAMES[5]).is_checked()
    page.get_by_role("checkbox", name=NAMES[5]).uncheck()
    page.get_by_role("checkbox", name=NAMES[6]).check()
    page.get_by_role("button", name="Save and go on").click()
    page.wait_for_url(re.compile("/label/bea/2$"))
    assert kept(viewer, "bea")[0] == [NAMES[6]]
    look.go(page, "/ladders/label/bea/1").get_by_role("button", name="Take the labels away").click()
    page.wait_for_url(re.compile("/label/bea/2$"))
    assert kept(viewer, "bea") == [[], [], []]


def test_never_more_than_five_and_none_stands_alone(look: Look) -> None:
    page = begin(look, "cy", 1)
    for name in NAMES[:6]:
        page.get_by_role("checkbox", name=name).click()
    assert page.locator("input:checked").count() == 5
    expect(page.get_by_role("status")).to_contain_text(f"Up to 5 values; {NAMES[5]} is not ticked")
    page.get_by_role("checkbox", name="none of them applies").check()
    assert page.locator("input:checked").count() == 1
    page.get_by_role("checkbox", name=NAMES[0]).check()
    assert page.locator("input:checked").count() == 1


def test_it_is_blind_to_all_but_the_explanation(look: Look, viewer: Viewer) -> None:
    """Not the page, its address, nor what the server sends names verdict, model, case, seat or debate."""
    page = begin(look, "dan", 4)
    turns = pd.read_parquet(viewer.folder / "ladders" / "tables" / "turns")
    for place in range(1, 5):
        look.go(page, f"/ladders/label/dan/{place}")
        said = page.get_by_role("region", name="The explanation").inner_text()
        sent = page.content().replace(said, "")
        assert said in set(turns["explanation"])
        told = [*VERDICTS, *turns["debate_id"], *turns["protocol"], "case-", "ladder of", "seat1", "seat2"]
        assert not [word for word in told if word in sent]


def test_without_scripts_it_is_a_form(look: Look, viewer: Viewer) -> None:
    page = look("/ladders/label", java_script_enabled=False)
    page.get_by_label("Name").fill("eve")
    page.get_by_label("Explanations").fill("2")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Save and go on").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing is ticked")
    for name in NAMES[:6]:
        page.get_by_role("checkbox", name=name).check()
    page.get_by_role("button", name="Save and go on").click()
    expect(page.get_by_role("alert")).to_contain_text("6 values are ticked; allowed: up to 5")
    page.get_by_role("checkbox", name=NAMES[0]).uncheck()
    page.get_by_role("button", name="Save and go on").click()
    assert kept(viewer, "eve") == [sorted(NAMES[1:6]), []]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"Name": "a"}, "a model of the run"),
        ({"Name": "fay", "Explanations": "1999"}, "at most"),
        ({"Name": "ann.values"}, "allowed: letters"),
    ],
)
def test_what_cannot_be_a_sheet_is_told(look: Look, fields: dict[str, str], says: str) -> None:
    page = look("/ladders/label")
    for name, text in fields.items():
        page.get_by_label(name).fill(text)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("alert")).to_contain_text(says)
