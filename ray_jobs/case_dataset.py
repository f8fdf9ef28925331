"""Rows of data sets that the library `datasets` reads, from the Hugging Face hub or from a folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ray_jobs.case_block import CaseFile
from ray_jobs.case_files import FileRow
from ray_jobs.located import ExperimentError

BATCH = 128  # rows held at a time; some have images


def read_dataset(source: CaseFile) -> Iterator[FileRow]:
    """The rows of a split, numbered from 1; images in them stay undecoded.

    Raises `ExperimentError` for a data set that cannot be had, and where the library is not installed.
    """
    number = 0
    for batch in _loaded(source).with_format("arrow").iter(batch_size=BATCH):
        for values in batch.to_pylist():
            number += 1
            yield FileRow(f"{source.name}: row {number}", values)


def _loaded(source: CaseFile) -> Any:
    try:
        import datasets
        from huggingface_hub.errors import GatedRepoError
    except ImportError as error:
        raise ExperimentError(
            f"cases.dataset: found '{source.dataset}', but {error}; install moot with its extra 'datasets',"
            " or that package alone"
        ) from None
    try:
        return datasets.load_dataset(
            source.dataset, source.config, split=source.split, revision=source.revision
        )
    except (OSError, ValueError, RuntimeError, datasets.exceptions.DatasetsError) as error:
        if any(isinstance(each, GatedRepoError) for each in _causes(error)):
            raise ExperimentError(
                f"cases.dataset: found '{source.dataset}', which is gated: accept its terms on"
                f" https://huggingface.co/datasets/{source.dataset}, then set HF_TOKEN in the environment to"
                " a token of that account"
            ) from None
        raise ExperimentError(
            f"cases.dataset: found '{source.name}', which cannot be read: {error}; allowed: a data set of the"
            " hub or a folder with data files, with a config and a split that it has; one that is private or"
            " gated needs HF_TOKEN in the environment"
        ) from None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
