"""The bulletin: `status.json` in the run directory, where a running driver says how it goes."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field

from pydantic import TypeAdapter, ValidationError

from ray_jobs.located import ExperimentError
from ray_jobs.readings import BudgetReading, GateReading
from ray_jobs.store import Store

NAME = "status.json"


@dataclass(frozen=True, slots=True)
class Bulletin:
    """How a run went at `time` (seconds since the epoch).

    `line` is the progress in words, `models` the calls and rates of each model, `restarting` the
    replicas that are being started again, `waiting` what the debates that are open longest wait for,
    `gates` how the ways to remote models stand, `budget` how that does, if there is one, `left` how long it
    will take yet, in words, `stopped` the models that answer nothing more, and why.
    """

    claim: str
    time: float
    line: str
    models: dict[str, dict[str, float]]
    restarting: list[str]
    waiting: list[str]
    gates: list[GateReading] = field(default_factory=list)
    budget: BudgetReading | None = None
    left: str = ""
    stopped: dict[str, str] = field(default_factory=dict)

    @property
    def age(self) -> float:
        """Seconds since it was written."""
        return time.time() - self.time


_READER = TypeAdapter(Bulletin)


def post(store: Store, bulletin: Bulletin) -> None:
    """Writes the bulletin in place of the last one."""
    store.write(NAME, json.dumps(asdict(bulletin), indent=1).encode())


def latest(store: Store) -> Bulletin | None:
    """The last bulletin of a run; None when no driver has come so far as to write one."""
    if not store.exists(NAME):
        return None
    try:
        return _READER.validate_json(store.read(NAME))
    except ValidationError as error:
        found = error.errors()[0]["msg"]
        raise ExperimentError(
            f"{store.path(NAME)}: found no bulletin ({found}); moot writes it whole, so this one was damaged:"
            " remove it"
        ) from None
