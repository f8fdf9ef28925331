"""How a run stands, for its viewer."""

from __future__ import annotations

from analysis.viewer.progress import Progress, Stage
from ray_jobs.bulletin import latest
from ray_jobs.lease import live_holders
from ray_jobs.setting import setting
from ray_jobs.standing import Standing
from ray_jobs.store import Store


def progress(run: str) -> Progress:
    """As its directory says now. Raises `ExperimentError` when it holds no run that moot has played."""
    store = Store(run)
    live, standing, told = live_holders(store), Standing.of(store), latest(store)
    settings = setting(store)
    if live:
        state = f"is being played by process {live[0].process} on {live[0].host}"
    else:
        state = "is not being played now" if standing.left else "is finished"
    return Progress(
        name=settings.name,
        state=state,
        live=bool(live),
        stages=[Stage(each.stage, each.ended, each.most) for each in standing.stages],
        told=[f"{told.age:.0f} s ago: {told.line}", *filter(None, [told.left])] if live and told else [],
        models=[
            {str(key): str(value) for key, value in row.items()} for row in settings.models.to_dict("records")
        ],
        facts=settings.facts,
        unfinished=settings.unfinished,
    )
