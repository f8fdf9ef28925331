"""Rows of one subreddit from Parquet.

pyarrow decodes only the columns that are needed, and drops rows of other subreddits, in a fiftieth of the
time that the others then take row by row; to share these out Ray would have to be started first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ray_jobs.dilemmas import tally as reasons
from ray_jobs.dilemmas.lines import Placed
from ray_jobs.dilemmas.tally import Tally

ROWS = 4096


def parquet_rows(file: Path, subreddit: str, columns: Collection[str], tally: Tally) -> Iterator[Placed]:
    """The rows of the subreddit, with those of `columns` that the file has.

    Rows of others are counted; so are those whose text is not UTF-8, with their places. A file that cannot
    be read, or not to its end, is told in `tally.stopped`.
    """
    number = 0
    try:
        with pq.ParquetFile(file) as parquet:
            there = [name for name in parquet.schema_arrow.names if name in columns]
            for batch in parquet.iter_batches(batch_size=ROWS, columns=there):
                yield from _of_batch(batch, file, number, subreddit, tally)
                number += batch.num_rows
    except (pa.ArrowException, OSError) as error:
        tally.stopped[str(file)] = f"no readable Parquet ({error}), after {number:,} rows"


def _of_batch(
    batch: pa.RecordBatch, file: Path, before: int, subreddit: str, tally: Tally
) -> Iterator[Placed]:
    tally.lines += batch.num_rows
    numbers = pa.array(range(before + 1, before + batch.num_rows + 1))
    if "subreddit" in batch.schema.names:
        of_it = pc.equal(pc.ascii_lower(batch["subreddit"].cast(pa.string())), subreddit.lower()).fill_null(
            True
        )
        tally.left_out[reasons.OTHER_SUBREDDIT] += batch.num_rows - of_it.true_count
        batch, numbers = batch.filter(of_it), numbers.filter(of_it)
    places = [f"{file}: row {number}" for number in numbers.to_pylist()]
    try:
        yield from zip(places, batch.to_pylist(), strict=True)
    except UnicodeDecodeError:
        yield from _one_by_one(batch, places, tally)


def _one_by_one(batch: pa.RecordBatch, places: list[str], tally: Tally) -> Iterator[Placed]:
    for at, place in enumerate(places):
        try:
            [row] = batch.slice(at, 1).to_pylist()
        except UnicodeDecodeError as error:
            tally.unreadable(reasons.NOT_UTF8, place, f"found {error.object[error.start]:#04x}")
        else:
            yield place, row
