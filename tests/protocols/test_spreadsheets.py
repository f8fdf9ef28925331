"""CSV from spreadsheets: however it is parted and encoded, and without formulas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.spreadsheets import TableError, decoded, guarded, rows, unguarded

TABLE = [(2, {"a": "x, y; z", "b": "1\n2"}), (5, {"a": "", "b": "3"})]
QUOTED = 'a,b\n"x, y; z","1\n2"\n\n,3\n'


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_cells_are_parted_as_the_heading_is(delimiter: str, end: str) -> None:
    head, row, blank, last = ' A{0}"B"', '"x, y; z"{0}"1\n2"', "", "{0}3{0}"
    text = end.join([head, row, blank, last, ""]).format(delimiter)
    found = list(rows(text, "f", ["a", "b"]))
    assert found == [(line, row) for line, row in TABLE]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_files_of_these_encodings_are_read(encoding: str) -> None:
    assert list(rows(decoded(QUOTED.encode(encoding), "f"), "f", ["a", "b"])) == TABLE


def test_other_encodings_are_told_with_the_line() -> None:
    with pytest.raises(TableError, match=r"f:2: found the byte 0xe9, which is no UTF-8; expected"):
        decoded("a\né".encode("latin-1"), "f")
    with pytest.raises(TableError, match="which is no UTF-16"):
        decoded("é".encode("utf-16") + b"x", "f")


@pytest.mark.parametrize("named", ["sep=;\n", '"sep=;"\r\n', "SEP=;\n"])
def test_a_first_line_may_name_what_parts_the_cells(named: str) -> None:
    assert list(rows(f"\ufeff{named}a;b\nx;y\n", "f", ["a"])) == [(3, {"a": "x", "b": "y"})]


def test_one_empty_cell_too_many_is_passed_over_and_nothing_else() -> None:
    assert list(rows("a,b\nx,y,\n", "f", ["a"])) == [(2, {"a": "x", "b": "y"})]
    for cells in ("x,y,z", "x,y,,", "x"):
        with pytest.raises(TableError, match="f:2: found"):
            list(rows(f"a,b\n{cells}\n", "f", ["a"]))


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", "''-x"])
def test_what_looks_like_a_formula_is_shown_as_text(cell: str) -> None:
    assert guarded(cell) == f"'{cell}"
    assert unguarded(cell.lstrip("'")) == cell.lstrip("'"), "what a spreadsheet took off is not asked for"


@given(st.text("'=+-@\t\r a1"))
def test_every_cell_comes_back_as_it_was(cell: str) -> None:
    assert unguarded(guarded(cell)) == cell
    assert not guarded(cell).startswith(("=", "+", "-", "@", "\t", "\r"))


@given(st.text("'xa 1."))
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert guarded(cell) == unguarded(cell) == cell
