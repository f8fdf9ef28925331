"""The experiment files that come with moot are whole, and what their heads say of them is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from ray_jobs.cases import load_cases
from ray_jobs.experiment import load_experiment
from ray_jobs.plan import Plan

FOLDER = Path(__file__).parents[2] / "experiments"


def plan(name: str) -> Plan:
    experiment = load_experiment(FOLDER / f"{name}.yaml")
    return Plan(experiment, [case.id for case in load_cases(experiment)])


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.yaml")), ids=lambda file: file.stem)
def test_every_file_can_be_planned(file: Path) -> None:
    assert len(plan(file.stem)) > 0


def test_the_replication_has_the_fifteen_conditions_of_the_paper() -> None:
    """15,000 debates on 1,000 dilemmas: 3 pairs together, 6 orders of pairs, 6 orders of three."""
    cells = plan("replication").cells
    assert len(cells) == 15
    assert [cell.protocol for cell in cells].count("synchronous") == 3
    assert sum(len(cell.panel) == 3 for cell in cells) == 6
    repeated = plan("replication_repeated")
    assert repeated.cells == cells
    assert repeated.repetitions == 5


def test_the_size_ablation_differs_in_the_panel_alone() -> None:
    cells = plan("size_ablation").cells
    assert len({cell.panel for cell in cells}) == 3
    assert all(len(set(cell.panel)) == 1 for cell in cells)
    assert len({(cell.protocol, cell.order, cell.steering) for cell in cells}) * 3 == len(cells)
