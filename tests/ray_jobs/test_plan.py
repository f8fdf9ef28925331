"""The plan: ids that are unique and outlive every extension, in one order in every process."""

import os
import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.columns import DESIGN
from ray_jobs.debate import Debate
from ray_jobs.design_row import design_row
from ray_jobs.plan import Plan
from tests.ray_jobs.studies import study

ROOT = Path(__file__).parents[2]
PANELS = [["a", "b"], ["b", "a"], ["a", "b", "c"], ["a"]]
PROTOCOLS = ["solo", "synchronous", "round_robin"]


def plan_of(
    panels: list[list[str]], protocols: list[str], case_ids: list[str], repetitions: int = 1, seed: int = 7
) -> Plan:
    """A plan of simulated models."""
    experiment = study(panels=panels, protocols=protocols, repetitions=repetitions, seed=seed)
    return Plan(experiment, case_ids)


def by_content(plan: Plan) -> dict[tuple[object, ...], Debate]:
    """The debates of a plan by what they are."""
    return {(plan.cells[debate.cell], debate.case_id, debate.repetition): debate for debate in plan}


def test_ids_are_unique_and_the_length_is_theirs() -> None:
    plan = plan_of(PANELS, PROTOCOLS, [f"case {number}" for number in range(50)], 3)
    ids = [debate.debate_id for debate in plan]
    assert len(ids) == len(set(ids)) == len(plan) == 3 * 50 * len(plan.cells)
    assert all(len(debate_id) == 16 and int(debate_id, 16) >= 0 for debate_id in ids)


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from(PANELS), min_size=1, max_size=4, unique_by=str),
    st.lists(st.sampled_from(PROTOCOLS), min_size=1, max_size=3, unique=True),
    st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=5, unique=True),
    st.integers(1, 3),
)
def test_an_extended_plan_holds_the_same_debates(
    panels: list[list[str]], protocols: list[str], case_ids: list[str], repetitions: int
) -> None:
    """Panels, protocols, cases and repetitions are added, in front of the earlier ones too."""
    earlier = by_content(plan_of(panels, protocols, case_ids, repetitions))
    more_panels = [panel for panel in PANELS if panel not in panels] + panels
    later = by_content(plan_of(more_panels, PROTOCOLS, ["new case", *case_ids], repetitions + 1))
    for content, debate in earlier.items():
        assert (later[content].debate_id, later[content].seed) == (debate.debate_id, debate.seed)


def test_the_run_seed_changes_seeds_and_no_ids() -> None:
    one, other = (list(plan_of(PANELS, PROTOCOLS, ["x", "y"], seed=seed)) for seed in (1, 2))
    assert [debate.debate_id for debate in one] == [debate.debate_id for debate in other]
    assert all(a.seed != b.seed for a, b in zip(one, other, strict=True))
    assert all(0 <= debate.seed < 2**31 for debate in one)


def test_the_order_is_by_repetition_then_case_then_cell() -> None:
    debates = list(plan_of(PANELS, PROTOCOLS, ["x", "y"], 2))
    places = [(debate.repetition, "xy".index(debate.case_id), debate.cell) for debate in debates]
    assert places == sorted(places)


def test_the_plan_is_the_same_in_every_process() -> None:
    """Under two hash seeds."""
    program = (
        "from tests.ray_jobs.test_plan import *\n"
        "plan = plan_of(PANELS, PROTOCOLS, ['x', 'y'], 2)\n"
        "print([(debate, design_row(plan, debate, 'run')) for debate in plan])"
    )
    first, second = (
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    )
    assert first == second
    assert len(first) > 1000


def test_an_id_is_what_it_was() -> None:
    """A run that was begun is found again by later versions: this id may never change."""
    plan = plan_of([["a", "b"]], ["round_robin"], ["x"])
    assert [debate.debate_id for debate in plan] == ["fe1d34aa45010b3a", "80918c313882c439"]


def test_the_design_row_holds_every_design_column() -> None:
    plan = plan_of([["a", "b", "c"]], ["round_robin"], ["x"])
    debate = next(debate for debate in plan if plan.cells[debate.cell].order == (3, 1, 2))
    columns = design_row(plan, debate, "run")
    assert list(columns) == [name for name, _, _ in DESIGN]
    assert columns == dict.fromkeys(columns) | {
        "run_id": "run",
        "stage": "debate",
        "debate_id": debate.debate_id,
        "case_id": "x",
        "protocol": "round_robin",
        "variant": '{"rounds":4}',
        "panel": "a+b+c",
        "order": "3-1-2",
        "n_seats": 3,
        "steering": "default+default+default",
        "answer_format": "text",
        "labels": "2-3-1",
        "repetition": 1,
        "seed": debate.seed,
    }
