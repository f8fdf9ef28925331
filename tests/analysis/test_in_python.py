"""What pages show in Python runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis.schema import schema
from tests.analysis.replication.runs import played, write_run
from tests.analysis.synthetic import draw, write

pytestmark = pytest.mark.long

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "report.md"


def test_the_lines_of_the_page_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    debates = draw(1, 60)
    run = write(tmp_path, [debates])
    ids = sorted({debate.case for debate in debates})
    cases = [{"case_id": name, "contestation": 2.0 * (place % 2)} for place, name in enumerate(ids)]
    (run / "tables" / "cases").mkdir()
    pq.write_table(pa.Table.from_pylist(cases, schema("cases")), run / "tables" / "cases" / "0.parquet")
    *_, lines = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(compile(lines.replace('"RUN"', repr(str(run))), str(PAGE), "exec"), found := {})
    assert len(found["tables"]["consensus"]) > 0
    every, disputed = (len(found[name].rows) for name in ("courses", "disputed"))
    assert 0 < disputed < every
    assert capsys.readouterr().out.count("columns]") == 3


def test_the_lines_of_the_page_on_the_model_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = [("synchronous", ("gpt", "claude")), ("round_robin", ("gpt", "claude"))]
    run = write_run(tmp_path, played(40, 1, conditions=pairs))
    [lines] = re.findall(r"```python\n(.*?)```", (DOCS / "model.md").read_text("utf-8"), re.DOTALL)
    exec(compile(lines.replace('"RUN"', repr(str(run))), "model.md", "exec"), found := {})
    assert len(found["slopes"]) == 6
    assert "slopes are the same under every protocol" in capsys.readouterr().out


def test_the_lines_of_the_page_for_a_notebook_run(tmp_path: Path) -> None:
    run = write_run(tmp_path, played(10, 1, conditions=[("synchronous", ("gpt", "claude"))]))
    lines, _ = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(compile(lines.replace('"RUN"', repr(str(run))), str(PAGE), "exec"), found := {})
    assert found["run"].place == str(run)
