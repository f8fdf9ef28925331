"""A measure of one's own: its values by condition, with hand-computed means."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from analysis.own_measure import MeasureError, OwnMeasure, described, estimate, own_measures, read_measure
from analysis.schema import schema
from analysis.tally import merge

TURNS = [
    ("d1", "c1", "NTA", 0.75),
    ("d1", "c1", "YTA", 0.25),
    ("d2", "c2", "YTA", 0.5),
    ("d2", "c2", "YTA", None),
    ("d3", "c3", None, None),
]
"""Debates, their cases, and the labels and confidence of their seats in round 1."""


def turns(rows: list[tuple[str, str, str | None, float | None]]) -> pa.Table:
    names = schema("turns").names
    told = [
        {
            "debate_id": debate,
            "case_id": case,
            "protocol": "p",
            "stage": "debate",
            "label": label,
            "confidence": sure,
        }
        for debate, case, label, sure in rows
    ]
    return pa.Table.from_pylist([{name: row.get(name) for name in names} for row in told], schema("turns"))


def heard(frame: pd.DataFrame) -> pd.DataFrame:
    """Confidence of a debate. The mean of what its turns state."""
    known = frame.dropna(subset="confidence")
    return (
        known.groupby("debate_id", as_index=False)["confidence"]
        .mean()
        .rename(columns={"confidence": "value"})
    )


def labels(frame: pd.DataFrame) -> pd.DataFrame:
    found = frame.dropna(subset="label").drop_duplicates(["debate_id", "label"])
    return found.assign(value=1).rename(columns={"label": "of"})


def test_a_mean_of_values() -> None:
    """(0.5 + 0.5) / 2; the debate without any stated confidence does not count."""
    own = OwnMeasure("heard", "own.py:heard", heard)
    [row] = estimate(own.count(turns(TURNS))).to_dict("records")
    assert (row["numerator"], row["denominator"], row["estimate"], row["cases"]) == (1.0, 2, 0.5, 2)
    assert (row["protocol"], row["of"]) == ("p", "")


def test_shares_of_what_a_debate_has() -> None:
    """One of two debates with a label has NTA, both have YTA."""
    own = OwnMeasure("labels", "own.py:labels", labels)
    found = estimate(own.count(turns(TURNS))).set_index("of")
    assert found["estimate"].to_dict() == {"NTA": 0.5, "YTA": 1.0}
    assert found["denominator"].to_list() == [2, 2]
    assert found["wilson_low"].notna().all()


def test_how_debates_are_spread_over_parts_does_not_matter() -> None:
    own = OwnMeasure("heard", "own.py:heard", heard)
    whole = own.count(turns(TURNS))
    spread = merge([own.count(turns(TURNS[2:])), own.count(turns(TURNS[:2]))])
    pd.testing.assert_frame_equal(estimate(merge([whole])), estimate(spread))


def test_no_turns_have_no_estimates() -> None:
    assert estimate(OwnMeasure("heard", "own.py:heard", heard).count(turns([]))).empty


def test_what_it_says_of_itself() -> None:
    assert described(OwnMeasure("heard", "", heard)) == (
        "Confidence of a debate",
        "The mean of what its turns state.",
    )
    assert described(OwnMeasure("labels", "", labels)) == ("Labels", "A measure of one's own.")


def test_a_file_of_measures(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("import pandas as pd\ndef mine(turns):\n    return turns\ndef other(x): ...\n")
    assert read_measure(file, "mine").place == f"{file}:mine"
    for name in ("other", "none"):
        with pytest.raises(MeasureError, match=f"found no measure '{name}'; it has: mine; allowed: def NAME"):
            read_measure(file, name)
    with pytest.raises(MeasureError, match="cannot be read: No such file"):
        read_measure(tmp_path / "nothing.py", "mine")
    for line, says in (("1 / 0", "ZeroDivisionError: division by zero"), ("exit(0)", "SystemExit: 0")):
        file.write_text(f"{line}\n")
        with pytest.raises(MeasureError, match=says):
            read_measure(file, "mine")


def test_a_run_without_a_debate_has_the_measure_without_rows(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    measure = own_measures(tmp_path, OwnMeasure("heard", "own.py:heard", heard))
    assert (measure.name, measure.title, measure.source) == (
        "own_heard",
        "Confidence of a debate",
        "own.py:heard",
    )
    assert measure.estimate(None, "disagree").empty  # type: ignore[arg-type]
