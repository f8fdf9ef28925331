"""A table in LaTeX, for the packages booktabs and longtable."""

from __future__ import annotations

from analysis.report.table import Cell, Row, Table

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "[": "{[}",
    "*": "{*}",
    "−": r"$-$",
    "–": "--",
    "→": r"$\rightarrow$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≥": r"$\geq$",
    "∞": r"$\infty$",
    "…": r"\ldots{}",
    "†": r"$\dagger$",
    **{raised: f"$^{digit}$" for digit, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{letter: rf"\{letter}" for letter in "&%$#_{}"},
}
"""What LaTeX would take for a command, or may not have a letter for."""


def escaped(said: str) -> str:
    """A text as LaTeX prints it, line breaks as spaces."""
    return "".join(SPECIAL.get(letter, letter) for letter in " ".join(said.split()))


def latex(table: Table) -> str:
    r"""The table as a `longtable` with its caption and the label `tab:<name>`."""
    width = len(table.heads)
    head = " & ".join(map(escaped, table.heads)) + r" \\"
    lines = [
        r"% needs \usepackage{booktabs,longtable}",
        rf"\begin{{longtable}}{{{'l' * table.named}{'r' * (width - table.named)}}}",
        rf"\caption{{{escaped(table.caption)}}}\label{{tab:{table.name}}}\\",
        r"\toprule",
        head,
        r"\midrule",
        r"\endfirsthead",
        r"\toprule",
        head,
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
    ]
    for place, group in enumerate(table.groups):
        if group.label:
            lines += [r"\addlinespace"] * (place > 0)
            lines.append(rf"\multicolumn{{{width}}}{{l}}{{\emph{{{escaped(group.label)}}}}} \\")
        lines += [_row(row) for row in group.rows]
    return "\n".join([*lines, r"\end{longtable}", ""])


def _row(row: Row) -> str:
    return " & ".join(map(_cell, row)) + r" \\"


def _cell(cell: Cell) -> str:
    below = "; ".join(filter(None, [cell.interval, cell.rests]))
    return escaped(f"{cell.said} ({below})" if below else cell.said)
