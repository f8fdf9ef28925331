"""How fast engines write: as a block states it, or as it was in a run that was played."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ray_jobs.located import ExperimentError
from ray_jobs.parts import read_parts
from ray_jobs.played import Played
from serving.blocks import VllmBlock
from serving.serve_block import ServeBlock

COLUMNS = ["model", "time", "seconds", "wait_seconds", "completion_tokens"]


def measured_rates(run: str) -> dict[str, float]:
    """Tokens a second that one replica wrote, by the block's `model`, while it had anything to do.

    How fast an engine is depends on how many asks share its batch: the run should have been as busy as what
    is planned. Raises `ExperimentError` for a run without replies of engines, and what `Played.of` raises.
    """
    played = Played.of(run)
    blocks = played.experiment.models
    engines = {name: block for name, block in blocks.items() if isinstance(block, VllmBlock | ServeBlock)}
    parts = [
        part.select(COLUMNS).set_column(0, "model", part["model"].cast(pa.string()))
        for part in read_parts(played.store, "replies", COLUMNS)
    ]
    if not parts:
        raise ExperimentError(f"--like: found no replies in {run} yet; allowed: a run with some of an engine")
    table, found = pa.concat_tables(parts), {}
    for name, block in engines.items():
        rows = table.filter(pc.equal(table["model"], name))
        if tokens := pc.sum(rows["completion_tokens"]).as_py():
            found[block.model] = tokens / _busy(rows) / block.most
    if not found:
        raise ExperimentError(f"--like: found no replies of an engine in {run}; allowed: a run with some")
    return found


def _busy(rows: pa.Table) -> float:
    """Seconds in which there was at least one ask that was not answered yet."""
    end = pc.cast(rows["time"], pa.int64()).to_numpy() / 1e6
    begin = end - rows["seconds"].to_numpy() - rows["wait_seconds"].to_numpy()
    order = np.argsort(begin)
    begin, end = begin[order], end[order]
    until: npt.NDArray[np.float64] = np.maximum.accumulate(end)
    idle = np.maximum(begin[1:] - until[:-1], 0).sum()
    return float(until[-1] - begin[0] - idle)
