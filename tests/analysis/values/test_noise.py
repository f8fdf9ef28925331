"""What judges do to the figures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.values import use
from analysis.values.labels import COLUMNS, gather
from tests.analysis.values.labelled import TAXONOMY, Labelled, judgments, measured, talk

BY = ("protocol",)


def difference(**judges: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Differences and their noise, of judges who find these values in the one turn of alpha of each case."""
    tables, debates = [], list[Labelled]()
    for judge, given in judges.items():
        name, number = judge.rsplit("_", 1)
        debates = [
            talk(f"N:{label} N:b", id=f"d{case}", case=f"c{case}") for case, label in enumerate(given.split())
        ]
        tables.append(judgments(debates, name, int(number)).select(COLUMNS))
    _, apart = use.estimate(measured(debates, gather(tables, TAXONOMY)), BY)
    return apart.frame, apart.noise


def test_every_judge_and_pass_has_its_figures_and_all_together_their_noise() -> None:
    frame, noise = difference(ann_1="a a a c", ann_2="a c c c", bert_1="c c c c")
    of = frame[frame["value"] == "a"]
    assert list(zip(of["judge"], of["pass"], of["estimate"], strict=True)) == [
        ("ann", 1, 0.75),
        ("ann", 2, 0.25),
        ("bert", 1, 0),
    ]
    row = noise[noise["value"] == "a"].iloc[0]
    assert (row["labellings"], row["judges"]) == (3, 2)
    assert row["estimate"] == pytest.approx(1 / 3)
    assert (row["lowest"], row["highest"]) == (0, 0.75)
    assert row["between"] == pytest.approx(np.var([0.75, 0.25, 0], ddof=1))
    assert row["between_judges"] == pytest.approx(np.var([0.5, 0], ddof=1))
    assert row["between_passes"] == pytest.approx(np.var([0.75, 0.25], ddof=1))
    assert row["total"] == pytest.approx(row["within"] + (1 + 1 / 3) * row["between"])
    assert row["stable"] == pytest.approx(2 / 3)
    assert row["low"] <= 0
    assert row["high"] >= 0.75


def test_ranks_go_by_size_within_a_pair() -> None:
    _, noise = difference(ann_1="a a a c", ann_2="a a a c")
    assert noise.sort_values("rank")["value"].tolist()[:3] == ["b", "a", "c"]
    assert sorted(noise["rank"]) == list(range(1, len(TAXONOMY) + 1))


def test_judges_who_say_the_same_add_no_noise() -> None:
    frame, noise = difference(ann_1="a a a c", bert_1="a a a c")
    assert (noise["between"] == 0).all()
    row, own = noise[noise["value"] == "a"].iloc[0], frame[frame["value"] == "a"].iloc[0]
    assert (row["low"], row["high"]) == (own["low"], own["high"])
    assert np.isnan(row["between_passes"])


def test_one_labelling_has_no_noise() -> None:
    assert difference(ann_1="a c")[1].empty
