"""The starts of a run: each writes down what it plays, under which versions, before it plays.

A run goes on with an experiment that puts the same questions to the same debates, and with no other.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import yaml

from protocols.prompts import BUILTIN, Prompts
from ray_jobs.differences import refuse_changes
from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError
from ray_jobs.own_sources import changed
from ray_jobs.store import Store, reach
from ray_jobs.versions import versions

MOMENT = "%Y%m%dT%H%M%S%f"
NEW_RUN = "start another run with --out NEW --fork {}, which keeps every reply that still fits"
NEW_NAME = "give other labels another --name"


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


def prompt_hashes(prompts: Prompts) -> dict[str, str]:
    """The id of every prompt section in use."""
    return {section: prompts.id(section) for section in BUILTIN}


def refuse_labels(run: str) -> None:
    """Raises `ExperimentError` for labels of a run, and where the run cannot be reached."""
    reach(run)
    if any(claim.labels for claim in earlier_claims(Store(run))):
        raise ExperimentError(
            f"{run}: found labels of a run, and no debates; allowed: the run itself, two folders above; moot"
            " status tells how far the labels are"
        )


def changed_sources(earlier: Sequence[Claim], now: Experiment) -> Iterator[str]:
    """Which protocols of one's own have another text than when the run was last begun, a line each."""
    for claim in earlier[-1:]:
        yield from changed(Experiment.thawed(claim.frozen).sources, now.sources)
