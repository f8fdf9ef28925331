"""Files with lists of values, as studies bring them and as run directories keep them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from protocols.spreadsheets import TableError, decoded
from protocols.values import Value, read_taxonomy, write_taxonomy
from ray_jobs.located import ExperimentError


def read_values(file: Path) -> str:
    """The list of values in a CSV file, as CSV text of one form.

    Raises `ExperimentError`, which names file, line and column, for a file that holds no such list.
    """
    try:
        text = decoded(file.read_bytes(), str(file))
        return write_taxonomy(read_taxonomy(text, str(file)))
    except OSError as error:
        raise ExperimentError(f"{file}: cannot be read: {error.strerror}; give a CSV file") from None
    except TableError as error:
        raise ExperimentError(str(error)) from None


def listed(values: Sequence[Value]) -> str:
    """A list of values in a few words, which differ for lists that labellers are shown differently."""
    shown = "\n".join(f"{value.name}: {value.definition}" for value in values)
    digest = blake2b(shown.encode(), digest_size=4).hexdigest()
    counted = "1 value" if len(values) == 1 else f"{len(values)} values"
    return f"{counted} from '{values[0].name}' to '{values[-1].name}' (id {digest})"
