"""First-round agreement and later revision in round_robin, by position and predecessor."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from analysis.measures import agreement
from tests.analysis.counting import coursed, said, two_seats
from tests.analysis.synthetic import Debate


def told(*debates: Debate) -> pd.DataFrame:
    found = agreement.estimate(coursed(debates))
    return found.set_index(["model", "position", "predecessor", "kind"])[
        ["numerator", "denominator", "unreadable"]
    ]


def robin(*rounds: str, models: tuple[str, ...] = ("alpha", "beta"), id: str = "d") -> Debate:
    return Debate(id, "round_robin", models, "1-2", "default", said(*rounds))


AGREES, REVISES = agreement.KINDS


def test_agreeing_with_the_verdict_just_heard_is_no_later_revision() -> None:
    found = told(robin("NN"))
    assert found.loc[("beta", 2, "alpha", AGREES)].tolist() == [1, 1, 0]
    assert found.loc[("beta", 2, "alpha", REVISES)].tolist() == [0, 1, 0]
    assert ("alpha", 1, "", AGREES) not in found.index, "the first has heard nobody"


def test_three_seats_each_hear_the_one_just_before() -> None:
    found = told(robin("NYY", "YYY", models=("alpha", "beta", "gamma")))
    assert found.loc[("beta", 2, "alpha", AGREES)].tolist() == [0, 1, 0]
    assert found.loc[("gamma", 3, "beta", AGREES)].tolist() == [1, 1, 0]
    assert found.loc[("alpha", 1, "", REVISES)].tolist() == [1, 1, 0]


def test_an_unreadable_verdict_on_either_side_leaves_the_denominator() -> None:
    found = told(robin("?N", "NN"), robin("N?", "NN", id="e"))
    assert found.loc[("beta", 2, "alpha", AGREES)].tolist() == [0, 0, 2]
    assert found.loc[("beta", 2, "alpha", REVISES)].tolist() == [0, 1, 1]


def test_orders_are_pooled_by_position() -> None:
    """Seats stand in the order in which they speak, whatever they are called."""
    other = replace(robin("NY", models=("beta", "alpha"), id="e"), order="2-1")
    found = told(robin("NN"), other)
    assert set(found.index.get_level_values("model")) == {"alpha", "beta"}
    panels = agreement.estimate(coursed([robin("NN"), other]), by=["protocol"])
    assert panels.set_index(["model", "position", "kind"]).loc[("alpha", 2, AGREES), "estimate"] == 0


def test_only_debates_that_began_in_round_robin_have_an_exposed_first_round() -> None:
    onward = replace(robin("NY", "NN"), stage="longer", inherited=1)
    assert agreement.estimate(coursed([two_seats("NN"), onward])).empty
