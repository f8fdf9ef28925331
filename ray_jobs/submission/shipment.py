"""What is sent to a cluster with a job: the packages, and one experiment with its cases, complete."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

import analysis
import protocols
import ray_jobs
import serving
from ray_jobs.cases import as_jsonl, load_cases
from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError, Problem
from serving.engine_block import EngineBlock

STUDY = "study.yaml"
MOST_BYTES = 200 * 2**20
"""Of a case file: Ray keeps what is sent in the memory of the head."""
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc")


@contextmanager
def shipment(experiment: Experiment | None) -> Iterator[Path]:
    """A folder that holds all that a job needs, until the block is left; the same for the same experiment.

    The experiment is in `STUDY`, with prompts and replies that it had in files of their own; its cases are
    beside it, those of a data set as a file. With moot's own metadata go the versions that it is made for.
    Raises `ExperimentError` for what cannot be sent: a case file that is too large, a model in a folder
    beside the experiment.
    """
    with TemporaryDirectory(prefix="moot-job-") as name:
        folder = Path(name)
        for package in (protocols, serving, ray_jobs, analysis):
            [source] = package.__path__
            shutil.copytree(source, folder / Path(source).name, ignore=LEFT_OUT)
        _add_metadata(folder)
        if experiment is not None:
            refuse_unsendable(experiment)
            _add_study(folder, experiment)
        yield folder


def refuse_unsendable(experiment: Experiment) -> None:
    """Raises `ExperimentError` for what a job on a cluster could not find there."""
    wrong = [
        Problem(
            ("models", name, "model"),
            f"'{block.model}', a folder of this machine",
            "for a cluster a path in full that its nodes have, or a name of the hub or the catalogue",
        )
        for name, block in experiment.models.items()
        if isinstance(block, EngineBlock)
        and not Path(block.model).is_absolute()
        and Path(block.model).is_dir()
    ]
    if experiment.cases.file is not None:
        wrong.extend(_too_large("file", experiment.cases.file, Path(experiment.cases.file)))
    if wrong:
        raise experiment.error(wrong)


def _too_large(key: str, name: str, file: Path) -> Iterator[Problem]:
    size = file.stat().st_size
    if size > MOST_BYTES:
        found = f"'{name}' of {size / 2**20:,.0f} MiB"
        allowed = (
            f"up to {MOST_BYTES / 2**20:,.0f} MiB to be sent to a cluster; split it, or set a limit on a copy"
        )
        yield Problem(("cases", key), found, allowed)


def _add_study(folder: Path, experiment: Experiment) -> None:
    frozen = experiment.frozen()
    if experiment.cases.file is None:
        (folder / "cases.jsonl").write_text(as_jsonl(load_cases(experiment)), "utf-8")
        if large := list(_too_large("dataset", experiment.cases.name, folder / "cases.jsonl")):
            raise experiment.error(large)
        frozen["cases"] = {"file": "cases.jsonl"}
    else:
        frozen["cases"]["file"] = cases = f"cases{Path(experiment.cases.file).suffix}"
        shutil.copy(experiment.cases.file, folder / cases)
    (folder / STUDY).write_text(yaml.safe_dump(frozen, sort_keys=False, allow_unicode=True), "utf-8")


def _add_metadata(folder: Path) -> None:
    """What makes `importlib.metadata` find moot in the folder."""
    try:
        moot = distribution("moot")
    except PackageNotFoundError as error:
        raise ExperimentError(f"{error}; install moot here, as make setup does") from None
    info = folder / f"moot-{moot.version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(_metadata(moot), "utf-8")


def _metadata(moot: Distribution) -> str:
    """As a wheel has it, or as a source folder that a build has left its own in."""
    return moot.read_text("METADATA") or moot.read_text("PKG-INFO") or ""
