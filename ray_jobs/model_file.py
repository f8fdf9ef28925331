"""Models from a file of their own, for those who label what others have played."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ray_jobs.experiment import Name, find_files_of_models
from ray_jobs.located import ExperimentError
from ray_jobs.problems import problems
from ray_jobs.yaml_file import read_yaml
from serving.blocks import ModelBlock


class ModelFile(BaseModel):
    """A file with blocks under the key `models`, as experiment files have them; other keys may be there."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    models: Annotated[dict[Name, ModelBlock], Field(min_length=1)]


def read_models(path: Path) -> dict[str, ModelBlock]:
    """The models of a YAML file by name. Raises `ExperimentError`, which lists everything found wrong."""
    located = read_yaml(path)
    if not isinstance(located.data, dict) or "models" not in located.data:
        raise ExperimentError(
            f"{path}: found no key 'models'; allowed: models: {{NAME: {{backend: ..., ...}}}}"
        )
    data = copy.deepcopy(located.data)
    find_files_of_models(located, data["models"])
    try:
        return ModelFile.model_validate(data).models
    except ValidationError as error:
        raise located.error(problems(located, error, ModelFile)) from None
