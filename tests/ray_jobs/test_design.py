"""The design is a union of products, expanded into distinct cells in a fixed order."""

from math import factorial

import pytest

from ray_jobs.design import Cell, cells
from ray_jobs.experiment import Experiment
from tests.ray_jobs.studies import study


def expand(**keys: object) -> list[Cell]:
    """The cells of an experiment with these keys."""
    return cells(study(**keys).products)


@pytest.mark.parametrize("seats", [1, 2, 3, 5])
def test_round_robin_is_played_in_every_order(seats: int) -> None:
    """With each seat told apart by its steering."""
    steering = [["default", "none", "balanced", "adversarial", "value:care"][:seats]]
    found = expand(panels=[["a"] * seats], protocols=["round_robin"], steering=steering)
    assert len({cell.order for cell in found}) == len(found) == factorial(seats)


def test_self_play_has_one_order_unless_the_seats_are_steered_apart() -> None:
    assert len(expand(panels=[["a", "a"]], protocols=["round_robin"])) == 1
    assert len(expand(panels=[["a", "a"]], protocols=["round_robin"], steering=[["none", "default"]])) == 2


def test_the_published_design() -> None:
    """Three pairs at once, six orders of pairs, and six orders of three."""
    found = expand(
        designs=[
            {"panels": [["a", "b"], ["a", "c"], ["b", "c"]], "protocols": ["synchronous", "round_robin"]},
            {"panels": [["a", "b", "c"]], "protocols": [{"round_robin": {"orders": "all"}}]},
        ]
    )
    assert [cell.protocol for cell in found] == ["synchronous"] * 3 + ["round_robin"] * 12


def test_a_cell_of_several_designs_stands_once_where_it_comes_first() -> None:
    """However it is written."""
    panels = [["a", "b"]]
    spelled_out = {"synchronous": {"stop": "consensus", "rounds": 3}}
    found = expand(
        designs=[
            {"panels": panels, "protocols": ["synchronous", "solo"], "rounds": 3},
            {"panels": panels, "protocols": [spelled_out], "rounds": 5},
            {"panels": panels, "protocols": ["synchronous"], "rounds": 2},
        ]
    )
    played = [(cell.protocol, cell.rounds) for cell in found]
    assert played == [("synchronous", 3), ("solo", 1), ("synchronous", 2)]


def test_parameters_stand_in_the_variant_where_they_differ_from_the_defaults() -> None:
    protocols = ["solo", "synchronous", {"round_robin": {"stop": "never", "rounds": 2, "orders": "given"}}]
    found = expand(panels=[["a", "b"]], protocols=protocols)
    assert [cell.variant for cell in found] == ["{}", '{"rounds":4}', '{"rounds":2,"stop":"never"}']
    assert found[2].params == {"rounds": 2, "stop": "never"}


def test_crossed_labels_are_cells_where_seats_write_at_the_same_time() -> None:
    protocols = ["synchronous", "round_robin", "solo"]
    found = expand(panels=[["a", "b", "c"]], protocols=protocols, labels="crossed")
    assert [cell.labels for cell in found] == [
        (1, 2, 3),
        (1, 3, 2),
        (2, 1, 3),
        (2, 3, 1),
        (3, 1, 2),
        (3, 2, 1),
        *["speaking"] * 6,
        "fixed",
    ]


def test_axes_are_crossed() -> None:
    found = expand(
        panels=[["a", "b"], ["b", "b"]],
        protocols=["synchronous"],
        steering=["default", ["none", "balanced"]],
        answer=["text", "json"],
    )
    assert len(found) == len(set(found)) == 8
    assert {cell.steering for cell in found} == {("default", "default"), ("none", "balanced")}


def test_cells_survive_the_frozen_form() -> None:
    experiment = study(panels=[["a", "b"]], protocols=["round_robin"], labels="crossed")
    assert cells(Experiment.thawed(experiment.frozen()).products) == cells(experiment.products)
