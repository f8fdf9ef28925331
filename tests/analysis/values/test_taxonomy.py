"""Taxonomies read from CSV."""

from __future__ import annotations

import pytest

from analysis.values.taxonomy import Taxonomy, TaxonomyError, parse


def test_values_with_groups() -> None:
    found = parse("value,definition,group\nhonesty,says what is so,1\ncandour,,1\n\nthrift,,\n", "v.csv")
    assert found == Taxonomy(("honesty", "candour", "thrift"), ("1", "1", ""))
    assert found.related() == [[0, 1]], "values without a group are not related"


def test_groups_and_definitions_may_be_missing() -> None:
    assert parse("\ufeffvalue\na\nb\n", "v.csv").groups == ("", "")


def test_a_value_that_comes_twice_counts_once() -> None:
    assert parse("value,group\na,1\nb,2\na,1\n", "v.csv").values == ("a", "b")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("value,group\na,1\na,2\n", r"v\.csv, line 3: 'group' of 'a' is '2'"),
        ("value,group\n ,1\n", r"v\.csv, line 2: 'value' is empty"),
        ("value,group\na\n", r"v\.csv, line 2: has 1 cells, expected 2 \(value,group\)"),
        ("name,group\na,1\n", r"v\.csv, line 1: no column 'value'"),
        ("value,value\na,1\n", r"v\.csv, line 1: a column that comes twice"),
        ("value\n", r"v\.csv: holds no value"),
        ('value\n"a\n', r"v\.csv, line 2: no CSV"),
    ],
)
def test_bad_lines_are_told(text: str, said: str) -> None:
    with pytest.raises(TaxonomyError, match=said):
        parse(text, "v.csv")
