"""The sections of a report on an oversight study hold every measure, or say what it lacks."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache

import pytest

from analysis.oversight.catalogue import OVERSIGHT
from analysis.oversight.study import study
from analysis.report.document import Document, Exhibit
from analysis.report.oversight import SECTIONS, oversight_sections
from analysis.report.oversight_notes import NOTES
from analysis.report.oversight_tables import VACUOUS
from analysis.report.oversight_views import VIEWS
from analysis.report.page import contents, html
from tests.analysis.oversight.played import Played
from tests.analysis.oversight.studies import draw
from tests.analysis.report.pages import Page

pytestmark = pytest.mark.long


@cache
def whole() -> Document:
    return Document("Report of a run", "a study", [], oversight_sections(draw(4, 20).study), [])


def exhibits(document: Document) -> dict[str, Exhibit]:
    return {exhibit.title: exhibit for exhibit in document.exhibits}


def of(made: Played, *names: str) -> dict[str, Exhibit]:
    """The exhibits of these measures."""
    measures = [measure for measure in OVERSIGHT if measure.name in names]
    return exhibits(Document("", "", [], oversight_sections(made.study, measures), []))


def cells(exhibit: Exhibit, table: int = 0) -> list[list[str]]:
    return [[cell.said for cell in row] for group in exhibit.tables[table].groups for row in group.rows]


def test_every_measure_is_there_with_its_definition_source_and_table() -> None:
    said = Page(html(whole(), "report")).text
    for measure in OVERSIGHT:
        shown = exhibits(whole())[measure.title]
        assert shown.tables, measure.name
        assert " ".join(measure.definition.split()) in said
        assert measure.source in said
        assert {"denominator", "failed"} <= set(shown.tables[0].data.columns)


def test_the_figures_are_drawn_and_are_svg() -> None:
    files = contents(whole())
    drawn = {name for name in files if name.endswith(".svg")}
    expected = {measure.name for measure in OVERSIGHT if VIEWS[measure.name].kind != "none"}
    assert drawn == {f"figures/oversight-{name.replace('_', '-')}.svg" for name in expected}
    for name in drawn:
        ET.fromstring(files[name])


def test_every_file_of_the_page_is_linked_once() -> None:
    links = Page(html(whole(), "report")).links
    for name in contents(whole()):
        assert links.count(f"report/{name}") == 1, name


def test_a_view_and_a_note_are_of_a_measure_that_there_is() -> None:
    names = {measure.name for measure in OVERSIGHT}
    assert set(VIEWS) == names
    assert set(NOTES) <= names
    assert sorted(name for own in SECTIONS.values() for name in own) == sorted(names)


def test_a_new_measure_appears_by_itself() -> None:
    new = replace(OVERSIGHT[0], name="novelty", title="Something new")
    made = oversight_sections(draw(4, 6).study, [new])
    assert [exhibit.title for section in made for exhibit in section.exhibits] == ["Something new"]


def test_a_run_without_judged_questions_has_none_of_it() -> None:
    made = Played()
    made.resolution(made.openings("c"), "A A")
    assert oversight_sections(made.study) == []


def test_what_a_study_lacks_is_said() -> None:
    made = Played()
    made.judged(made.debate(made.openings("c"), "debate"), "A")
    shown = of(made, "agreement", "protocols", "accuracy_sources")
    assert "disagreement resolutions of two consultants" in shown["Agreement by turn"].absent
    assert "judgments of two protocols" in shown["Protocols compared"].absent
    assert "two data sets" in shown["Accuracy of judges by data set"].absent


def test_numbers_stand_with_what_they_rest_on() -> None:
    made = Played()
    for number, decision in enumerate("AAB?"):
        opened = made.openings(f"c{number}")
        made.judged(made.debate(opened, "debate"), decision)
        made.judged(made.resolution(opened, "A A"), "A")
    made.failed("c0", "debate")
    shown = of(made, "accuracy", "protocols")
    rows = cells(shown["Accuracy of judges"])
    assert rows == [
        ["debate", "50.0", "4", "4", "1", "1"],
        ["disagreement-resolution", "100.0", "4", "4", "0", "0"],
    ]
    [row] = cells(shown["Protocols compared"])
    assert row[:2] == ["disagreement-resolution less debate", "+50.0"]


def test_what_is_counted_apart_is_said() -> None:
    made = Played()
    made.judged(made.resolution(made.openings("c"), "!C B", "?  B"), "neither", answers="winner")
    shown = of(made, "accuracy", "actions")
    assert "1 judgment called for neither agent" in " ".join(shown["Accuracy of judges"].text)
    said = " ".join(shown["What consultants do while they differ"].text)
    assert "1 turns that broke a rule, 1 turns that could not be read" in said


def test_a_bound_that_says_nothing_is_called_vacuous() -> None:
    made = Played()
    made.judged(made.resolution(made.openings("c"), "Am Bm", final="AA"), "A")
    made.judged(made.resolution(made.openings("d"), "Ah Bl", final="AA", steering="kind+kind"), "A")
    shown = of(made, "ways")["Accuracy as an identity, and the bound below it"]
    assert [row[-2] for row in cells(shown, 1)] == ["50.0", VACUOUS]


def test_the_order_of_rows_does_not_matter() -> None:
    made, few = (
        draw(5, 8),
        [measure for measure in OVERSIGHT if measure.name in ("accuracy", "protocols", "ways")],
    )
    pages = [
        html(Document("", "", [], oversight_sections(study(made.tables(reverse, parts)), few), []), "report")
        for reverse, parts in ((False, 1), (True, 3))
    ]
    assert pages[0] == pages[1]


def test_the_identity_shows_the_term_of_debates_without_answers() -> None:
    """Of two judgments one is of an agreement, one of a debate in which a seat has no answer."""
    made = Played()
    made.judged(made.resolution(made.openings("c"), "A A", final="AA"), "A")
    title = "Accuracy as an identity, and the bound below it"
    assert of(made, "ways")[title].tables[0].heads[-2:] == ["h", "sum"]
    made.judged(made.resolution(made.openings("d"), "A ?", final="A?"), "A")
    shown = of(made, "ways")[title]
    assert shown.tables[0].heads[-3:] == ["u", "z", "sum"]
    [row] = cells(shown)
    assert (row[2], row[-3:]) == ("50.0", ["50.0", "100.0", "100.0"])


def test_no_interval_of_no_width_stands_on_a_page() -> None:
    """Both questions move alike under one judge, so that draws do not differ."""
    made = Played()
    for case in ("c", "d"):
        opened = made.openings(case)
        made.judged(made.debate(opened, "debate"), "B")
        made.judged(made.resolution(opened, "A A"), "A")
    [table] = of(made, "protocols")["Protocols compared"].tables
    [[cell]] = [[row[1] for row in group.rows] for group in table.groups]
    assert (cell.said.rstrip("¹"), cell.interval) == ("+100.0", "‡")
    assert "‡ All cases agree, and draws of cases would give no width" in table.caption
