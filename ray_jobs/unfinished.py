"""What of a run is not finished, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from ray_jobs.failed import failed_judgments
from ray_jobs.standing import Standing
from ray_jobs.store import Store


def unfinished(store: Store) -> Iterator[str]:
    """A sentence each where not all that is planned, or follows from debates that ended, is finished.

    Raises `ExperimentError` when the store holds no run.
    """
    standing = Standing.of(store)
    finished = standing.finished
    if not finished.all():
        yield (
            f"{finished.sum():,} of {len(finished):,} planned debates are finished. Debates that"
            " agree early end first, so until all are, the shares below lean towards early consensus."
        )
    for each in standing.further:
        if len(each.left):
            yield f"Of stage {each.stage} {each.ended:,} are finished, {len(each.left):,} are to follow."
    if judgments := failed_judgments(store, set(standing.ended.finished.tolist())):
        yield f"Judgments failed: {judgments}."
    if standing.beyond:
        yield (
            f"{standing.beyond:,} debates and judgments are there that the experiment, as it was last"
            " started, does not plan; they are counted below."
        )
