"""What the page on the report shows in Python runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis.schema import schema
from tests.analysis.synthetic import draw, write

PAGE = Path(__file__).parents[2] / "docs" / "report.md"


def test_the_lines_of_the_page_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    debates = draw(1, 60)
    run = write(tmp_path, [debates])
    ids = sorted({debate.case for debate in debates})
    cases = [{"case_id": name, "contestation": 2.0 * (place % 2)} for place, name in enumerate(ids)]
    (run / "tables" / "cases").mkdir()
    pq.write_table(pa.Table.from_pylist(cases, schema("cases")), run / "tables" / "cases" / "0.parquet")
    [lines] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(compile(lines.replace('"RUN"', repr(str(run))), str(PAGE), "exec"), found := {})
    assert len(found["tables"]["consensus"]) > 0
    every, disputed = (len(found[name].rows) for name in ("courses", "disputed"))
    assert 0 < disputed < every
    assert capsys.readouterr().out.count("columns]") == 3
