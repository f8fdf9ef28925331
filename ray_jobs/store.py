"""Where a run lives: files written whole or not at all, on a local path or an object store."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from pyarrow.fs import FileSelector, FileSystem, FileType, LocalFileSystem


def not_written(path: str, error: OSError) -> OSError:
    """The error of a file that could not be written, naming it and what to do."""
    reason = error.strerror or str(error)
    return OSError(
        f"{path} cannot be written: {reason}. What is in the run directory stays as it is; make room or mend"
        " the access, and run the same command again"
    )


class Store:
    """A folder of files, addressed by names relative to it.

    `uri` is a local path or anything that `pyarrow.fs` opens (s3://bucket/folder). A file whose name
    begins with a dot is unfinished, and no listing shows it.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        if "://" in uri:
            self.fs, self.root = FileSystem.from_uri(uri)
        else:
            self.fs, self.root = LocalFileSystem(), str(Path(uri).absolute())
        self.local = isinstance(self.fs, LocalFileSystem)

    def path(self, name: str) -> str:
        """The path of `name` within the store's file system."""
        return f"{self.root}/{name}" if name else self.root

    def names(self, folder: str) -> list[str]:
        """The finished files below `folder`, however deep, sorted; none where it does not exist."""
        selector = FileSelector(self.path(folder), recursive=True, allow_not_found=True)
        found = [info.path for info in self.fs.get_file_info(selector) if info.type == FileType.File]
        names = [str(PurePosixPath(path).relative_to(self.root)) for path in found]
        return sorted(name for name in names if not PurePosixPath(name).name.startswith("."))

    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""
        return bool(self.fs.get_file_info(self.path(name)).type == FileType.File)

    def read(self, name: str) -> bytes:
        """The whole file."""
        with self.fs.open_input_stream(self.path(name)) as stream:
            return bytes(stream.read())

    def write(self, name: str, data: bytes) -> None:
        """Writes the whole file, so that a reader sees all of it or nothing.

        A local file is written under a dot name, synced and renamed; an object is one PUT.
        """
        if not self.local:
            with self.fs.open_output_stream(self.path(name)) as stream:
                stream.write(data)
            return
        path = Path(self.path(name))
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with unfinished.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise not_written(str(path), error) from None

    def remove_empty(self, folder: str) -> None:
        """Removes the folders below `folder` that hold nothing; an object store has none."""
        if self.local:
            for path in sorted(Path(self.path(folder)).rglob("*"), reverse=True):
                if path.is_dir() and not any(path.iterdir()):
                    path.rmdir()

    def delete(self, name: str) -> None:
        """Removes the file."""
        self.fs.delete_file(self.path(name))
