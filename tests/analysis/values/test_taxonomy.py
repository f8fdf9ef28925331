"""Taxonomies read from CSV, as labels were made with them."""

from __future__ import annotations

import pytest

from analysis.values.taxonomy import Taxonomy, TaxonomyError, parse
from protocols.values import VALUES_48, write_taxonomy


def test_values_with_groups() -> None:
    text = "value,definition,group\nhonesty,True.,1\ncandour,Frank.,1\n\nthrift,Less.,\n"
    found = parse(text, "v.csv")
    assert found == Taxonomy(("honesty", "candour", "thrift"), ("1", "1", ""))
    assert found.related() == [[0, 1]], "values without a group are not related"


def test_what_labels_are_made_with_is_what_measures_read() -> None:
    found = parse(write_taxonomy(VALUES_48), "v.csv")
    assert found.values == tuple(value.name for value in VALUES_48)
    assert found.groups == tuple(value.group for value in VALUES_48)


def test_a_value_that_comes_twice_counts_once() -> None:
    assert parse("value,definition\na,One.\nb,Two.\na,One.\n", "v.csv").values == ("a", "b")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "value,definition,group\na,One.,1\na,One.,2\n",
            r"v\.csv:3: value: found 'a', which stands on line 2",
        ),
        ("value,definition\n ,One.\n", r"v\.csv:2: value: found nothing"),
    ],
)
def test_bad_lines_are_told(text: str, said: str) -> None:
    with pytest.raises(TaxonomyError, match=said):
        parse(text, "v.csv")
