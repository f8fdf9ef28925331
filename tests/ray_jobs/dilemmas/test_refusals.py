"""What cannot be built is refused in one message, and exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ray_jobs.cli import app
from tests.ray_jobs.dilemmas.builds import comment, ndjson, post

BASE = "dilemmas build --submissions RS.ndjson --comments RC.ndjson --subreddit AmItheAsshole"
DAYS = "--from 2025-01-01 --to 2025-03-30"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            f"{BASE} --from 2025-03-30 --to 2025-01-01 --out new",
            "--from: found 2025-03-30; allowed: a day up to",
        ),
        (f"{BASE} {DAYS} --out full", "--out full: found something there; allowed: a new or empty folder"),
        (f"{BASE} {DAYS} --out RS.ndjson", "--out RS.ndjson: found something there"),
        (
            f"{BASE} {DAYS} --submissions no.zst --out new",
            "--submissions no.zst: found no such file; allowed: a",
        ),
        (
            f"{BASE} {DAYS} --comments RC.txt --out new",
            "--comments RC.txt: found the ending '.txt'; allowed: .zst",
        ),
        (
            f"{BASE} {DAYS} --comments RC.ndjson --out new",
            "--comments: found RC.ndjson twice; allowed: every file",
        ),
        (
            f"{BASE} {DAYS} --subreddit r/x --out new",
            "--subreddit: found 'r/x'; allowed: its name without r/",
        ),
        (f"{BASE} {DAYS} --comments hollow --out new", "hollow: found no file in it that ends with .zst or"),
        (f"{BASE} {DAYS} --out dead", "--out dead: found a link to nothing"),
        (f"{BASE} {DAYS} --verdicts 99999999999999999999 --out new", "for '--verdicts'"),
        (f"{BASE} {DAYS} --words 0 --out new", "for '--words'"),
        (f"{BASE} --from soon --to 2025-01-01 --out new", "'soon' does not match the format"),
        (
            f"{BASE} {DAYS} --verdicts 3 --out new",
            "new: found no post that can be a case; the counts say why",
        ),
    ],
)
def test_what_cannot_be_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ndjson(Path("RS.ndjson"), [post()])
    ndjson(Path("RC.ndjson"), [comment()])
    (tmp_path / "full").mkdir()
    (tmp_path / "dead").symlink_to("nowhere")
    (tmp_path / "hollow" / "RS.zst").mkdir(parents=True)
    (tmp_path / "full" / "file").touch()
    done = CliRunner().invoke(app, words.split())
    assert done.exit_code == 2
    assert told in done.output


@pytest.mark.parametrize(("first", "last"), [("0001-01-01", "9999-12-31"), ("2025-01-01", "9999-12-31")])
def test_every_day_there_is_may_be_the_first_or_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, last: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ndjson(Path("RS.ndjson"), [post()])
    ndjson(Path("RC.ndjson"), [comment()])
    (tmp_path / "new").mkdir()
    words = f"{BASE} --from {first} --to {last} --verdicts 1 --out new"
    assert CliRunner().invoke(app, words.split()).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["RC.ndjson", "RS.ndjson", "new"]
