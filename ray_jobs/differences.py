"""What two experiments ask differently of the same debates."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from protocols.prompts import BUILTIN
from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError
from ray_jobs.stage_block import StageBlock
from ray_jobs.values_file import listed
from serving.blocks import ModelBlock


def refuse_changes(where: str, then: Experiment, now: Experiment, way_out: str) -> None:
    """Raises `ExperimentError` when `now` would put other questions than `then` to the same debates.

    It says what differs, and the `way_out`.
    """
    changes = list(differences(then, now))
    if changes:
        raise ExperimentError(
            f"{where} was begun with another experiment; it goes on only with the same questions:\n  "
            + "\n  ".join(changes)
            + f"\nUndo the change, or {way_out}."
        )


def differences(then: Experiment, now: Experiment) -> Iterator[str]:
    """What would change the questions of debates that both experiments hold, one line each."""
    if then.seed != now.seed:
        yield f"seed: was {then.seed}, is {now.seed}"
    for name in then.models.keys() & now.models.keys():
        old, new = then.models[name], now.models[name]
        for key, (was, is_now) in _changed(_answering(old), _answering(new)):
            yield f"models.{name}.{key}: was {was}, is {is_now}"
    for stage in then.stages:
        yield from _stage_differences(stage, now)
    old_texts, new_texts = then.wording, now.wording
    for section in BUILTIN:
        if old_texts.text(section) != new_texts.text(section):
            yield f"prompts: section '{section}' has changed"


def _stage_differences(old: StageBlock, now: Experiment) -> Iterator[str]:
    """What of a stage is not what it was: models, passes and protocols may be added, nothing else."""
    for new in now.stages:
        if new.name == old.name:
            for key, (was, is_now) in _changed(_lasting(old), _lasting(new)):
                yield f"stages: '{old.name}': {key}: was {was}, is {is_now}; another stage needs another name"


def _lasting(stage: StageBlock) -> dict[str, object]:
    own: dict[str, object] = {}
    if stage.judges:
        own = stage.judges.model_dump(include={"sees", "answer", "display"})
    if stage.labels:
        own = {"values": listed(stage.labels.taxonomy)}
    return {"from": stage.source, "keep": stage.keep, "rounds": stage.rounds, **own}


def _changed(
    then: Mapping[str, object], now: Mapping[str, object]
) -> Iterator[tuple[str, tuple[object, object]]]:
    """What differs between two mappings, by the dotted key of whatever is no mapping itself."""
    for key in dict.fromkeys((*then, *now)):
        was, is_now = then.get(key), now.get(key)
        if was == is_now:
            continue
        old, new = ({} if value is None else value for value in (was, is_now))
        if isinstance(old, dict) and isinstance(new, dict):
            for inner, values in _changed(old, new):
                yield f"{key}.{inner}", values
        else:
            yield key, (was, is_now)


def _answering(block: ModelBlock) -> dict[str, object]:
    """What decides who answers and how, by the keys of the experiment file.

    An identity holds some of it as an object in JSON, whose keys stand in the file without a common one.
    """
    told: dict[str, object] = {}
    for key, value in block.identity().items():
        held = _json_object(value)
        told |= {key: value} if held is None else held
    drawn = asdict(block.sampling())
    drawn["sampling"] = dict(drawn.pop("extra"))
    return told | drawn


def _json_object(text: str | None) -> dict[str, object] | None:
    """The object that a text is in JSON; None for anything else."""
    try:
        read = json.loads(text or "null")
    except ValueError:
        return None
    return read if isinstance(read, dict) else None
