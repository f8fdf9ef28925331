"""What the model reads of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from analysis.model.features import NothingToFit
from analysis.model.reading import labels_of, read_debates, read_failed, steered
from tests.analysis.counting import said
from tests.analysis.synthetic import Debate, draw, write

SOME = [
    Debate("1", "synchronous", ("a", "b"), "1-2", "default+default", said("NY", "N?"), case="x"),
    Debate("2", "synchronous", ("a", "b"), "1-2", "kind+kind", said("NN"), case="x"),
    Debate("3", "synchronous", ("a", "b"), "1-2", "kind+default", said("YY"), case="y"),
    Debate("4", "solo", ("a",), None, "default", said("N"), case="y"),
    Debate("5", "round_robin", ("a", "b"), "1-2", "default+default", error="Timeout", case="z"),
    Debate("6", "solo", ("a",), None, "default", error="Timeout", case="z"),
]


def test_debates_that_hear_each_other_are_read(tmp_path: Path) -> None:
    turns = read_debates(write(tmp_path, [SOME]))
    assert turns["debate_id"].tolist() == ["1"] * 4 + ["2"] * 2 + ["3"] * 2
    assert turns["label"].isna().sum() == 1
    assert turns["repetition"].eq(1).all()
    assert labels_of(turns) == ("NTA", "YTA", "ESH", "NAH", "INFO")


def test_failed_debates_are_read(tmp_path: Path) -> None:
    assert read_failed(write(tmp_path, [SOME]))["case_id"].tolist() == ["z"]


def test_how_debates_are_stored_does_not_matter(tmp_path: Path) -> None:
    debates = draw(5, 60)
    runs = [
        write(tmp_path / name, parts)
        for name, parts in (("a", [debates]), ("b", [debates[40:], debates[:40][::-1]]))
    ]
    one, other = (read_debates(run) for run in runs)
    assert one.equals(other)


def test_the_usual_steering_is_taken(tmp_path: Path) -> None:
    turns = read_debates(write(tmp_path, [SOME]))
    kept, note = steered(turns)
    assert set(kept["debate_id"]) == {"1"}
    assert note == "Only debates of the steering default in all seats: 1 of 3."
    assert set(steered(turns, "kind")[0]["debate_id"]) == {"2"}
    with pytest.raises(NothingToFit, match="no debate has the steering 'rude' in all seats; found default"):
        steered(turns, "rude")


def test_without_the_usual_steering_all_are_pooled(tmp_path: Path) -> None:
    others = [
        replace(one, steering=f"{name}+{name}") for one, name in zip(SOME[:2], ("kind", "firm"), strict=True)
    ]
    kept, note = steered(read_debates(write(tmp_path, [others])))
    assert kept["debate_id"].nunique() == 2
    assert note == "All steerings are pooled: firm+firm, kind+kind."


def test_a_run_without_debates_has_none(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    assert read_debates(tmp_path).empty
    assert read_failed(tmp_path).empty


def test_debates_in_which_all_is_heard_are_taken_where_there_are_some(tmp_path: Path) -> None:
    turns = read_debates(write(tmp_path, [SOME[:1]]))
    ring = turns.assign(debate_id="5", variant='{"hears":"ring","rounds":4}')
    kept, note = steered(pd.concat([turns, ring], ignore_index=True))
    assert set(kept["debate_id"]) == {"1"}
    assert note == "Only debates in which seats hear all that was said: 1 of 2."
    kept, note = steered(ring)
    assert set(kept["debate_id"]) == {"5"}
    assert "what is counted as heard is what was said" in note
