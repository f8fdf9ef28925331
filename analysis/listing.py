"""Which parts a table of a run directory has: `RUN/tables/<table>/*.parquet`."""

from __future__ import annotations

from pathlib import Path

from pyarrow import fs

from analysis.schema import schema
from analysis.storage import opened


class RunNotFound(LookupError):
    """The place given is no run directory."""


def parts(run: str | Path, table: str) -> list[str]:
    """The paths of the finished parts of `table`, sorted; none before the first is written.

    Raises `RunNotFound` where `run` is no run directory, `ValueError` for a table that no run has.
    """
    return [file.path for file in listed(run, table)]


def listed(run: str | Path, table: str) -> list[fs.FileInfo]:
    """What the file system says of the files that `parts` names, in the same order."""
    schema(table)
    files, root = opened(run)
    kept = files.get_file_info([f"{root}/{name}" for name in ("tables", "log", "lease")])
    if not any(folder.type == fs.FileType.Directory for folder in kept):
        raise RunNotFound(
            f"{run} is no run directory: it holds no folder 'tables', 'log' or 'lease';"
            " give the folder named by `moot run FILE --out FOLDER`"
        )
    found = files.get_file_info(fs.FileSelector(f"{root}/tables/{table}", allow_not_found=True))
    whole = [file for file in found if file.extension == "parquet" and not file.base_name.startswith(".")]
    return sorted((file for file in whole if file.is_file), key=lambda file: file.path)
