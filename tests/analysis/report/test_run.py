"""The report of a run holds every measure, or says what it lacks."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from analysis.measures.catalogue import VERDICTS
from analysis.report import run
from analysis.report.cautions import never
from analysis.report.document import Document, Exhibit
from analysis.report.page import contents, html
from analysis.report.setting import Setting
from analysis.report.value_views import AGREEMENT, KAPPAS, VALUES
from analysis.report.views import VIEWS
from tests.analysis.counting import said
from tests.analysis.report.frames import frame, row
from tests.analysis.report.pages import Page
from tests.analysis.report.runs import SETTING, TWO_SEATS, drawn_run, page, renamed, some, whole
from tests.analysis.synthetic import Debate

pytestmark = pytest.mark.long

HOSTILE = "<b>&\"'</b>$%_{}\\"


def exhibits(document: Document) -> dict[str, Exhibit]:
    return {exhibit.title: exhibit for exhibit in document.exhibits}


def text(document: Document) -> str:
    return Page(html(document, "report")).text


def test_every_measure_is_there_with_its_definition_and_source() -> None:
    said = text(whole())
    for measure in VERDICTS:
        assert measure.title in exhibits(whole())
        assert " ".join(measure.definition.split()) in said
        assert measure.source in said
    for about, _ in (*VALUES.values(), AGREEMENT, KAPPAS):
        assert about.title in exhibits(whole())


def test_every_exhibit_has_a_table_or_says_what_it_lacks() -> None:
    for exhibit in whole().exhibits:
        assert exhibit.tables or exhibit.absent or exhibit.title == "Failures", exhibit.title


def test_a_view_is_of_a_measure_that_there_is() -> None:
    assert set(VIEWS) <= {measure.name for measure in VERDICTS}


def test_a_new_measure_appears_by_itself() -> None:
    new = replace(
        VERDICTS[0],
        name="novelty",
        title="Something new",
        estimate=lambda _, __: frame([row(0.25, stage="debate", model="alpha")]),
    )
    made = page(TWO_SEATS, verdicts=[new])
    shown = exhibits(made)["Something new"]
    assert run.OTHERS in [section.title for section in made.sections]
    assert len(shown.figures) == len(shown.tables) == 1
    assert "report/figures/novelty.svg" in Page(html(made, "report")).links


def test_the_figures_of_the_paper_are_drawn() -> None:
    drawn = {figure.name for exhibit in whole().exhibits for figure in exhibit.figures}
    assert {"consensus", "change", "verdicts", "agreed", "positions"} <= drawn
    assert {"order_consensus", "order_change", "order_agreed"} <= drawn


def test_without_labels_it_says_how_to_get_them() -> None:
    for about, _ in VALUES.values():
        assert "moot label RUN --judge MODEL" in exhibits(whole())[about.title].absent


def test_a_run_without_finished_debates_says_so_everywhere() -> None:
    made = page([])
    assert "0 debates" in text(made)
    assert "There is no turn of a finished debate yet." in text(made)
    for measure in VERDICTS:
        assert measure.needs in exhibits(made)[measure.title].absent


def test_a_run_of_one_model_and_one_case_has_no_intervals_and_says_why() -> None:
    alone = [replace(one, models=("alpha", "alpha"), order="1-2", case="c") for one in TWO_SEATS[:4]]
    made = exhibits(page(alone, verdicts=some("consensus", "order_consensus")))
    [table] = made["Consensus by round"].tables
    assert "¹ one case only: no interval." in table.caption
    assert made["Order effects on consensus"].absent


def test_a_verdict_that_nobody_gave_is_zero_and_not_left_out() -> None:
    [table] = exhibits(whole())["What panels agree on"].tables
    assert table.heads[1:6] == ["NTA", "YTA", "ESH", "NAH", "INFO"]
    assert {group.rows[0][5].said for group in table.groups} == {"0.0"}


def test_what_the_setting_says_is_on_the_page() -> None:
    still = "3 of 4 planned debates are finished."
    made = page(TWO_SEATS, Setting("my study", SETTING.models, ["A fact of the design."], [still]), [])
    for told in ("my study", "A fact of the design.", still, "a simulation"):
        assert told in text(made)


def test_names_of_models_are_but_text() -> None:
    made = page(renamed(TWO_SEATS, HOSTILE), verdicts=some("consensus", "change", "verdicts"))
    assert HOSTILE in text(made)
    tables = [said for name, said in contents(made).items() if name == "tables/change.tex"]
    assert [r"\&" in said and r"\$\%\_\{\}\textbackslash{}" in said for said in tables] == [True]


def test_the_order_of_debates_does_not_matter() -> None:
    few = some("consensus", "change", "verdicts")
    pages = [html(page(debates, verdicts=few), "report") for debates in (drawn_run(), drawn_run()[::-1])]
    assert pages[0] == pages[1]


def test_the_csv_of_a_figure_holds_what_is_drawn() -> None:
    [figure] = exhibits(whole())["Consensus by round"].figures
    assert figure.data.groupby("order")["estimate"].sum().tolist() == [1.0, 1.0]
    assert figure.file.count(" of 4</title>") == len(figure.data)


def test_what_never_means_is_said() -> None:
    rows = pd.DataFrame({"variant": ['{"rounds":4}', '{"rounds":2}', "{}"]})
    assert never(rows) == ["Never: not within the 2 and 4 rounds of a debate."]
    assert never(rows[2:]) == []


def test_who_has_heard_whom_is_said() -> None:
    told = text(whole())
    assert "every speaker but the first has already heard a verdict" in told
    assert "Solo answers come from another prompt" in told


def test_differences_are_counted_against_chance() -> None:
    assert "by chance alone about" in " ".join(exhibits(whole())["Order effects on consensus"].text)


def test_a_table_says_which_part_of_its_rows_stands_on_the_page() -> None:
    [table] = exhibits(whole())["Change of verdict"].tables
    assert f"of {len(table.data):,} rows stand here: only seat" in table.caption


def in_stages() -> list[Debate]:
    """Solo answers, a debate for stances and a resolution that go on from them, and a failed one."""
    solo = Debate("solo", "solo", ("alpha", "beta"), "1-2", "none+none", said("NY"), case="c")
    later = replace(solo, stage="argued", variant='{"after":"solo"}', inherited=1)
    return [
        solo,
        replace(later, id="debate", protocol="debate", said=said("NY", "NY")),
        replace(later, id="resolved", protocol="disagreement_resolution", said=said("NY", "NN")),
        replace(later, id="lost", protocol="consultancy", said=(), error="Lost"),
    ]


def test_the_head_counts_debates_of_every_protocol() -> None:
    made = page(in_stages())
    assert made.lead[0].startswith("1 case before 1 panel of 2 seats, in 4 conditions: 3 debates with ")
    [table] = exhibits(made)["Conditions"].tables
    rows = {row[0].said: [cell.said for cell in row[1:3]] for group in table.groups for row in group.rows}
    assert rows == {
        "all debates": ["1", "0"],
        "consultancy": ["0", "1"],
        "debate": ["1", "0"],
        "disagreement-resolution": ["1", "0"],
    }
    assert "In consultancy one seat argues for an answer" in text(made)


def test_stages_that_choose_their_debates_are_not_set_against_others_without_a_word() -> None:
    kept = replace(SETTING, kept={"argued": "one_right", "elsewhere": "disagree"})
    sections = {section.title: " ".join(section.text) for section in page(in_stages(), kept).sections}
    for title in ("Agreement", "Change of verdict", "Verdicts"):
        assert "Stage argued goes on only with debates that ended with one right." in sections[title]
        assert "elsewhere" not in sections[title]
    assert "are not set against solo answers here" in sections["Without debate"]
    assert "have no verdicts of their own" in sections["Agreement"]
    told = [" ".join(section.text) for section in page(in_stages()).sections]
    assert not any("goes on only with" in one for one in told)


def test_solo_answers_are_not_set_against_debates_that_begin_with_them() -> None:
    assert exhibits(page(in_stages()))["Consensus in round 1 against solo answers"].absent
