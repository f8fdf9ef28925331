"""Stages as an experiment file states them: what is made of debates once they have ended."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from protocols.answer_format import FormatName
from protocols.judge import Sees
from protocols.values import VALUES_48, Value, read_taxonomy, write_taxonomy
from ray_jobs.design_block import Protocols, Rounds, Steerings, SwapRule, listed
from ray_jobs.names import check_name
from ray_jobs.problems import not_allowed

Keep = Literal["all", "consensus", "no_consensus", "disagree", "one_right"]
Answers = Literal["option", "winner"]
Display = Literal["drawn", "given", "crossed"]
DEBATES = "debate"  # the stage that the designs of the experiment make up
MOST_PASSES = 1000


def models_alone(value: object) -> object:
    """A list of models stands for judges or labellers that differ from the defaults in nothing else."""
    if isinstance(value, list | tuple):
        return {"models": value}
    if isinstance(value, dict | Judges | Labels):
        return value
    raise not_allowed("a list of models, or {models: [...], passes: 1, ...}")


class Judges(BaseModel):
    """Judges of a stage: every model of `models` judges every debate `passes` times.

    `display` is the order in which a judge is shown what seats wrote at the same time: drawn for each
    judgment, as given by the speaking order, or every order (crossed). A judge `answers` with an option (of
    a moral case, a verdict), or with the winner: the seat that is right, or neither.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    models: Annotated[tuple[Annotated[str, Field(strict=True)], ...], listed("models, e.g. [a, b]")]
    passes: Annotated[int, Field(strict=True, ge=1, le=MOST_PASSES)] = 1
    sees: Sees = "transcript"
    answer: FormatName = "text"
    display: Display = "drawn"
    answers: Answers = "option"


class Labels(BaseModel):
    """Labels of a stage: every model of `models` labels every explanation of a debate `passes` times.

    `values` is the list of values as CSV, in the experiment file the path of a file of it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    models: Annotated[tuple[Annotated[str, Field(strict=True)], ...], listed("models, e.g. [a, b]")]
    passes: Annotated[int, Field(strict=True, ge=1, le=MOST_PASSES)] = 1
    values: Annotated[str, Field(strict=True)] = write_taxonomy(VALUES_48)

    @cached_property
    def taxonomy(self) -> tuple[Value, ...]:
        """The values."""
        return read_taxonomy(self.values, "values")


class StageBlock(BaseModel):
    """A stage of its own `name`: what it keeps of the ended debates of another goes on in it.

    Either with further `protocols`, in which the same seats go on from what was said, under another
    `steering` if one is given; or to `judges`, or to `labels`. `disagree` keeps debates in which the last
    labels of all seats can be read and are not all the same, `one_right` those of them in which exactly one
    seat holds the right answer.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(strict=True), AfterValidator(check_name)]
    source: Annotated[str, Field(strict=True, alias="from")] = DEBATES
    keep: Keep = "all"
    protocols: Protocols | None = None
    rounds: Rounds | None = None
    steering: Steerings | None = None
    stance_swap: SwapRule = False
    judges: Annotated[Judges, BeforeValidator(models_alone)] | None = None
    labels: Annotated[Labels, BeforeValidator(models_alone)] | None = None


Stages: TypeAlias = Annotated[
    tuple[StageBlock, ...], listed("stages, each with a name, and protocols, judges or labels", least=0)
]
