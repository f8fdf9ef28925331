"""What may be a run directory, and what another run may be forked from."""

from __future__ import annotations

from ray_jobs.claims import earlier_claims
from ray_jobs.located import ExperimentError
from ray_jobs.store import Store, reach


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
