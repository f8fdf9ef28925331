"""What the page of measures shows in Python runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.oversight.catalogue import OVERSIGHT
from tests.analysis.oversight.studies import draw

pytestmark = pytest.mark.long

PAGE = Path(__file__).parents[3] / "docs" / "oversight_measures.md"


def test_the_lines_of_the_page_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = draw(1, 10).write(tmp_path / "run")
    [lines] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(compile(lines.replace('"RUN"', repr(str(run))), str(PAGE), "exec"), found := {})
    assert set(found["tables"]) == {measure.name for measure in OVERSIGHT}
    assert len(found["study"].judged) > 0
    assert capsys.readouterr().out.count("columns]") == 6
