"""Folders that appear when all that is in them is written, or not at all."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from ray_jobs.located import ExperimentError

FULL = (errno.ENOSPC, errno.EDQUOT)


def refuse_used(out: Path) -> None:
    """Raises `ExperimentError` unless nothing is there, or an empty folder."""
    if out.is_symlink() and not out.exists():
        raise ExperimentError(f"--out {out}: found a link to nothing; allowed: a new or empty folder")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ExperimentError(f"--out {out}: found something there; allowed: a new or empty folder")


@contextmanager
def whole_folder(out: Path) -> Iterator[Path]:
    """A folder to write to, which becomes `out` at the end; if anything is raised, nothing is left of it.

    Until then it lies beside `out`, as `.NAME-` and some letters; a process that is killed leaves it there.
    Raises `ExperimentError` where `out` is in use, also if it was taken meanwhile, and where a disk is full.
    """
    refuse_used(out)
    place = out.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    try:
        yield folder
        folder.chmod(0o755)
        refuse_used(out)
        folder.replace(place)
    except BaseException as error:
        shutil.rmtree(folder)
        if isinstance(error, OSError) and error.errno in FULL:
            raise ExperimentError(
                f"--out {out}: found too little room on its disk; nothing was written"
            ) from None
        raise
