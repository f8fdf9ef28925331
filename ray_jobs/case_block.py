"""Where the cases of an experiment are, as its file states it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ray_jobs.located import Problem, one_of
from ray_jobs.problems import not_allowed
from ray_jobs.question_sets import set_names

CaseField = Literal["id", "title", "text", "options", "truth", "openings", "source", "contestation"]
Written: TypeAlias = Annotated[str, Field(strict=True, min_length=1)]
WHERE = "file: a JSONL, CSV or Parquet file, or dataset: a name of the Hugging Face hub or a folder"


def known_set(name: str) -> str:
    """The name of a set of questions that there is."""
    if name not in set_names():
        raise not_allowed(one_of(set_names(), name))
    return name


class CaseFile(BaseModel):
    """Where the cases are: in a JSONL, CSV or Parquet file, or in a `split` of a `dataset`, a name of the
    Hugging Face hub or a folder that the library `datasets` reads. They are read up to `limit` cases.

    `format` names the published set whose form the rows have; without it, `columns` says how they call
    what a case has, where they call it otherwise.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: Written | None = None
    dataset: Written | None = None
    config: Written | None = None
    split: Written | None = None
    revision: Written | None = None
    format: Annotated[str, Field(strict=True), AfterValidator(known_set)] | None = None
    limit: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] | None = None
    columns: dict[CaseField, Annotated[str, Field(strict=True)]] = {}

    @property
    def name(self) -> str:
        """What messages call the source of the cases."""
        if self.dataset is None:
            return str(self.file)
        return ", ".join(part for part in (self.dataset, self.config, self.split) if part is not None)


def case_problems(cases: CaseFile) -> Iterator[Problem]:
    """What is wrong across the keys of `cases`."""
    path = ("cases",)
    if cases.file is None and cases.dataset is None:
        yield Problem(path, "neither file nor dataset", WHERE)
    if cases.file is not None and cases.dataset is not None:
        yield Problem((*path, "dataset"), "dataset beside file", f"one of them, {WHERE}")
    if cases.dataset is None:
        for key in ("config", "split", "revision"):
            if getattr(cases, key) is not None:
                yield Problem((*path, key), f"{key} without a dataset", f"{key} beside dataset only")
    elif cases.split is None:
        yield Problem(path, "no key 'split' beside dataset", "the split with the questions, e.g. split: test")
    if cases.format is not None and cases.columns:
        found = f"columns beside format: {cases.format}, which says what the columns are"
        yield Problem((*path, "columns"), found, "one of them")
