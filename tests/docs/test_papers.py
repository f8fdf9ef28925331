"""docs/papers.md names what there is: every measure of a figure or table, and every exhibit by its title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from analysis.measures.catalogue import VERDICTS
from analysis.oversight.catalogue import OVERSIGHT
from analysis.report.inertia import inertia
from analysis.report.oversight import SECTIONS as JUDGED
from analysis.report.run import SECTIONS
from analysis.report.value_views import AGREEMENT, KAPPAS, VALUES
from tests.docs.commands import ROOT

PAGE = (ROOT / "docs" / "papers.md").read_text("utf-8")
ABOUTS = [*(about for about, _ in VALUES.values()), AGREEMENT[0], KAPPAS[0]]
MODEL = ("Odds ratios", "Estimators side by side", "Accuracy as an identity, and the bound below it")

NAMED = re.compile(r"(Figures?|Tables?) ((?:(?!Figure|Table)[^;:])*)")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading."""
    own = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line.strip("| ") for line in own.splitlines() if line.startswith("|")]
    return [line.split(" | ") for line in lines[2:]]


def numbered(text: str) -> Iterator[tuple[str, int]]:
    """The figures and tables that a text names, by number: "Figures 13 to 16" are four."""
    for kind, said in NAMED.findall(text):
        name = kind.rstrip("s")
        spans = [(int(a), int(b)) for a, b in re.findall(r"(\d+) to (\d+)", said)]
        single = {int(one) for one in re.findall(r"\d+", said)}
        yield from ((name, number) for number in single | {n for a, b in spans for n in range(a, b + 1)})


@cache
def titles() -> set[str]:
    measures = {measure.title for measure in (*VERDICTS, *OVERSIGHT)}
    return {*measures, *(about.title for about in ABOUTS), *MODEL}


@pytest.mark.parametrize("heading", ["Interaction protocols", "Disagreement resolution"])
def test_exhibits_have_the_titles_that_the_page_gives_them(heading: str) -> None:
    sections = {*SECTIONS, *JUDGED, "Values", "Reliability of labels", inertia("nothing").title}
    told = [cell for row in rows(heading) for cell in row[2:]]
    named = [title for cell in told for title in re.findall(r"\*([^*]+)\*", cell)]
    assert set(named) <= titles()
    heads = [head for cell in told for head in re.findall(r"(?:^|; )([A-Z][^:*]*): \*", cell)]
    assert len(heads) > 8
    assert set(heads) <= sections


def test_every_figure_and_table_that_a_measure_is_from_is_on_the_page() -> None:
    first, second = (
        {one for row in rows(heading) for one in numbered(row[0])}
        for heading in ("Interaction protocols", "Disagreement resolution")
    )
    ours = [measure.source for measure in VERDICTS] + [about.source for about in ABOUTS]
    assert {one for source in ours for one in numbered(source)} <= first
    assert {one for measure in OVERSIGHT for one in numbered(measure.source)} <= second


def test_numbers_are_read_as_they_stand() -> None:
    assert set(numbered("Figures 2b, 10 and 13 to 15; Table 3")) == {
        *(("Figure", one) for one in (2, 10, 13, 14, 15)),
        ("Table", 3),
    }


@pytest.mark.parametrize("page", ["papers.md", "validity.md", "model.md", "report.md"])
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    for name, _, part in (link.partition("#") for link in re.findall(r"\]\(([^)]+)\)", text)):
        target = ROOT / "docs" / name if name else ROOT / "docs" / page
        assert target.exists(), name
        heads = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
        slugs = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
        assert not part or part in slugs, part
