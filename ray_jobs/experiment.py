"""The experiment file: what is to be played, on which cases, by which models."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from protocols.prompts import Prompts
from ray_jobs.budget import Budget
from ray_jobs.case_block import CaseFile, case_problems
from ray_jobs.checks import product_problems, wording_problems
from ray_jobs.design_block import (
    AXES,
    Answers,
    Design,
    LabelRule,
    ListingRule,
    Panels,
    Product,
    Protocols,
    Rounds,
    Steerings,
    SwapRule,
    listed,
)
from ray_jobs.located import ExperimentError, KeyPath, Located, Problem
from ray_jobs.names import check_name
from ray_jobs.own_sources import Sources, read_own
from ray_jobs.problems import problems
from ray_jobs.stage_block import Stages
from ray_jobs.stage_checks import stage_problems
from ray_jobs.values_file import read_values
from ray_jobs.wording import read_prompts
from ray_jobs.yaml_file import read_yaml
from serving.blocks import ModelBlock
from serving.known_models import FROM, expanded

Name: TypeAlias = Annotated[str, Field(strict=True), AfterValidator(check_name)]
Count: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]


class Experiment(BaseModel):
    """An experiment as its file states it; `load_experiment` also checks what holds across its keys.

    `designs` is a union of products; a file with a single one may have `panels` and `protocols` at the
    top level instead. `steering`, `answer`, `labels`, `listing`, `stance_swap` and `rounds` hold for every
    design that does not say otherwise. `stages` are what is made of debates that have ended. `prompts` are
    the sections that replace built-in ones, in the file mostly a folder. `sources` are the
    texts of what is one's own by their hashes; in the file, protocols and answers name the files instead.
    `budget` is the most that the run may cost.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    cases: CaseFile
    models: Annotated[dict[Name, ModelBlock], Field(min_length=1)]
    sources: Sources = {}
    designs: Annotated[tuple[Design, ...], listed("designs, each with panels and protocols")] | None = None
    panels: Panels | None = None
    protocols: Protocols | None = None
    steering: Steerings = ("default",)
    answer: Answers = ("text",)
    labels: LabelRule = "balanced"
    listing: ListingRule = "drawn"
    stance_swap: SwapRule = False
    rounds: Rounds = 4
    stages: Stages = ()
    repetitions: Count = 1
    seed: Annotated[int, Field(strict=True, ge=0)] = 0
    prompts: dict[str, str] = {}
    budget: Budget | None = None

    _located: Located = PrivateAttr(Located("the experiment", None))

    @cached_property
    def products(self) -> tuple[Product, ...]:
        """The designs in order, each with no axis left open."""
        if self.designs is None:
            return (self._product((), self),)
        return tuple(self._product(("designs", at), design) for at, design in enumerate(self.designs))

    @cached_property
    def wording(self) -> Prompts:
        """The prompt sections in use."""
        return Prompts(self.prompts)

    def identities(self) -> dict[str, dict[str, str | None]]:
        """What a fingerprint holds of each model, by name."""
        return {name: block.identity() for name, block in self.models.items()}

    def frozen(self) -> dict[str, Any]:
        """The experiment as plain data that needs none of its files but the cases'; `thawed` reads it.

        Every key is there, null where it is null: for some, as a model's `key`, that is not the default.
        """
        return self.model_dump(mode="json", by_alias=True)

    @classmethod
    def thawed(cls, frozen: Mapping[str, Any]) -> Experiment:
        """The experiment that was frozen. Raises `ExperimentError` for data of another shape."""
        return _validated(Located("the frozen experiment", dict(frozen)), dict(frozen))

    def error(self, problems: Iterable[Problem]) -> ExperimentError:
        """The error that lists these problems with their places in the experiment's file."""
        return self._located.error(problems)

    def _product(self, path: KeyPath, design: Design | Experiment) -> Product:
        own = {axis: getattr(design, axis) for axis in AXES}
        values = {axis: getattr(self, axis) if value is None else value for axis, value in own.items()}
        places = {axis: (axis,) if value is None else (*path, axis) for axis, value in own.items()}
        return Product(**values, places=places)


def load_experiment(path: Path | str) -> Experiment:
    """The experiment in a YAML file. Raises `ExperimentError`, which lists everything found wrong."""
    located = read_yaml(Path(path))
    experiment = _validated(located, _with_files(located))
    wrong = list(_across_keys(experiment))
    if wrong:
        raise experiment.error(wrong)
    return experiment.model_copy(update={"cases": _with_place(located, experiment.cases)})


def _with_place(located: Located, cases: CaseFile) -> CaseFile:
    """Where the cases are, from here: their file, or a folder beside the experiment file."""
    if cases.dataset is None:
        return cases.model_copy(update={"file": str(_found(located, ("cases", "file")))})
    beside = Path(located.file).parent / cases.dataset
    return cases.model_copy(update={"dataset": str(beside)}) if beside.is_dir() else cases


def _with_files(located: Located) -> object:
    """The data of the file, with prompts read from their folder and the files of models found."""
    data = copy.deepcopy(located.data)
    if not isinstance(data, dict):
        return data
    if isinstance(data.get("prompts"), str):
        data["prompts"] = read_prompts(_found(located, ("prompts",)))
    for at, stage in enumerate(data["stages"] if isinstance(data.get("stages"), list) else ()):
        labels = stage.get("labels") if isinstance(stage, dict) else None
        if isinstance(labels, dict) and isinstance(labels.get("values"), str):
            labels["values"] = read_values(_found(located, ("stages", at, "labels", "values")))
    read_own(located, data, partial(_beside, located))
    find_files_of_models(located, data.get("models"))
    return data


def find_files_of_models(located: Located, models: object) -> None:
    """Puts into the blocks under `models` of a document what they name: known models, files, folders."""
    if not isinstance(models, dict):
        return
    for name, block in models.items():
        if isinstance(block, dict) and FROM in block:
            models[name] = block = _known(located, name, block)
        if isinstance(block, dict) and isinstance(block.get("file"), str):
            block["file"] = str(_found(located, ("models", name, "file")))
        oversight = block.get("oversight") if isinstance(block, dict) else None
        if isinstance(oversight, dict) and isinstance(oversight.get("knows"), str):
            oversight["knows"] = str(_found(located, ("models", name, "oversight", "knows")))
        if isinstance(block, dict) and isinstance(model := block.get("model"), str):
            beside = Path(located.file).parent / model
            block["model"] = str(beside) if "/" in model and beside.is_dir() else model


def _known(located: Located, name: str, block: dict[str, Any]) -> dict[str, Any]:
    try:
        return expanded(block)
    except ValueError as error:
        raise located.error([Problem(("models", name, FROM), f"'{block[FROM]}'", str(error))]) from None


def _validated(located: Located, data: object) -> Experiment:
    try:
        experiment = Experiment.model_validate(data)
    except ValidationError as error:
        raise located.error(problems(located, error, Experiment)) from None
    experiment._located = located
    return experiment


def _across_keys(experiment: Experiment) -> Iterator[Problem]:
    yield from case_problems(experiment.cases)
    yield from wording_problems(experiment.prompts)
    allowed = "either designs, or panels and protocols at the top level"
    for key in ("panels", "protocols"):
        given = getattr(experiment, key) is not None
        if given and experiment.designs is not None:
            yield Problem((key,), f"{key} beside designs", allowed)
        if not given and experiment.designs is None:
            yield Problem((), f"neither designs nor {key}", allowed)
            return
    for product in experiment.products:
        yield from product_problems(product, experiment.models)
    yield from stage_problems(experiment.stages, experiment.products, experiment.models, experiment.rounds)


def _found(located: Located, path: KeyPath) -> Path:
    """The file or folder named at `path`: beside the experiment file, else in the working directory."""
    return _beside(located, path, str(located.value(path)))


def _beside(located: Located, path: KeyPath, given: str) -> Path:
    """The file or folder `given` at `path`."""
    places = dict.fromkeys([Path(located.file).parent / given, Path(given)])
    for place in places:
        if place.exists():
            return place
    allowed = f"what exists, beside the experiment file or in {Path.cwd()}"
    raise located.error(
        [Problem(path, f"'{given}', but there is no {' and no '.join(map(str, places))}", allowed)]
    )
