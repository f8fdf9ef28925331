"""What one node sees: its versions, and whether run directory, model folders and keys are there.

This runs on every node of a cluster, which may lack half of what moot needs; so it imports only as it looks.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

PATIENCE_SECONDS = 5.0  # for a file that another machine has written to come into sight

HUB = "https://huggingface.co"
RUN, MODELS = "run directory", "models folder"
"""Whose disks are looked at."""


@dataclass(frozen=True, slots=True)
class Search:
    """What a node is to look for: a run directory with the file `token`, models by name, variables.

    `gated` are those of the models that the hub gives only to an account that may have them.
    """

    run: str | None = None
    token: str = ""
    models: Mapping[str, str] = field(default_factory=dict)
    variables: tuple[str, ...] = ()
    gated: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sight:
    """What a node has seen. `blind` says why it cannot use the run directory, `missing` why not a model.

    `unset` are the variables that are not set there; `free` holds the bytes that are free in its run
    directory, where that is local, and in its folder of models. `locked` are the gated models that are
    neither there nor to be had, for lack of a token of the hub.
    """

    versions: Mapping[str, str]
    vllm: bool
    blind: str | None
    missing: Mapping[str, str]
    unset: tuple[str, ...]
    free: Mapping[str, int]
    locked: tuple[str, ...] = ()


def look(search: Search) -> Sight:
    """Looks around on this node."""
    from ray_jobs.versions import versions
    from serving.catalogue import models_folder

    places = {MODELS: models_folder()}
    if search.run is not None and "://" not in search.run:
        places[RUN] = Path(search.run)
    return Sight(
        versions(),
        find_spec("vllm") is not None,
        None if search.run is None else _blind(search.run, search.token),
        dict(_missing(search.models)),
        tuple(name for name in search.variables if not os.environ.get(name, "").strip()),
        {name: _free(place) for name, place in places.items()},
        tuple(_locked(search.gated)),
    )


def _blind(run: str, token: str) -> str | None:
    """Why this node cannot read or write what others do in the run directory; None if it can."""
    from ray_jobs.store import Store, reach

    try:
        reach(run)
        store, end = Store(run), time.monotonic() + PATIENCE_SECONDS
        while not store.exists(token):
            if time.monotonic() > end:
                return "what another node has written there is not seen"
            time.sleep(0.2)
        store.read(token)
        own = f"{token}-{os.getpid()}"
        store.write(own, b"")
        store.delete(own)
    except OSError as error:
        return str(error)
    return None


def _missing(models: Mapping[str, str]) -> Mapping[str, str]:
    """Why each model that is not here is not."""
    from serving.catalogue import resolve
    from serving.errors import ModelError

    missing = {}
    for name, model in models.items():
        try:
            resolve(model)
        except ModelError as error:
            missing[name] = str(error)
    return missing


def _locked(gated: Mapping[str, str]) -> Iterator[str]:
    """The models that cannot be fetched to here, if the public hub is to be asked at all."""
    if not gated or find_spec("huggingface_hub") is None:
        return
    from huggingface_hub import constants, get_token

    from serving.weights import cached

    if constants.HF_HUB_OFFLINE or constants.ENDPOINT != HUB or get_token():
        return
    yield from (name for name, model in gated.items() if not cached(model, None))


def _free(place: Path) -> int:
    """Bytes free on the disk on which the folder is, or would be."""
    there = next(folder for folder in (place, *place.parents) if folder.exists())
    return shutil.disk_usage(there).free
