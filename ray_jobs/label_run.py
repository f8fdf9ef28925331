"""`moot label`: labels what a run holds, while it is played or afterwards, in a directory of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ray_jobs.case_table import CaseTable
from ray_jobs.claims import claim_id, claim_ids, claim_run
from ray_jobs.cluster.preflight import check_cluster
from ray_jobs.connection import connected, joins_cluster
from ray_jobs.driver import Incomplete
from ray_jobs.ended import Ended, extents
from ray_jobs.experiment import Experiment
from ray_jobs.following import Following
from ray_jobs.label_folder import ANOTHER, VALUES, label_store
from ray_jobs.labelling import Order, judges_there, label_stages, labelling, refuse_other_judges
from ray_jobs.lease import lease, live_holders
from ray_jobs.located import ExperimentError
from ray_jobs.model_file import read_models
from ray_jobs.performance import play
from ray_jobs.plan import Plan
from ray_jobs.played import Played
from ray_jobs.playthrough import reasons
from ray_jobs.preflight import preflight
from ray_jobs.progress import Progress
from ray_jobs.recovery import check_replies, clear_log, recover
from ray_jobs.standing import Standing
from ray_jobs.status import Task
from ray_jobs.store import Store
from serving.blocks import ModelBlock


def label_run(
    run: str,
    order: Order,
    models: Path | None,
    address: str | None,
    progress: Progress,
    retry_failed: bool = False,
) -> None:
    """Labels the run's debates that have not been labelled yet, also those that end while it is played.

    `models` is a file of model blocks in which the judge may be defined; without it, a judge that is none of
    the run's is the one that has labelled the run before. The rest is as in `play_experiment`. Raises
    `ExperimentError` for bad input, and when no debate has ended and nobody plays the run.
    """
    played = Played.of(run)
    experiment = labelling(played.experiment, order, _brought(played, order, models))
    plan = Plan(experiment, CaseTable(played.store).ids)
    store = label_store(played.store, order.name)
    refuse_other_judges(store, order)
    _look_ahead(played.store, experiment, plan, order.judge, address, progress)
    claim = claim_id(claim_ids(store))
    with lease(store, claim, ANOTHER):
        begun = claim_run(store, experiment, claim, labelled=played.run_id)
        store.write(VALUES, order.values.encode())
        check_replies(played.store)
        for warning in recover(store):
            progress.warn(warning)
        own, ended = label_stages(plan.stages.values()), Ended.of(store, () if retry_failed else None)
        following = Following(played.store, plan, own, ended)
        task = Task(store.place, begun, claim, frozenset([order.judge]), played.store.place)
        judge = {order.judge: experiment.models[order.judge]}
        stopped = _label(task, plan, following, judge, address, progress)
        clear_log(store)
        if stopped:
            raise Incomplete(f"{store.uri} is incomplete: not all is labelled, {reasons(stopped)}")
        progress.say(f"to see how far the labels are: moot status {store.uri}")
        progress.say(f"to see what they say: moot report {played.store.uri}")


def _brought(played: Played, order: Order, models: Path | None) -> Mapping[str, ModelBlock]:
    """The models beside those of the run of which the judge may be."""
    if models is not None:
        return read_models(models)
    known = order.judge in played.experiment.models
    return {} if known else judges_there(played.store, order.name)


def _look_ahead(
    run: Store, experiment: Experiment, plan: Plan, judge: str, address: str | None, progress: Progress
) -> None:
    """Warns of what may go wrong. Raises `ExperimentError` when nothing is there to be labelled."""
    standing, live = Standing.of(run), bool(live_holders(run))
    if not standing.finished.any() and not live:
        raise ExperimentError(
            f"{run.uri}: found no debate that has ended, and nobody who plays the run; allowed: a run that"
            " has begun to end debates; moot run goes on with it"
        )
    if not plan.case_ids:
        raise ExperimentError(f"{run.uri}: has only just begun; give the same command again in a moment")
    cases = [CaseTable(run)[plan.case_ids[0]]]
    for warning in preflight(experiment, cases, {judge}, elsewhere=joins_cluster(address)):
        progress.warn(warning)
    if not live and (to_come := _to_come(run, plan)):
        progress.warn(
            f"{run.uri} is unfinished and nobody plays it: {to_come:,} of its debates are to come, which are"
            " not labelled now; moot run goes on with it, and this command then labels what has been added"
        )
    if standing.beyond:
        progress.warn(
            f"{standing.beyond:,} further debates and judgments are in {run.uri} that its experiment does not"
            " plan (any more); no debate of them is labelled"
        )


def _to_come(run: Store, plan: Plan) -> int:
    """How many debates of the run have neither ended nor failed, as far as is known."""
    labels = label_stages(plan.stages.values())
    far = extents(plan, plan.debates(), Ended.of(run))
    return sum(len(each.left) for each in far if each.stage not in labels)


def _label(
    task: Task,
    plan: Plan,
    following: Following,
    judge: Mapping[str, ModelBlock],
    address: str | None,
    progress: Progress,
) -> dict[str, str]:
    """Plays what is left; returns the judge if it stopped answering, and why."""
    far = following.extents()
    told = (f"{each.stage}: {each.ended:,} of {each.most:,} labelled" for each in far)
    progress.say(f"{task.run}: debates of {'; '.join(told)}")
    if not following.live and not any(len(each.left) for each in far):
        return {}
    progress.begin(far, plan.stages)
    with connected(address):
        if joins_cluster(address):
            check_cluster(Store(task.run), judge, progress.warn)
        return play(task, plan, judge, following.debates(), progress)
