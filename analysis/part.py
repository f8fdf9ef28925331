"""One part of a table: what it must look like, and how it is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

from analysis.schema import VERSION_KEY, schema
from analysis.storage import of_storage, unreachable
from protocols.columns import SCHEMA_VERSION


class PartError(ValueError):
    """A part of a table is torn, or was not written by this version of moot."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of `table`, of so many bytes; the rows of the debates in `ignored` do not count."""

    table: str
    path: str
    ignored: tuple[str, ...] = ()
    size: int = 0


def load(files: fs.FileSystem, part: Part, columns: Sequence[str], encoded: bool = False) -> pa.Table:
    """The rows of a part that count, with these columns only.

    With `encoded`, strings come as dictionaries. Raises `PartError` for a part that is torn, lacks the
    schema version of this moot or has another schema than it, and `Unreachable` when an object store fails.
    """
    wanted = pa.schema([schema(part.table).field(name) for name in dict.fromkeys((*columns, "debate_id"))])
    strings = [field.name for field in wanted if encoded and field.type == pa.string()]
    with opened_part(files, part, strings) as opened:
        rows = opened.read(columns=wanted.names, use_threads=False)
    if part.ignored:
        ignored = pa.array(part.ignored, pa.string())
        rows = rows.filter(pc.invert(pc.is_in(rows["debate_id"].cast(pa.string()), value_set=ignored)))
    return rows.select(list(columns)).replace_schema_metadata()


@contextmanager
def opened_part(files: fs.FileSystem, part: Part, strings: Sequence[str] = ()) -> Iterator[pq.ParquetFile]:
    """A part, to be read inside; the columns `strings` come as dictionaries. Raises as `load` does."""
    try:
        with files.open_input_file(part.path) as source:
            footer = pq.read_metadata(source)
            check(part, footer.schema.to_arrow_schema())
            yield pq.ParquetFile(source, metadata=footer, read_dictionary=list(strings))
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and of_storage(error):
            raise unreachable(part.path, error) from error
        raise PartError(
            f"{part.path} cannot be read as Parquet ({error}); a part is complete once it has its name,"
            " so this one was damaged later: restore it, or move it away and run again"
        ) from error


def check(part: Part, found: pa.Schema) -> None:
    """Raises `PartError` unless a part with the schema `found` was written by this version of moot."""
    expected = schema(part.table)
    version = (found.metadata or {}).get(VERSION_KEY)
    if version is None:
        raise PartError(f"{part.path} was not written by moot (it has no schema version); move it away")
    if version != str(SCHEMA_VERSION).encode():
        raise PartError(
            f"{part.path} has schema version {version.decode()}, this moot reads version {SCHEMA_VERSION};"
            " read the run with the moot that wrote it"
        )
    if not found.equals(expected):
        raise PartError(
            f"{part.path} is no part of {part.table!r}: {difference(found, expected)}; move it away"
        )


def difference(found: pa.Schema, expected: pa.Schema) -> str:
    """In words, the first column in which two unequal schemas differ."""
    for name in dict.fromkeys((*expected.names, *found.names)):
        if name not in found.names:
            return f"it has no column {name!r}"
        if name not in expected.names:
            return f"it has a column {name!r} that moot does not know"
        if found.field(name).type != expected.field(name).type:
            return f"its column {name!r} is {found.field(name).type}, expected {expected.field(name).type}"
    return "its columns stand in another order, or may not be null"
