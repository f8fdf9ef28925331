"""Lists of values: the built-in one, and what is said of others that cannot be labelled by."""

import csv
import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

import protocols.values
from protocols.values import VALUES_48, TaxonomyError, Value, normal, read_taxonomy, write_taxonomy

HEAD = "value,definition,group\n"


def test_the_built_in_list_has_48_distinct_values_each_with_a_sentence() -> None:
    assert len(VALUES_48) == 48
    assert len({normal(value.name) for value in VALUES_48}) == 48
    assert len({value.definition for value in VALUES_48}) == 48
    for value in VALUES_48:
        assert re.fullmatch(r"[A-Z].*[^.]\.", value.definition), value
        assert normal(value.name) not in normal(value.definition), "a definition says more than the name"
    assert {int(value.group) for value in VALUES_48} <= set(range(22))


def test_the_built_in_list_is_sorted_and_its_file_is_what_is_written() -> None:
    text = files(protocols.values).joinpath("values_48.csv").read_text("utf-8")
    assert read_taxonomy(write_taxonomy(VALUES_48), "again") == VALUES_48
    names = [row["value"] for row in csv.DictReader(text.splitlines())]
    assert names == sorted(names)


@given(
    st.lists(
        st.tuples(st.integers(0, 10**6), st.text("ab ,\"'é", min_size=1)),
        min_size=1,
        unique_by=lambda x: x[0],
    )
)
def test_what_was_written_is_read_again(rows: list[tuple[int, str]]) -> None:
    values = tuple(Value(f"v{n}", f"is {' '.join(text.split())}".strip(), str(n % 3)) for n, text in rows)
    assert read_taxonomy(write_taxonomy(values), "f.csv") == values


def test_columns_may_stand_in_any_order_and_others_are_passed_over() -> None:
    text = "\ufeffnote,Definition, VALUE\r\nx,One  is kind.,Kindness\r\n\r\n,Two.,Wit\r\n"
    assert read_taxonomy(text, "f.csv") == (Value("Kindness", "One is kind."), Value("Wit", "Two."))


def test_names_that_differ_in_a_sign_a_mark_or_a_symbol_are_two() -> None:
    names = ("C", "C++", "क", "कि", "🎉", "Good will", "Good-will")
    assert tuple(value.name for value in read_taxonomy(HEAD + ",x,\n".join((*names, "")), "f")) == names


def test_a_row_that_comes_again_word_for_word_counts_once() -> None:
    """As "Environmental consciousness" does in the list of the paper on interaction protocols."""
    text = "value,definition,group\nwit,One is quick.,1\nmercy,One spares.,2\n wit ,One is  quick.,1\n"
    assert read_taxonomy(text, "f.csv") == (
        Value("wit", "One is quick.", "1"),
        Value("mercy", "One spares.", "2"),
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "f.csv: found an empty file; expected the columns value, definition"),
        ("\ufeff \n", "f.csv: found an empty file"),
        (HEAD, "f.csv: found no value; expected a row for each"),
        (
            "name,definition\na,b\n",
            "f.csv:1: found name, definition; expected the columns value, definition, each once",
        ),
        ("value,value,definition\na,b,c\n", "f.csv:1: found value, value, definition; expected"),
        ("value|definition\na|b\n", "f.csv:1: found value|definition; expected"),
        ("sep=;\nvalue,definition\na;b\n", "f.csv:2: found value,definition; expected"),
        ("sep=;\nvalue;definition\na;b;c\n", "f.csv:3: found 3 fields; expected 2"),
        (HEAD + "A,b,1\n,b,1\n", "f.csv:3: value: found nothing; expected a value in words"),
        (HEAD + "'.',b,1\n", "f.csv:2: value: found nothing"),
        (HEAD + 'A,"b\nc",1\nB,,2\n', "f.csv:4: definition: found nothing; expected a definition"),
        (
            HEAD + "A,b,1\n\nC,one, two,1\n",
            "f.csv:4: found 4 fields; expected 3, one for each of value, definition",
        ),
        (
            HEAD + "Good will,b,1\nX,y,1\n good  WILL.,c,1\n",
            "f.csv:4: value: found 'good WILL.', which stands on line 2",
        ),
        (HEAD + "None,b,1\n", "f.csv:2: value: found 'None', which stands for no value"),
        (HEAD + "A,b,1\nB\0,b,1\n", "f.csv:3: value: found the control character U+0000"),
        (HEAD + "A\x85B,b,1\n", "f.csv:2: value: found the control character U+0085"),
        (HEAD + "A,b\x1b[31m,1\n", "f.csv:2: definition: found the control character U+001B"),
        (HEAD + "A,b,\x7f\n", "f.csv:2: group: found the control character U+007F"),
        (HEAD + "a" * 201 + ",b,1\n", "f.csv:2: value: found a name of 201 characters; expected at most 200"),
        (HEAD + "a" + "\u0301\u0316" * 50_000 + ",b,1\n", "f.csv:2: value: found a name of 100,001"),
        (HEAD + 'A,"b,1\n', "f.csv:2: found a row that is no valid CSV"),
    ],
)
def test_the_message_names_file_line_and_column(text: str, says: str) -> None:
    with pytest.raises(TaxonomyError) as refused:
        read_taxonomy(text, "f.csv")
    assert str(refused.value).startswith(says)
