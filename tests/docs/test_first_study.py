"""The first tutorial, from its file to its report: what it shows is what comes out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.console import DOCS, blocks, follow
from tests.ray_jobs.moot_runs import moot

PAGE = "tutorials/first_study.md"


@pytest.mark.ray
@pytest.mark.timeout(400)
def test_what_the_tutorial_shows_is_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("experiments").symlink_to(DOCS.parent / "experiments")
    file, stages, _ = blocks(PAGE, "yaml")
    Path("study.yaml").write_text(file, encoding="utf-8")
    *first, grown, report = blocks(PAGE, "console")
    for block in first:
        follow(block, printed)
    with Path("study.yaml").open("a", encoding="utf-8") as study:
        study.write(stages)
    follow(grown, printed)
    follow(report, printed)
    assert Path("runs/two/report.html").exists()


def printed(*words: str) -> str:
    return moot(*words).stdout
