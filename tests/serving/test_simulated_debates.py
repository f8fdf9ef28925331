"""Whole debates of simulated agents agree with a direct simulation of the model, written here anew."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from math import sqrt

import numpy as np
import pytest

from protocols import PROTOCOLS
from protocols.answer_format import VERDICTS
from protocols.case import Case, Seat
from protocols.dialogue import Dialogue
from protocols.play import Play
from protocols.transcript import Transcript
from serving.blocks import SimulatedBlock
from serving.simulated import Simulated

pytestmark = pytest.mark.long

ROUNDS = 3
PLAYED, SIMULATED = 600, 60_000
# Leanings are weak here, so that many debates go on and every pull shows.
BLOCK = SimulatedBlock(
    backend="simulated",
    theta={"NTA": 0.6, "YTA": 0.3, "ESH": 0.0, "NAH": 0.0, "INFO": -0.5},
    phi_sd=0.8,
    alpha=1.6,
    gamma_prev=1.2,
    gamma_within=1.0,
)

Protocol = Callable[[Case], Dialogue[Transcript]]
Counts = tuple[Counter[str], Counter[str]]  # how often a thing happened, and how often it could have


@pytest.mark.parametrize("stop", ["consensus", "never"])
@pytest.mark.parametrize("protocol", ["synchronous", "round_robin"])
def test_rates_of_played_debates_match_the_model(protocol: str, stop: str) -> None:
    """Consensus by round and change of verdict by seat and round, each within 4 standard errors.

    A rate's standard error is that of the difference of two binomial rates; a debate counts at most once
    in each. Seeds are fixed; over seeds, a true match would exceed this in about 1 of 560 runs (28 rates).
    """
    played, simulated = played_rates(protocol, stop), simulated_rates(protocol, stop)
    for rate, possible in played[1].items():
        observed, expected = played[0][rate] / possible, simulated[0][rate] / simulated[1][rate]
        error = sqrt(expected * (1 - expected) * (1 / possible + 1 / simulated[1][rate]))
        assert abs(observed - expected) < 4 * error, (rate, observed, expected, error)
    assert len(played[1]) == ROUNDS + 2 * (ROUNDS - 1)


def played_rates(protocol: str, stop: str) -> Counts:
    happened, possible = Counter[str](), Counter[str]()
    for transcript in asyncio.run(debates(partial(PROTOCOLS[protocol], rounds=ROUNDS, stop=stop))):
        labels = [[turn.label for turn in transcript.in_round(r)] for r in range(1, transcript.rounds + 1)]
        count(happened, possible, labels)
    return happened, possible


def count(happened: Counter[str], possible: Counter[str], labels: list[list[str | None]]) -> None:
    for round, now in enumerate(labels, start=1):
        possible[f"consensus in round {round}"] += 1
        happened[f"consensus in round {round}"] += now[0] == now[1]
        for seat in (0, 1) if round > 1 else ():
            possible[f"change by seat {seat} in round {round}"] += 1
            happened[f"change by seat {seat} in round {round}"] += now[seat] != labels[round - 2][seat]


async def debates(protocol: Protocol) -> list[Transcript]:
    backend = Simulated(BLOCK)
    return [await debate(backend, protocol, case) for case in cases()]


def cases() -> Iterator[Case]:
    seats = tuple(Seat(f"s{n}", f"Agent {n}", "sim", "You judge.") for n in (1, 2))
    return (Case(f"case {number}", "A conflict.", seats) for number in range(PLAYED))


async def debate(backend: Simulated, protocol: Protocol, case: Case) -> Transcript:
    play = Play(protocol(case), seed=int(case.id.split()[1]))
    while not play.done:
        for slot in play.open:
            play.answer(slot, await backend.answer(play.step[slot]))
    return play.outcome


def simulated_rates(protocol: str, stop: str) -> Counts:
    random = np.random.default_rng(5)
    theta = np.array([BLOCK.theta[label] for label in VERDICTS])
    leaning = theta + BLOCK.phi_sd * random.normal(size=(SIMULATED, len(VERDICTS)))
    one = np.eye(len(VERDICTS) + 1)[:, :-1]  # the row of -1, no verdict, is zero
    previous = np.full((SIMULATED, 2), -1)
    going = np.ones(SIMULATED, bool)
    happened, possible = Counter[str](), Counter[str]()
    for round in range(1, ROUNDS + 1):
        now = np.full((SIMULATED, 2), -1)
        for seat, other in ((0, 1), (1, 0)):
            eta = leaning + BLOCK.alpha * one[previous[:, seat]] + BLOCK.gamma_prev * one[previous[:, other]]
            if protocol == "round_robin" and seat == 1:
                eta = eta + BLOCK.gamma_within * one[now[:, other]]
            now[:, seat] = np.argmax(eta + random.gumbel(size=eta.shape), axis=1)
            if round > 1:
                possible[f"change by seat {seat} in round {round}"] = int(going.sum())
                happened[f"change by seat {seat} in round {round}"] = int(
                    (now != previous)[going, seat].sum()
                )
        agreed = now[:, 0] == now[:, 1]
        possible[f"consensus in round {round}"] = int(going.sum())
        happened[f"consensus in round {round}"] = int((agreed & going).sum())
        going, previous = going & ~(agreed & (stop == "consensus")), now
    return happened, possible
