"""A debate as Markdown: complete, and whatever was said in it stays in its block."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from analysis.viewer.markdown import block, span
from tests.analysis.viewer.client import client
from tests.analysis.viewer.hostile import TEXTS, Hostile
from tests.analysis.viewer.played import asked, moral

pytestmark = pytest.mark.long

ALLOWED = {
    *("heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline", "fence", "text"),
    *(
        "bullet_list_open",
        "bullet_list_close",
        "list_item_open",
        "list_item_close",
        "code_inline",
        "softbreak",
    ),
}


def tokens(said: str) -> Iterator[Token]:
    """All that a reader of CommonMark finds."""
    for token in MarkdownIt().parse(said):
        yield token
        yield from token.children or ()


@pytest.mark.parametrize("said", TEXTS.values(), ids=TEXTS)
def test_no_text_leaves_its_block_or_span(said: str) -> None:
    found = list(tokens(f"before\n\n{block(said)}\n\nafter\n\n- name: {span(said)}\n\nend"))
    assert [token.type for token in found if token.type == "fence"] == ["fence"]
    assert [token.type for token in found if token.type == "code_inline"] == ["code_inline"]
    assert {token.type for token in found} <= ALLOWED
    plain = [token.content for token in found if token.type == "text"]
    assert plain == ["before", "after", "name: ", "end"]


@given(st.text(st.sampled_from("`~ \n\ra<&\\*_[]()#>-\t\u202e"), max_size=60))
def test_none_can_be_written_that_does(said: str) -> None:
    found = list(tokens(f"before\n\n{block(said)}\n\nafter {span(said)} end"))
    assert [token.content for token in found if token.type == "text"] == ["before", "after ", " end"]
    assert {token.type for token in found} <= ALLOWED


@pytest.mark.parametrize("hostile", [False, True])
def test_every_turn_is_in_the_file_and_nothing_else_is_markup(tmp_path: Path, hostile: bool) -> None:
    run = moral(tmp_path / "run", Hostile() if hostile else None, cases=3)
    viewer, turns = client([run]), pd.read_parquet(run / "tables" / "turns")
    for debate, rows in turns.groupby("debate_id"):
        answer = viewer.get(f"/run/debates/{debate}/markdown")
        assert answer.status_code == 200
        assert answer.headers["content-disposition"] == f'attachment; filename="run-{debate}.md"'
        found = list(tokens(answer.text))
        assert {token.type for token in found} <= ALLOWED
        blocks = [token.content for token in found if token.type == "fence"]
        assert len(blocks) == 1 + len(rows)
        assert sum(token.tag == "h3" and token.nesting == 1 for token in found) == len(rows)
        if not hostile:
            assert sorted(blocks[1:]) == sorted(f"{said}\n" for said in rows["explanation"])
            assert "## Judges" in answer.text
            assert "values by" in answer.text


def test_a_question_has_its_options_and_a_disagreement_its_cruxes(tmp_path: Path) -> None:
    run = asked(tmp_path / "run")
    viewer, debates = client([run]), pd.read_parquet(run / "tables" / "debates")
    one = debates[debates["protocol"] == "disagreement_resolution"].iloc[0]
    said = viewer.get(f"/run/debates/{one['debate_id']}/markdown").text
    assert "`The second` (right)" in said
    assert "the openings" in said
    assert "- crux: `" in said
    assert viewer.get("/run/debates/none/markdown").status_code == 404
