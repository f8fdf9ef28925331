"""The vectorised simulator plays as the actors' agents do: with the same chance, verdict by verdict."""

import asyncio
from itertools import product

import numpy as np
import pytest

from analysis.model.plan import Plan as Simulated
from analysis.model.plan import plan
from analysis.model.rows import TERMS, Floats
from analysis.model.simulate import Verdicts, play
from protocols.answer_format import VERDICTS
from protocols.seeds import ask_seed
from ray_jobs.debate import Debate
from ray_jobs.experiment import Experiment
from ray_jobs.plan import Plan
from ray_jobs.power_cells import simulable
from serving.blocks import SimulatedBlock
from serving.simulated_chance import phi, uniform
from tests.ray_jobs.plays import case_rows, play_here
from tests.ray_jobs.studies import study

pytestmark = pytest.mark.long

CASES = 14
REPETITIONS = 2
MODELS = {
    "a": {"theta": {"NTA": 0.6, "YTA": 0.3}, "alpha": 1.6, "gamma_prev": 1.2, "gamma_within": 1.0},
    "b": {"theta": {"NTA": 0.2, "ESH": 0.4}, "alpha": 0.3, "gamma_prev": -0.4, "gamma_within": 0.5},
    "c": {"theta": {"NAH": 0.5}, "alpha": 0.9, "gamma_prev": 2.0, "gamma_within": -0.8},
}  # fmt: skip
DESIGNS = {
    "synchronous": {"panels": [["a", "b"]], "protocols": ["synchronous"]},
    "round robin, both orders": {"panels": [["a", "b"]], "protocols": ["round_robin"]},
    "three seats": {"panels": [["a", "b", "c"]], "protocols": ["synchronous", "round_robin"]},
    "self-debate": {"panels": [["a", "a"]], "protocols": ["synchronous", "round_robin"]},
    "solo beside panels of several sizes": {
        "panels": [["a"], ["b", "c"], ["c", "b", "a", "b"]],
        "protocols": ["solo", "synchronous"],
    },
    "to the last of six rounds": {
        "panels": [["a", "b"]],
        "protocols": [{"synchronous": {"stop": "never", "rounds": 6}}, {"round_robin": {"stop": "never"}}],
    },
    "rounds of its own": {
        "panels": [["b", "c"]],
        "protocols": [{"synchronous": {"rounds": 1}}, "round_robin"],
    },
}  # fmt: skip


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_the_simulator_plays_verdict_by_verdict_as_agents_do(design: dict[str, object]) -> None:
    """Given the chance of every ask, where an agent's verdict falls, and the same phi of every case."""
    blocks = {
        name: {"backend": "simulated", "phi_sd": 0.8, "phi_seed": 3, **block}
        for name, block in MODELS.items()
    }
    experiment = study(models=blocks, repetitions=REPETITIONS, seed=11, **design)
    whole = Plan(experiment, [row.id for row in case_rows(CASES)])
    conditions = simulable(whole.cells, [], None).conditions
    assert len(conditions) == len(whole.cells)
    simulated = plan(conditions, CASES, REPETITIONS)
    debates = [
        whole.debate((repetition * CASES + case) * len(whole.cells) + cell)
        for case in range(CASES)
        for repetition in range(REPETITIONS)
        for cell in range(len(whole.cells))
    ]
    lean, slopes = agents(experiment, simulated, debates)
    said = play(simulated, lean, slopes, chance(whole, simulated, debates))
    heard = played(experiment, whole, debates, said.shape)
    assert np.array_equal(said, heard)
    assert len(np.unique(heard)) == len(VERDICTS) + 1


def agents(experiment: Experiment, simulated: Simulated, debates: list[Debate]) -> tuple[Floats, Floats]:
    """Theta + phi of every seat, debates by seats by verdicts, and the slopes, terms by debates by seats."""
    lean = np.zeros((*simulated.model.shape, len(VERDICTS)))
    slopes = np.zeros((len(TERMS), *simulated.model.shape))
    for (number, seat), place in np.ndenumerate(simulated.model):
        if place >= 0:
            block = experiment.models[simulated.models[place]]
            assert isinstance(block, SimulatedBlock)
            case = debates[number].case_id
            lean[number, seat] = [
                block.theta.get(label, 0.0) + block.phi_sd * phi(block.phi_seed, case, label)
                for label in VERDICTS
            ]
            slopes[:, number, seat] = [getattr(block, term) for term in TERMS]
    return lean, slopes


def chance(whole: Plan, simulated: Simulated, debates: list[Debate]) -> Floats:
    """The number by which the agent in each place would choose, debates by rounds by seats."""
    drawn = np.full((len(debates), simulated.rounds, simulated.model.shape[1]), np.nan)
    for number, debate in enumerate(debates):
        cell, seats = whole.cell(debate), positions(whole, debate)
        for round, (seat, position) in product(range(cell.rounds), enumerate(seats)):
            in_turn = cell.protocol == "round_robin"
            step, slot = (round * len(seats) + position, 0) if in_turn else (round, position)
            drawn[number, round, seat] = uniform(ask_seed(debate.seed, step, slot), "label")
    return drawn


def positions(whole: Plan, debate: Debate) -> list[int]:
    """The position, from 0, of the seats in the order of the cell: balanced labels move it in synchronous."""
    called = whole.called(debate)
    return [called[seat - 1] - 1 for seat in whole.cell(debate).order]


def played(experiment: Experiment, whole: Plan, debates: list[Debate], shape: tuple[int, ...]) -> Verdicts:
    """The verdicts in the table `turns` of the debates, played by the real path, without Ray."""
    rows = {row.id: row for row in case_rows(CASES)}

    async def every() -> list[list[dict[str, object]]]:
        plays = [play_here(experiment, rows[debate.case_id], debate) for debate in debates]
        return [tables["turns"] for tables in await asyncio.gather(*plays)]

    heard = np.full(shape, -1, np.int8)
    for number, turns in enumerate(asyncio.run(every())):
        seats = positions(whole, debates[number])
        for turn in turns:
            seat = seats.index(turn["position"] - 1)
            heard[number, turn["round"] - 1, seat] = VERDICTS.index(turn["label"])
    return heard
