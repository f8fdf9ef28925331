"""Sheets, lists of values and runs that somebody has damaged, moved or edited by hand."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.by_hand.drawing import SheetError
from analysis.by_hand.sheet import Sheet
from analysis.viewer import sheets
from analysis.viewer.index import FRESH, Index
from tests.analysis.viewer.client import BASE, client
from tests.analysis.viewer.made_up import Made, case, write

pytestmark = pytest.mark.long


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run with sheets of two people."""
    made = write(tmp_path / "run", [Made("one"), Made("two")], cases=[case()])
    index = Index(str(made))
    for person in ("ann", "bob"):
        sheets.begin(index, person, 4, 0, sheets.lists(index)[0])
    return made


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda whole: whole[: whole.index(b"\r\n", 100) - 3],
    "no text": lambda whole: whole + b"\xff\xfe",
    "NUL in the heading": lambda whole: whole.replace(b"id", b"\x00d", 1),
    "quotes left open": lambda whole: whole + b'"and so on',
    "a short row": lambda whole: whole + b"t1,because\r\n",
    "a page": lambda _: b"<script>window.ran = 1</script>",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_sheet_is_told_and_hides_no_other(run: Path, damage: str) -> None:
    file, viewer = run / "sheets/ann.csv", client([run])
    damaged = DAMAGE[damage](file.read_bytes())
    file.write_bytes(damaged)
    page = viewer.get("/run/label")
    assert page.status_code == 200
    assert "ann.csv" in page.text
    assert "/run/label/bob/1" in page.text
    assert "<script>window" not in page.text
    for path in ("/run/label/ann", "/run/label/ann/1"):
        assert "ann.csv" in viewer.get(path).text
    sent = viewer.post("/run/label/ann/1", data={"id": "t1", "value": "none"}, headers={"origin": BASE})
    assert sent.status_code == 500
    assert file.read_bytes() == damaged


@pytest.mark.parametrize("content", [b"", b"\x00", b"a,b\n1,2\n", b"\xff\xfe\xff", b"value,definition\n"])
def test_a_damaged_list_of_values_is_told(run: Path, content: bytes) -> None:
    viewer = client([run])
    (run / "sheets/ann.values.csv").write_bytes(content)
    assert "ann.values.csv" in viewer.get("/run/label/ann/1").text
    (run / "values").mkdir()
    (run / "values/judged.csv").write_bytes(content)
    page = viewer.get("/run/label")
    assert page.status_code == 200
    assert "values/judged.csv" in page.text
    assert "the 48 values of moot" in page.text


def test_a_list_that_was_mended_is_no_longer_told(run: Path) -> None:
    viewer = client([run])
    (run / "values").mkdir()
    (run / "values/judged.csv").write_bytes(b"")
    assert "values/judged.csv" in viewer.get("/run/label").text
    shutil.copy(run / "sheets/ann.values.csv", run / "values/judged.csv")
    assert "values/judged.csv" not in viewer.get("/run/label").text


def test_an_explanation_that_stands_twice_in_a_sheet_is_labelled_in_neither_row(run: Path) -> None:
    file = run / "sheets/ann.csv"
    sheet = Sheet.of(file)
    Sheet(sheet.columns, [*sheet.rows, sheet.rows[1]]).write(file)
    before = file.read_bytes()
    with pytest.raises(SheetError, match="at the explanations 2, 5; allowed: at one"):
        sheets.label(Index(str(run)), "ann", sheet.rows[1]["id"], [])
    assert file.read_bytes() == before
    assert sheets.label(Index(str(run)), "ann", sheet.rows[0]["id"], []).given(0) == ["none"]


def test_of_two_who_begin_a_sheet_of_one_name_at_once_one_is_told(run: Path) -> None:
    index, told, ready = Index(str(run)), list[str](), threading.Barrier(4)

    def begin() -> None:
        ready.wait()
        try:
            sheets.begin(index, "cleo", 3, 0, sheets.lists(index)[0])
        except SheetError as error:
            told.append(str(error))

    people = [threading.Thread(target=begin) for _ in range(4)]
    for one in people:
        one.start()
    for one in people:
        one.join()
    assert len(told) == 3
    assert all("whose sheet is there already" in each for each in told)
    assert len(Sheet.of(run / "sheets/cleo.csv").rows) == 3


def test_a_run_that_is_removed_hides_no_other(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = write(tmp_path / "other", [Made("three")], cases=[case()])
    viewer = client([run, other])
    shutil.rmtree(run)
    monkeypatch.setattr("analysis.viewer.index.FRESH", -FRESH)
    for path in ("/", "/compare"):
        page = viewer.get(path)
        assert page.status_code == 200, path
        assert f"{run} is no run directory" in page.text
        assert "other" in page.text
    assert f"{run} is no run directory" in viewer.get("/run/debates").text
    assert viewer.get("/other/debates").status_code == 200


def test_a_folder_in_place_of_a_report_is_told(run: Path) -> None:
    (run / "report.html").mkdir()
    answer = client([run]).get("/run/report")
    assert answer.status_code == 500
    assert "report.html" in answer.text
