"""Where a run lives: files written whole or not at all, on a local path or an object store.

What an object store refuses for a while is tried again: a run of days outlives an outage of minutes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TypeVar

from pyarrow.fs import FileSelector, FileType, LocalFileSystem
from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random_exponential

from analysis.storage import Unreachable, may_pass, opened, unreachable

PATIENCE_SECONDS = 120.0  # for how long an object store that fails is tried again
UNFINISHED = ".unfinished"  # a folder apart: no reader of a table's folder meets what is not whole
LEFT_SECONDS = 3600.0  # after which a file is not being written any more
LONGEST_WAIT = 10.0  # seconds between two tries; each of them is three of the storage's own client

Result = TypeVar("Result")


def not_written(path: str, error: OSError) -> OSError:
    """The error of a file that could not be written, naming it and what to do."""
    reason = error.strerror or str(error)
    return OSError(
        f"{path} cannot be written: {reason}. What is in the run directory stays as it is; make room or mend"
        " the access, and run the same command again"
    )


def reach(uri: str) -> None:
    """Looks once whether the store can be listed, before anything relies on it; a local one always can.

    Raises `AddressError`, or `Unreachable` with what was found: no bucket, no access, no network.
    """
    files, root = opened(uri)
    if isinstance(files, LocalFileSystem):
        return
    bucket = root.split("/")[0]
    try:
        files.get_file_info(FileSelector(root, allow_not_found=True))
        found = files.get_file_info(bucket).type
    except OSError as error:
        raise unreachable(uri, error) from None
    if found == FileType.NotFound:
        raise Unreachable(f"{uri}: found no bucket '{bucket}'; create it, or correct its name")


def patiently(do: Callable[[], Result], seconds: float) -> Result:
    """What `do` returns; where it raises what may pass, it is called again for so long."""
    tries = Retrying(
        retry=retry_if_exception(may_pass),
        wait=wait_random_exponential(multiplier=0.5, max=LONGEST_WAIT),
        stop=stop_after_delay(seconds),
        reraise=True,
    )
    return tries(do)


class Store:
    """A folder of files, addressed by names relative to it.

    `uri` is a local path or an address that `pyarrow.fs` opens (s3://bucket/folder). A file whose name
    begins with a dot is unfinished, and no listing shows it. Where an object store has failed for too long,
    a method raises `Unreachable`, or of a write the `OSError` that a full disk would raise too.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.fs, self.root = patiently(partial(opened, uri), PATIENCE_SECONDS)
        self.local = isinstance(self.fs, LocalFileSystem)
        self._lost = False

    @property
    def place(self) -> str:
        """What opens the same store in any process, whatever its working directory."""
        return self.root if self.local else self.uri

    def path(self, name: str) -> str:
        """The path of `name` within the store's file system."""
        return f"{self.root}/{name}" if name else self.root

    def names(self, folder: str) -> list[str]:
        """The finished files below `folder`, however deep, sorted; none where it does not exist."""
        selector = FileSelector(self.path(folder), recursive=True, allow_not_found=True)
        infos = self.ask(folder, partial(self.fs.get_file_info, selector))
        found = [info.path for info in infos if info.type == FileType.File]
        names = [str(PurePosixPath(path).relative_to(self.root)) for path in found]
        return sorted(name for name in names if not PurePosixPath(name).name.startswith("."))

    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""
        info = self.ask(name, partial(self.fs.get_file_info, self.path(name)))
        return bool(info.type == FileType.File)

    def read(self, name: str) -> bytes:
        """The whole file. Raises `FileNotFoundError` where there is none."""
        return self.ask(name, partial(self._read, name))

    def write(self, name: str, data: bytes) -> None:
        """Writes the whole file, so that a reader sees all of it or nothing.

        A local file is written apart, synced and moved to its place; an object is one PUT, or one upload.
        """
        path = self.path(name)
        try:
            if self.local:
                self._move_there(name, data)
            else:
                self._patiently(partial(self._put, path, data))
        except OSError as error:
            raise not_written(path, error) from None

    def delete(self, name: str) -> None:
        """Removes the file; one that is gone already is as good."""
        with suppress(FileNotFoundError):
            self.ask(name, partial(self.fs.delete_file, self.path(name)))

    def remove_unfinished(self) -> None:
        """Removes what processes left that died while they wrote; an object store shows nothing of it."""
        for path in Path(self.path(UNFINISHED)).glob(".*") if self.local else ():
            if time.time() - path.stat().st_mtime > LEFT_SECONDS:
                path.unlink()

    def remove_empty(self, folder: str) -> None:
        """Removes the folders below `folder` that hold nothing; an object store has but markers of them."""
        if self.local:
            for path in sorted(Path(self.path(folder)).rglob("*"), reverse=True):
                if path.is_dir() and not any(path.iterdir()):
                    path.rmdir()

    def ask(self, name: str, do: Callable[[], Result]) -> Result:
        """What `do` finds out about the file or folder `name`, with patience for an object store."""
        if self.local:
            return do()
        try:
            return self._patiently(do)
        except (FileNotFoundError, Unreachable):
            raise
        except OSError as error:
            raise unreachable(self.path(name), error) from None

    def _patiently(self, do: Callable[[], Result]) -> Result:
        """A store that has been waited for in vain is not waited for again until it answers."""
        try:
            result = patiently(do, 0.0 if self._lost else PATIENCE_SECONDS)
        except OSError as error:
            self._lost = may_pass(error)
            raise
        self._lost = False
        return result

    def _read(self, name: str) -> bytes:
        """An object is read anew that was replaced by a longer one after the look at its size."""
        path = self.path(name)
        while True:
            with self.fs.open_input_file(path) as file:
                data = bytes(file.read())
            if self.local or self.fs.get_file_info(path).size in (None, len(data)):
                return data

    def _put(self, path: str, data: bytes) -> None:
        with self.fs.open_output_stream(path) as stream:
            stream.write(data)

    def _move_there(self, name: str, data: bytes) -> None:
        path, apart = Path(self.path(name)), Path(self.path(UNFINISHED))
        unfinished = apart / f".{name.replace('/', '-')}.{os.getpid()}"
        try:
            for folder in (apart, path.parent):
                folder.mkdir(parents=True, exist_ok=True)
            with unfinished.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        except OSError:
            unfinished.unlink(missing_ok=True)
            raise
