"""Tables in LaTeX: every cell is there, and none of them is a command."""

from __future__ import annotations

import re

import pytest

from analysis.report.latex import escaped, latex
from analysis.report.tabulated import Layout, tabulated
from analysis.report.units import PERCENT
from tests.analysis.report.frames import conditions, design, frame, row


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("50% & more_", r"50\% \& more\_"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("$x^2$ ~ #1", r"\$x\textasciicircum{}2\$ \textasciitilde{} \#1"),
        ("[2em] *", "{[}2em] {*}"),
        ("a\nb", "a b"),
        ("−3.1 to 2.0", "$-$3.1 to 2.0"),
        ("41–44", "41--44"),
    ],
)
def test_what_latex_would_take_for_a_command_is_escaped(said: str, printed: str) -> None:
    assert escaped(said) == printed


def test_a_table_is_whole() -> None:
    found = frame([row(0.5, **design(), model="a_b & c"), row(0.25, **design(), model="100%")])
    text = latex(tabulated("one", "Shares of 50%.", found, Layout(conditions(design()), PERCENT)))
    assert r"\caption{Shares of 50\%.}\label{tab:one}\\" in text
    assert r"\begin{longtable}{lrrr}" in text
    assert text.endswith("\\end{longtable}\n")
    body = text.split(r"\endfoot")[1]
    assert r"\multicolumn{4}{l}{\emph{alpha + beta}} \\" in body
    assert r"a\_b \& c & 50.0 (40.0--60.0) & 40 & 20 \\" in body
    rows = [line for line in text.splitlines() if line.endswith(r"\\") and "&" in line]
    assert {len(re.findall(r"(?<!\\)&", line)) for line in rows} == {3}, "as many cells everywhere"


def test_what_an_estimate_rests_on_stands_beside_its_interval() -> None:
    found = frame(
        [row(0.5, **design(), among="all"), row(0.5, **design(), among="some", denominator=7, cases=5)]
    )
    text = latex(tabulated("one", "", found, Layout(conditions(design()), PERCENT, "among")))
    assert "50.0 (40.0--60.0; n 40, 20 cases) & 50.0 (40.0--60.0; n 7, 5 cases)" in text
