"""What docs/exchange.md shows is so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import pytest

from ray_jobs.published.debate_files import FINAL, OPTIONAL, ROUNDS, find_files
from ray_jobs.published.verdicts import KINDS
from tests.ray_jobs.published.files import Said, row_of, write_rows
from tests.ray_jobs.test_cli import moot

PAGE = (Path(__file__).parents[2] / "docs" / "exchange.md").read_text("utf-8")
FORM = "My current verdict: {label}\n\n{value}"
ONE, OTHER = Said(FORM, "NTA", ("It is their own ground.",)), Said(FORM, "NTA", ("Nobody is harmed.",))
pytestmark = pytest.mark.usefixtures("unsettled")


@pytest.fixture
def unsettled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ray_jobs.lease.SETTLE_SECONDS", {True: 0.0, False: 0.0})


def shown(language: str) -> list[str]:
    """The blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_files_and_columns_are_those_that_are_read(tmp_path: Path) -> None:
    named = re.findall(r"^\| `(\w+_\{a\}\w*(?:\{\w\}_?)*[^`]*)\.parquet` \|", PAGE, re.MULTILINE)
    assert len(named) == 3
    for name in named:
        stem = name.format(a="gpt", b="cla", c="gem")
        write_rows(tmp_path, stem, [row_of([[ONE] * (3 if "{c}" in name else 2)])])
    files, others = find_files(tmp_path)
    assert ([file.protocol for file in files], others) == (["round_robin", "round_robin", "synchronous"], [])
    needed = re.findall(r"^\| `(\w+)` \| needed \|", PAGE, re.MULTILINE)
    assert needed == [ROUNDS, FINAL, "Agent_k_verdicts"]
    optional = re.findall(r"^\| `Agent_k_(\w+)` \| if there \|", PAGE, re.MULTILINE)
    assert optional == list(OPTIONAL)


def test_the_differences_are_told_as_on_the_screen() -> None:
    told = dict(re.findall(r"^\| `([a-z ]+)` \| ((?:a|no|another) .*) \|$", PAGE, re.MULTILINE))
    assert told == KINDS


def test_the_commands_do_what_they_are_said_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    good, bad = row_of([[ONE, OTHER]]), row_of([[ONE, OTHER], [ONE, OTHER]])
    bad["Agent_2_messages"].append("one more")
    write_rows(tmp_path / "DIR", "sync_h2h_gpt_vs_cla", [good, bad])
    Path("FILE").with_suffix(".jsonl").write_text(
        '{"id": "d1", "title": "A fence", "text": "I built a fence."}\n{"id": "d2", "text": "Another."}\n'
    )
    words = "import interaction-protocol DIR --out RUN --cases FILE.jsonl".split()
    assert f"moot {' '.join(words[:5])} [--cases FILE [--limit 1000]]" in PAGE
    told = moot(*words)
    assert told.exit_code == 0, told.output
    assert re.findall(r"^sync_h2h.*$", PAGE, re.MULTILINE)[0] in told.stdout
    [query] = re.findall(r'duckdb.sql\("(.*?)"\)', shown("python")[0])
    assert duckdb.sql(query).fetchall() == []
    for line in re.findall(r"^moot (export .*)$", PAGE, re.MULTILINE):
        form = line.split()[3]
        made = moot(*line.replace("FOLDER", form).split())
        assert made.exit_code == 0, made.output
    [found] = Path("jsonl/debates.jsonl").read_text("utf-8").splitlines()
    [expected] = shown("json")
    assert json.loads(found) | {"debate_id": "1e5b58cdc3594679"} == json.loads(expected)
    assert "license: cc-by-4.0" in Path("hf/README.md").read_text("utf-8")
