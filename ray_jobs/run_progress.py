"""How a run stands, for its viewer."""

from __future__ import annotations

from pathlib import PurePosixPath

from analysis.viewer.progress import Progress, Stage
from ray_jobs.bulletin import Bulletin, latest
from ray_jobs.lease import live_holders
from ray_jobs.located import ExperimentError
from ray_jobs.setting import setting
from ray_jobs.standing import Standing
from ray_jobs.store import Store


def progress(run: str) -> Progress:
    """As its directory says now; of tables that moot has not played, that nothing more is known."""
    store = Store(run)
    try:
        standing, settings, told = Standing.of(store), setting(store), latest(store)
    except ExperimentError as error:
        return Progress(PurePosixPath(store.root).name, str(error), live=False)
    live = live_holders(store)
    if live:
        state = f"is being played by process {live[0].process} on {live[0].host}"
    else:
        state = "is not being played now" if standing.left else "is finished"
    return Progress(
        name=settings.name,
        state=state,
        live=bool(live),
        stages=[Stage(each.stage, each.ended, each.most) for each in standing.stages],
        told=_told(told) if live and told else [],
        models=[{str(k): str(v) for k, v in row.items()} for row in settings.models.to_dict("records")],
        facts=settings.facts,
        unfinished=settings.unfinished,
    )


def _told(bulletin: Bulletin) -> list[str]:
    """What the process that plays the run said last."""
    line = " · ".join(filter(None, [bulletin.line, bulletin.left]))
    again = [f"being started again: {each}" for each in bulletin.restarting]
    return [f"Told {bulletin.age:.0f} s ago: {line}", *again, *bulletin.waiting]
