"""Telling, once each, that a remote model does not answer and that it answers again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ray_jobs.readings import GateReading
from serving.limits.condition import Condition
from serving.limits.limits_block import Limits


class Outages:
    """What the readings of gates say of models with these `limits`, as far as it is news."""

    def __init__(self, limits: Mapping[str, Limits]) -> None:
        self._limits = limits
        self._out: set[str] = set()

    def news(self, gates: Sequence[GateReading]) -> Iterator[str]:
        """A line for each model that has begun or ceased to fail since the last reading."""
        for model in dict.fromkeys(gate.model for gate in gates):
            own = [gate.condition for gate in gates if gate.model == model]
            failing = next(filter(_failing, own), None)
            if failing is not None and model not in self._out:
                self._out.add(model)
                yield f"model '{model}': {_begun(failing, self._limits[model])}"
            elif model in self._out and failing is None and any(_answering(one) for one in own):
                self._out.discard(model)
                yield f"model '{model}' answers again"


def _begun(one: Condition, limits: Limits) -> str:
    last = f"the last: {one.failure or 'not told'}"
    check = "check base_url and that the server runs"
    circuit = limits.circuit
    if one.circuit == "closed":
        return f"no call has been answered yet, {last}; it is tried again; {check}"
    return (
        f"{circuit.enough:,} of its last {circuit.window:,} calls failed, {last}; it is tried again every"
        f" {circuit.cooldown:g} to {circuit.longest:g} s; {check}"
    )


def _failing(one: Condition) -> bool:
    """Whether its circuit is not closed, or all that it has told so far are failures."""
    return one.circuit != "closed" or (one.answered_ago is None and one.failure is not None)


def _answering(one: Condition) -> bool:
    return one.answered_ago is not None
