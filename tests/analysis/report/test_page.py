"""A document as a page and its files: whole, alone, the same each time, and safe."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest

from analysis.report.document import Document, Exhibit, Section
from analysis.report.drawn import drawn
from analysis.report.errors import OutError
from analysis.report.page import contents, html, write
from analysis.report.table import LONG, plain
from analysis.report.tabulated import Layout, tabulated
from analysis.report.units import PERCENT
from analysis.report.view import View
from tests.analysis.report.frames import conditions, design, frame, row
from tests.analysis.report.pages import Page

HOSTILE = '</style><script>alert("x")</script>&amp;'


def document(model: str = "alpha", rows: int = 2) -> Document:
    """A page with one exhibit that shows estimates of this model, and one that lacks its data."""
    found = frame([row(0.25, **design(), model=model, value=f"v{number}") for number in range(rows)])
    names = conditions(design())
    figure = drawn("shares", found, View(caption=f"Shares of {model}."), names, PERCENT)
    table = tabulated("shares", f"Shares of {model}.", found, Layout(names, PERCENT))
    assert figure is not None
    there = Exhibit("Shares", ["What they are."], "A source.", figures=[figure], tables=[table])
    lacking = Exhibit("Values", ["What they are."], absent="no labels: run it.")
    return Document(
        "Report", model, ["One sentence."], [Section("first", "All", [], [there, lacking])], ["End."]
    )


def test_a_page_is_well_formed_and_its_links_lead_somewhere() -> None:
    page = Page(html(document(), "report"))
    files = {f"report/{name}" for name in contents(document())}
    assert set(page.links) == files | {"#first"}
    assert {"first", "figure-1", "table-1"} <= set(page.ids)
    assert len(set(page.ids)) == len(page.ids)


def test_a_page_needs_no_network() -> None:
    said = html(document(), "report")
    assert "://" not in said
    assert not {"link", "script", "img", "iframe", "object"} & set(Page(said).elements)
    assert "@import" not in said
    assert "url(" not in said


def test_dark_mode_print_and_phone_are_seen_to() -> None:
    said = html(document(), "report")
    for part in ("prefers-color-scheme: dark", "@media print", 'name="viewport"', "overflow-x: auto"):
        assert part in said


def test_everything_is_said() -> None:
    text = Page(html(document(), "report")).text
    for part in ("One sentence.", "What they are.", "A source.", "no labels: run it.", "End.", "25.0"):
        assert part in text


def test_figures_and_tables_are_numbered_through_all_sections() -> None:
    one = document()
    twice = Document("", "", [], [*one.sections, Section("second", "", [], one.sections[0].exhibits)], [])
    assert {"figure-2", "table-2"} <= set(Page(html(twice, "report")).ids)


def test_names_cannot_break_out_of_a_page() -> None:
    page = Page(html(document(HOSTILE), "report"))
    assert "script" not in page.elements
    assert page.text.count(HOSTILE) >= 3, "in the title, a caption and a row"


def test_a_long_table_is_folded_away_whole() -> None:
    assert "details" not in Page(html(document(), "report")).elements
    page = Page(html(document(rows=LONG + 1), "report"))
    assert "details" in page.elements
    assert page.elements.count("tr") == LONG + 3


def test_the_same_document_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write(document(), tmp_path / name / "report.html")
    made = [
        {str(file.relative_to(tmp_path / name)): file.read_bytes() for file in (tmp_path / name).rglob("*.*")}
        for name in ("one", "two")
    ]
    assert made[0] == made[1]
    assert set(made[0]) == {"report.html", *(f"report/{name}" for name in contents(document()))}


def test_the_data_of_a_figure_are_in_its_csv(tmp_path: Path) -> None:
    write(document(), tmp_path / "report.html")
    [exhibit, _] = document().exhibits
    for name, data in (("figures", exhibit.figures[0].data), ("tables", exhibit.tables[0].data)):
        found = pd.read_csv(tmp_path / "report" / name / "shares.csv", keep_default_na=False, na_values=[""])
        pd.testing.assert_frame_equal(
            found.astype(str), pd.read_csv(io.StringIO(data.to_csv(index=False))).astype(str)
        )
        assert list(found["estimate"]) == [0.25, 0.25]


@pytest.mark.parametrize("start", "=+-@\t\r")
def test_no_word_in_a_csv_is_a_formula_and_numbers_stay_numbers(start: str) -> None:
    model = f"{start}HYPERLINK(1)"
    found = contents(document(model))
    for name in ("figures/shares.csv", "tables/shares.csv"):
        data = pd.read_csv(io.StringIO(found[name], newline=""))
        assert set(data["model"]) == {f"'{model}"}
    less = frame([row(-0.25, **design(), model="alpha", value="v")])
    table = tabulated("less", "", less, Layout(conditions(design()), PERCENT))
    exhibit = Exhibit("Less", [], "", tables=[table])
    assert (
        ",-0.25," in contents(Document("", "", [], [Section("a", "", [], [exhibit])], []))["tables/less.csv"]
    )


def test_a_plain_table_says_what_its_frame_does() -> None:
    table = plain("one", "", pd.DataFrame({"model": ["a"], "top p": ["1"]}))
    assert [[cell.said for cell in line] for line in table.groups[0].rows] == [["a", "1"]]


@pytest.mark.parametrize(
    ("out", "says"),
    [("folder", "found the folder"), ("page", "has no ending"), ("file.html/page.html", "cannot be written")],
)
def test_a_page_that_cannot_be_written_is_told(tmp_path: Path, out: str, says: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.html").write_text("")
    with pytest.raises(OutError, match=says):
        write(document(), tmp_path / out)
