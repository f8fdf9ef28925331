"""What docs/protocols.md shows can be written so in an experiment file, and does what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from protocols.overview import PAGE
from ray_jobs.design import cells
from ray_jobs.experiment import load_experiment
from ray_jobs.orders import latin_square
from ray_jobs.plan import Plan

TEXT = PAGE.read_text("utf-8")
MODELS = {name: {"backend": "simulated"} for name in "ab"}


def written(folder: Path, **keys: Any) -> Path:
    (folder / "cases.jsonl").touch()
    file = folder / "study.yaml"
    study = {"name": "study", "cases": {"file": "cases.jsonl"}, "models": MODELS, **keys}
    file.write_text(yaml.safe_dump(study))
    return file


@pytest.mark.parametrize("block", re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL))
def test_every_block_is_part_of_an_experiment(tmp_path: Path, block: str) -> None:
    experiment = load_experiment(written(tmp_path, **yaml.safe_load(block)))
    assert len(cells(experiment.products)) >= len(experiment.products[0].protocols)


@pytest.mark.parametrize(
    "parameter", re.findall(r"^\| `((?:hears|exposure|history): .+?)` \|", TEXT, re.MULTILINE)
)
def test_every_view_in_the_table_can_be_asked_for(tmp_path: Path, parameter: str) -> None:
    view = yaml.safe_load(parameter)
    seats = len(view["hears"]) if isinstance(view.get("hears"), list) else 5
    for protocol in ("synchronous", "round_robin", "hybrid"):
        file = written(tmp_path, panels=[["a", "b", "a", "b", "a"][:seats]], protocols=[{protocol: {**view}}])
        assert load_experiment(file).products


def test_stages_in_the_text_are_stages(tmp_path: Path) -> None:
    (arms,) = re.findall(r"`(stages: \[\{name: arms.*?\}\])`", TEXT)
    file = written(tmp_path, panels=[["a", "b"]], protocols=["solo"], **yaml.safe_load(arms))
    assert [stage.name for stage in Plan(load_experiment(file), ()).following("debate")] == ["arms"]


def test_five_seats_have_ten_orders_in_place_of_120() -> None:
    assert "Five seats have 10 orders in place of 120." in TEXT
    assert len(list(latin_square(5))) == 10
