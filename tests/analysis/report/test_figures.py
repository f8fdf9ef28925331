"""Figures are well-formed, hold what they say, and tell their marks apart without colours."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pandas as pd
import pytest

from analysis.report.drawn import ROWS, drawn
from analysis.report.figure import NARROW, WIDE, Figure
from analysis.report.forest import Mark, Row, scale
from analysis.report.frame import worded
from analysis.report.stack import APART
from analysis.report.svg import broken
from analysis.report.units import INDEX, PERCENT, POINTS, Unit
from analysis.report.value_views import AGREEMENT, KAPPAS, VALUES
from analysis.report.view import View
from tests.analysis.report.frames import conditions, design, frame, row, shares

SVG = "{http://www.w3.org/2000/svg}"
TWO = [design(), design(protocol="round_robin")]
HOSTILE = '<script>alert("&")</script>'


def made(found: pd.DataFrame, view: View, unit: Unit = PERCENT) -> Figure:
    figure = drawn("one", found, view, conditions(*TWO), unit)
    assert figure is not None
    return figure


def parsed(figure: Figure) -> ET.Element:
    """The file as XML. Every text of it stands on the page."""
    root = ET.fromstring(figure.file)
    width = float(root.attrib["width"])
    assert all(0 <= float(text.attrib["x"]) <= width for text in root.iter(f"{SVG}text"))
    return root


def texts(figure: Figure) -> list[str]:
    return [text.text or "" for text in parsed(figure).iter(f"{SVG}text")]


def test_bars_fill_their_width_and_say_their_shares() -> None:
    figure = made(shares(TWO, {"round": [1, 2, 3, None]}), View("stack", "round"))
    widths = [
        float(rect.attrib["width"])
        for rect in parsed(figure).iter(f"{SVG}rect")
        if rect.attrib.get("height") == "17"
    ]
    assert len(widths) == 8
    room = WIDE.width - WIDE.labels - APART
    assert sum(widths[:4]) == pytest.approx(room - 4), "less a gap of 1 after each part"
    assert texts(figure).count("25") == 8
    assert {"round 1", "round 2", "round 3", "never"} <= set(texts(figure))


def test_what_never_happened_is_hatched() -> None:
    figure = made(shares(TWO, {"round": [1, None]}), View("stack", "round"))
    assert "hatch" in figure.file.split("</style>")[1]
    assert (
        "hatch" not in made(shares(TWO, {"round": [1, 2]}), View("stack", "round")).file.split("</style>")[1]
    )


def test_series_have_shapes_of_their_own() -> None:
    found = frame([row(0.2, **TWO[0], among="all"), row(0.6, **TWO[0], among="disagreed")])
    figure = made(found, View("forest", "among"))
    circles = [mark.attrib["class"] for mark in parsed(figure).iter(f"{SVG}circle")]
    assert sorted(circles) == ["f1", "f1", "hollow s2", "hollow s2"], "one each in the legend"
    assert [said for said in texts(figure) if said in ("all", "disagreed")] == ["all", "disagreed"]


def test_a_lone_estimate_is_written_beside_its_row() -> None:
    found = frame([row(-0.031, **one) for one in TWO])
    assert texts(made(found, View(), POINTS)).count("−3.1") == 2


def test_an_estimate_that_cannot_be_had_is_told() -> None:
    found = frame([row(0.2, **TWO[0]), row(None, **TWO[1])])
    assert "not estimable" in texts(made(found, View()))


def test_a_figure_without_any_estimate_is_none() -> None:
    assert drawn("one", frame([row(None, **TWO[0])]), View(), conditions(*TWO), PERCENT) is None


def test_only_the_farthest_estimates_are_drawn_from_highest_to_lowest() -> None:
    found = frame(
        [row(x, **TWO[0], value=name) for name, x in zip("abcd", (0.1, -0.4, 0.2, 0.3), strict=True)]
    )
    shown = [said for said in texts(made(found, View(ranked="value", most=3))) if said in "abcd"]
    assert shown == ["d", "c", "b"]


def test_a_matrix_writes_each_number_and_a_dash_where_there_is_none() -> None:
    found = frame([row(0.5, **TWO[0], position="1", after="a"), row(0.25, **TWO[0], position="2", after="b")])
    shown = texts(made(found, View("matrix", "after")))
    assert [said for said in shown if said in ("50.0", "25.0", "–")] == ["50.0", "–", "–", "25.0"]


def test_only_the_rows_asked_for_are_drawn_and_given_as_data() -> None:
    found = frame([row(0.2, **TWO[0], level="seat"), row(0.3, **TWO[0], level="debate")])
    assert list(made(found, View(only={"level": ("seat",)})).data["estimate"]) == [0.2]


def test_rows_may_be_asked_for_by_what_is_null() -> None:
    found = shares(TWO, {"round": [1, 2, None]})
    figure = made(found, View(across="round", drawn={"round": ("1", "<NA>")}))
    assert [said for said in texts(figure) if said in ("round 1", "round 2", "never")] == ["round 1", "never"]


def test_names_cannot_break_out_of_a_figure() -> None:
    found = frame([row(0.2, **TWO[0], model=HOSTILE), row(0.2, **TWO[0], model="]]>&amp;")])
    figure = made(found, View())
    assert HOSTILE not in figure.file
    assert HOSTILE in texts(figure)


@pytest.mark.parametrize("spread", [(0.0, 1.0), (-0.031, 0.12), (0.0, 0.004), (-3.0, -1.0), (0.0, 0.0)])
def test_a_scale_holds_its_estimates_and_zero_with_a_few_round_ticks(spread: tuple[float, float]) -> None:
    along = scale([Row("", "", [Mark(x)]) for x in spread])
    assert along.low <= min(*spread, 0) <= max(*spread, 0) <= along.high
    assert 2 <= len(along.ticks) <= 7
    assert min(map(abs, along.ticks)) < 1e-12
    steps = [after - before for before, after in pairwise(along.ticks)]
    assert max(steps) == pytest.approx(min(steps))


def test_labels_are_broken_after_commas_first() -> None:
    assert broken("claude-3.7, last round", 122, 12) == ["claude-3.7,", "last round"]
    assert broken("a, b", 122, 12) == ["a, b"]
    assert broken("Environmental consciousness", 122, 12) == ["Environmental", "consciousness"]
    assert "".join(broken("x" * 40, 122, 12)) == "x" * 40


def test_a_figure_of_many_rows_is_split_into_panels_that_fit_on_paper() -> None:
    found = frame([row(0.2, **TWO[0], value=f"v{number}") for number in range(2 * ROWS + 1)])
    figure = made(found, View())
    assert [panel.title for panel in figure.panels] == [
        f"alpha + beta ({number} of 3)" for number in (1, 2, 3)
    ]
    assert max(panel.height for panel in figure.panels) < 900


def test_kappas_have_a_row_for_each_value_and_a_mark_for_each_pair() -> None:
    found = frame(
        [
            row(
                0.5,
                **{"kind": kind, "one": "a", "other": other, "value": value},
                **{"both": len(value + other), "first": ord(other), "second": 2, "neither": 3},
            )
            for kind, other in (("repeated", "b"), ("human", "c"), ("human", "d"))
            for value in ("Care", "Compassion")
        ]
    )
    figure = made(found, KAPPAS[1], INDEX)
    assert [panel.title for panel in figure.panels] == ["a person and a judge", "a judge in two passes"]
    assert texts(figure).count("Care") == 2
    assert {"a and b", "a and c", "a and d"} <= set(texts(figure))


def test_what_is_less_what_heads_its_panel() -> None:
    found = frame(
        [row(0.1, **TWO[0], model="alpha", against="beta", value=value) for value in ("Care", "Duty")]
    )
    figure = made(found, VALUES["differences"][1], POINTS)
    assert [panel.title for panel in figure.panels] == ["alpha + beta: alpha less beta"]


def test_orders_of_three_speakers_are_told_by_their_names() -> None:
    one = design(protocol="round_robin", panel="a+b+c")
    found = frame([row(0.1, **one, value="2-1-3", against="1-2-3", model=model) for model in "ab"])
    assert worded(found)["difference"].tolist() == ["b → a → c less a → b → c"] * 2


def test_panels_share_rows_evenly() -> None:
    found = frame([row(0.2, **TWO[0], value=f"v{number}") for number in range(ROWS + 3)])
    panels = made(found, View()).panels
    assert [panel.body.count("<circle") for panel in panels] == [14, 14]


def test_no_shade_is_too_strong_for_the_number_on_it() -> None:
    found = frame([row(x, **TWO[0], model="a", verdict=str(x)) for x in (0.9, 0.1)])
    opacities = [
        float(x) for x in re.findall('fill-opacity="([0-9.]+)"', made(found, View("matrix", "verdict")).file)
    ]
    assert max(opacities) == pytest.approx(0.6)


def test_agreement_has_a_row_for_each_statistic() -> None:
    found = frame(
        [
            row(0.5, kind="human", one="a", other=other, statistic=statistic)
            for other in "bc"
            for statistic in ("exact", "jaccard")
        ]
    )
    said = texts(made(found, AGREEMENT[1], INDEX))
    assert [said.count(one) for one in ("a person and a judge", "exact", "jaccard", "a and b")] == [
        1,
        1,
        1,
        1,
    ]


def test_a_panel_that_stands_alone_is_wide_and_of_several_all_are_narrow() -> None:
    alone = made(shares(TWO[:1], {"round": [1, None]}), View("stack", "round"))
    assert [panel.room for panel in alone.panels] == [WIDE]
    other = [design(panel="alpha+gamma"), *TWO[:1]]
    both = made(shares(other, {"round": [1, None]}), View("stack", "round"))
    assert [panel.room for panel in both.panels] == [NARROW, NARROW]
    assert both.legend is not None
    assert both.legend.room == NARROW
