"""`moot export`: a run as a folder for others, while it is played or afterwards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import yaml
from rich.console import Console

from protocols.prompts import BUILTIN
from ray_jobs.claims import earlier_claims, refuse_labels
from ray_jobs.experiment import Experiment
from ray_jobs.export.card import PROMPTS, Card
from ray_jobs.export.snapshot import Snapshot
from ray_jobs.export.tables import write_csv, write_parquet
from ray_jobs.export.transcripts import write_transcripts
from ray_jobs.label_folder import VALUES, label_store
from ray_jobs.located import ExperimentError
from ray_jobs.setting import setting
from ray_jobs.store import Store
from ray_jobs.whole_folder import whole_folder

Form: TypeAlias = Literal["hf", "csv", "jsonl"]
LICENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]{0,59}")


def export_run(run: str, form: Form, out: Path, licence: str | None, console: Console) -> None:
    """Writes what has ended of a run to the folder `out`, whole or not at all, and says what is in it.

    The card of a data set names the `licence`. Raises `ExperimentError` for what is no run or has labels
    alone, for an `out` that holds anything, and for a licence that is no name of one.
    """
    if licence is not None and not LICENCE.fullmatch(licence):
        raise ExperimentError(f"--licence: found '{licence}'; allowed: its short name, such as cc-by-4.0")
    refuse_labels(run)
    store = Store(run)
    if not earlier_claims(store):
        raise ExperimentError(f"{run}: found no run of moot; allowed: a run directory")
    with whole_folder(out) as folder:
        snapshot = Snapshot.of(store)
        if form == "hf":
            counts = _write_data_set(snapshot, folder, licence)
        else:
            counts = (write_csv if form == "csv" else write_transcripts)(snapshot, folder)
    told = (
        ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "nothing, for nothing has ended"
    )
    console.print(f"{out}: {told}", highlight=False, markup=False, soft_wrap=True)


def _write_data_set(snapshot: Snapshot, folder: Path, licence: str | None) -> Mapping[str, int]:
    store = snapshot.run.store
    claim = earlier_claims(store)[-1]
    seen = write_parquet(snapshot, folder)
    frozen = yaml.safe_dump(claim.frozen, sort_keys=False, allow_unicode=True)
    (folder / "experiment.yaml").write_text(frozen, "utf-8")
    for name in (*store.names("values"), *store.names("published")):
        _write(folder / name, store.read(name))
    for name in snapshot.labels:
        labels = label_store(store, name)
        if labels.exists(VALUES):
            _write(folder / "values" / f"{name}.csv", labels.read(VALUES))
    if seen.questions:
        wording = Experiment.thawed(claim.frozen).wording
        for section in BUILTIN:
            _write(folder / PROMPTS / f"{section}.txt", wording.text(section).encode())
    card = Card(setting(store), claim, seen, licence)
    (folder / "README.md").write_text(card.text(), "utf-8")
    return seen.counts


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
