"""Sheets that are filled row by row: nothing on them is lost, and whoever reads one finds it whole."""

import csv
from pathlib import Path

import pytest

from analysis.by_hand.drawing import SheetError, drawn
from analysis.by_hand.explanation import Explanation
from analysis.by_hand.rows import same_text, sheet_rows
from analysis.by_hand.sheet import CELLS, ENCODING, HEADER, Sheet, csv_text, listed_beside, replace_text
from protocols.spreadsheets import TableError
from protocols.values import VALUES_48
from tests.analysis.viewer.hostile import TEXTS

NAMES = [value.name for value in VALUES_48]


def explanation(text: str, debate: str = "d", round: int = 1) -> Explanation:
    return Explanation(text, (debate, round, "seat1"), {})


def sheet(folder: Path, *texts: str) -> Path:
    file = folder / "s.csv"
    every = [explanation(text, round=place) for place, text in enumerate(texts)]
    file.write_text(csv_text(every), ENCODING, newline="")
    return file


def test_a_row_is_labelled_by_up_to_five_values_or_by_none_and_the_others_stay(tmp_path: Path) -> None:
    file = sheet(tmp_path, "one", "two", "three")
    Sheet.of(file).labelled(0, NAMES[:5]).labelled(2, []).write(file)
    found = Sheet.of(file)
    assert [found.given(place) for place in range(3)] == [NAMES[:5], [], ["none"]]
    assert [found.text(place) for place in range(3)] == ["one", "two", "three"]
    assert found.open == [1]
    found.labelled(0, NAMES[7:8]).write(file)
    assert Sheet.of(file).given(0) == NAMES[7:8]
    labels = sheet_rows(file, VALUES_48)
    assert not labels.wrong
    assert sorted(labels.labels.values()) == [(), (NAMES[7],)]


@pytest.mark.parametrize("said", TEXTS.values(), ids=TEXTS)
def test_whatever_was_said_comes_back_as_it_was(tmp_path: Path, said: str) -> None:
    file = sheet(tmp_path, said, said)
    for place in (0, 1):
        Sheet.of(file).labelled(place, NAMES[:2]).write(file)
    found = Sheet.of(file)
    assert all(same_text(found.text(place), said) for place in (0, 1))
    labels = sheet_rows(file, VALUES_48)
    assert not labels.wrong
    assert len(labels.labels) == 2
    assert all(same_text(text, said) for text in labels.texts.values())


def test_columns_that_somebody_has_added_stay(tmp_path: Path) -> None:
    file = tmp_path / "s.csv"
    file.write_text("id;note;explanation;" + ";".join(CELLS) + "\nt1;mine;what was said;;;;;\n", "utf-8")
    Sheet.of(file).labelled(0, NAMES[:1]).write(file)
    with file.open(encoding=ENCODING, newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert (row["note"], row["value_1"], row["explanation"]) == ("mine", NAMES[0], "what was said")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = sheet(tmp_path, "one")
    before = file.read_bytes()

    def torn(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", torn)
    with pytest.raises(OSError, match="No space left"):
        Sheet.of(file).labelled(0, NAMES[:1]).write(file)
    assert file.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["s.csv"]
    monkeypatch.undo()
    replace_text(file, "new")
    assert file.read_text(ENCODING) == "new"


def test_what_is_no_sheet_is_told(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("id,explanation\nx,y\n")
    with pytest.raises(TableError, match=r"s.csv:1: found id, explanation; expected the columns id, expl"):
        Sheet.of(tmp_path / "s.csv")
    (tmp_path / "s.csv").write_text(",".join(HEADER))
    assert Sheet.of(tmp_path / "s.csv").rows == []
    assert listed_beside(tmp_path / "s.csv") == tmp_path / "s.values.csv"


def test_a_smaller_sample_is_the_beginning_of_a_larger_one() -> None:
    every = [explanation("x", f"d{place}") for place in range(50)]
    whole, ten = (drawn(every, sample, 3, "run") for sample in (None, 10))
    assert whole[:10] == ten
    assert sorted(each.id for each in whole) == sorted(each.id for each in every)
    assert whole != drawn(every, None, 4, "run") != every
    with pytest.raises(SheetError, match="--sample: found 51; allowed: at most 50, which the run has"):
        drawn(every, 51, 3, "run")
    with pytest.raises(SheetError, match="run: found no explanation in a debate that has ended"):
        drawn([], None, 3, "run")
