"""Debates performed on a connected cluster, from the first engine to the last row."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

from ray_jobs.cluster.capacity import Capacity
from ray_jobs.crew import check_resources, crew
from ray_jobs.debate import Debate
from ray_jobs.driver import driver
from ray_jobs.plan import Plan
from ray_jobs.progress import Progress
from ray_jobs.served import served
from ray_jobs.status import Task
from ray_jobs.treasury import Funds
from serving.blocks import ModelBlock

STALL_SECONDS = 900.0  # a run in which nothing has been answered for so long ends with an error


def play(
    task: Task,
    plan: Plan,
    models: Mapping[str, ModelBlock],
    debates: Iterable[Debate | None],
    progress: Progress,
    funds: Funds | None = None,
) -> dict[str, str]:
    """Plays the debates on the connected cluster; all actors are gone when it returns or raises.

    The debates are as in `Driver.play`. Returns the models that stopped answering, and why; what needs
    them is left unplayed.
    """
    names, began = ", ".join(models), time.monotonic()
    progress.say(f"starting {names}")
    check_resources(models, Capacity.of_cluster())
    with (
        served(models, task.claim.run_id, progress.say) as ready,
        progress,
        crew(ready, funds) as open_crew,
        driver(task, plan, open_crew, progress, STALL_SECONDS) as seat,
    ):
        progress.say(f"ready after {time.monotonic() - began:.0f} s: {names}")
        seat.play(debates)
        return seat.stopped
