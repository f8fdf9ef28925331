"""The first page of a run."""

import re
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from analysis.report import stack
from analysis.viewer import words
from analysis.viewer.app import application
from analysis.viewer.progress import Progress, Stage
from analysis.viewer.shelf import Shelf
from protocols.answer_format import VERDICTS
from tests.analysis.viewer.client import BASE, PORT, TOKEN, client
from tests.analysis.viewer.made_up import Made, case, judgment, write

pytestmark = pytest.mark.long


def run_of(tmp_path: Path) -> Path:
    debates = [
        Made("one"),
        Made("two", [("ESH", "ESH")], case="case2"),
        Made("three", [("missing", "YTA")], design={"protocol": "round_robin"}),
    ]
    failed = {
        "debate_id": "lost",
        "case_id": "case3",
        "stage": "debate",
        "error_class": "Timeout",
        "message": "no answer",
    }
    again = {**failed, "debate_id": "one", "message": "and then it was played"}
    others = [{"failures": [failed, again]}, judgment(debates[0], "judged")]
    return write(tmp_path / "run", debates, cases=[case(), case("case2")], others=others)


def test_totals_and_cells(tmp_path: Path) -> None:
    asking = client([run_of(tmp_path)])
    asking.get("/run/debates?change=yes")  # waits for the turns
    page = asking.get("/run").text
    totals = dict(re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)</dd>", page))
    assert totals == {
        "debates": "3",
        "judgments": "1",
        "failed": "1",
        "cases": "2",
        "calls": "9",
        "tokens read": "800",
        "tokens written": "56",
        "cost": "–",
    }
    rows = re.findall(r'<td class="n">([^<]*)</td>', page)
    assert rows[:5] == ["1", "1", "1.0", "0%", "0%"]  # round robin
    assert rows[5:10] == ["2", "2", "1.5", "100%", "50%"]  # synchronous
    assert "7 of 8 turns" in page
    assert "1 of 8 turns" in page
    assert "no answer" in page
    assert "and then it was played" not in page


def test_a_cell_leads_to_its_debates(tmp_path: Path) -> None:
    asking = client([run_of(tmp_path)])
    for address in re.findall(r'<th scope="row"><a href="(/run/debates[^"]+)"', asking.get("/run").text):
        page = asking.get(address.replace("&amp;", "&")).text
        assert "It is left out here." not in page
        assert len(re.findall(r'<th scope="row">', page)) in (1, 2)
        assert "in all" in page


def test_one_run_is_opened_at_once(tmp_path: Path) -> None:
    answer = client([run_of(tmp_path)]).get("/")
    assert (answer.status_code, answer.headers["location"]) == (303, "/run")


def test_progress_is_what_the_viewer_is_told(tmp_path: Path) -> None:
    progress = Progress(
        "study",
        "is being played",
        True,
        [Stage("debate", 3, 9)],
        ["3 of 9"],
        [{"model": "alpha<"}],
        ["A fact."],
        ["6 left."],
    )
    app = application(Shelf.of([str(run_of(tmp_path))], lambda _: progress), TOKEN, PORT)
    page = TestClient(app, base_url=BASE, cookies={f"moot-{PORT}": TOKEN}).get("/run/progress?piece=1").text
    for said in ("study", "is being played", "3 of 9", "alpha&lt;", "A fact.", "6 left.", 'data-again="5"'):
        assert said in page


def test_measures_are_those_of_the_report(tmp_path: Path) -> None:
    asking = client([run_of(tmp_path)])
    assert "being counted" in asking.get("/run/measures").text
    end = time.monotonic() + 100
    while "being counted" in (page := asking.get("/run/measures?piece=1").text):
        assert time.monotonic() < end
        time.sleep(0.1)
    assert "Consensus by round" in page
    assert '<svg class="panel' in page
    assert "style=" not in page
    assert "data-again" not in page


def test_measures_that_cannot_be_counted_name_the_part(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    part = run / "tables" / "turns" / "a-000000.parquet"
    part.write_bytes(b"torn")
    asking = client([run])
    end = time.monotonic() + 100
    while "being counted" in (page := asking.get("/run/measures?piece=1").text):
        assert time.monotonic() < end
        time.sleep(0.1)
    assert f"{part} cannot be read as Parquet" in page


def test_labels_have_the_colours_of_the_figures() -> None:
    hues = [f"h{fill.removeprefix('f')}" for fill in stack.VERDICTS]
    assert [words.hue(label) for label in VERDICTS] == hues
    assert [words.hue(letter) for letter in "ABCDEF"] == [*hues, hues[0]]
    assert words.hue(None) == words.hue("neither") == "h0"
