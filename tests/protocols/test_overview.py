"""The table of protocols in the documentation is that of the protocols as they are."""

from __future__ import annotations

import pytest

from protocols import PROTOCOLS
from protocols.overview import OUTLINES, PAGE, table, written


def test_the_page_is_up_to_date() -> None:
    page = PAGE.read_text("utf-8")
    assert page == written(page), "run python -m protocols.overview"


def test_every_protocol_has_its_row_and_nothing_else() -> None:
    assert list(OUTLINES) == list(PROTOCOLS)
    names = [line.split(" | ")[0].removeprefix("| ") for line in table().splitlines()[2:]]
    assert names == [f"`{protocol}`" for protocol in PROTOCOLS]
    assert {line.count(" | ") for line in table().splitlines()} == {4}


def test_parameters_come_with_their_defaults() -> None:
    rows = dict(zip(PROTOCOLS, table().splitlines()[2:], strict=True))
    assert "`turns: 3`, `words: 0`, `hears: full`, `sits_in` |" in rows["debate"]
    assert "| `rounds: 4` |" in rows["reask"]
    assert "| none |" in rows["solo"]


def test_only_the_table_is_written() -> None:
    old = "Before.\n<!-- begin: python -m protocols.overview -->\nstale\n<!-- end -->\nAfter.\n"
    new = written(old)
    assert (new.startswith("Before.\n<!--"), new.endswith("-->\nAfter.\n")) == (True, True)
    assert written(new) == new
    assert "stale" not in new
    with pytest.raises(ValueError, match="found no table to write"):
        written("Before.")
