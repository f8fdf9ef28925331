"""Value labels of the turns of a debate, of stages of the run and of `moot label`."""

from __future__ import annotations

from collections.abc import Sequence

from pyarrow import fs

from analysis.listing import parts
from analysis.viewer.index import Index, Row
from analysis.viewer.reading import rows_of

COLUMNS = (
    *("stage", "kind", "judge", "pass", "source_debate", "source_round", "source_seat"),
    *("judged_labels", "status"),
)


def labels_of(index: Index, debates: Sequence[str]) -> list[Row]:
    """The rows of labels of these debates: the stage of one from a folder is the name of the folder."""
    found = _of_parts(index, index.run, debates)
    for name in names(index):
        found += [{**row, "stage": name} for row in _of_parts(index, beneath(index.run, name), debates)]
    return found


def names(index: Index) -> list[str]:
    """The names under which the run was labelled afterwards, each a folder of `RUN/judgments`."""
    folder = fs.FileSelector(f"{index.root}/judgments", allow_not_found=True)
    inside = index.files.get_file_info(folder)
    return sorted(each.base_name for each in inside if each.type == fs.FileType.Directory)


def beneath(run: str, name: str) -> str:
    """The address of the labels of a name, a run directory of its own."""
    address, mark, parameters = run.partition("?") if "://" in run else (run, "", "")
    return f"{address.rstrip('/')}/judgments/{name}{mark}{parameters}"


def _of_parts(index: Index, run: str, debates: Sequence[str]) -> list[Row]:
    found: list[Row] = []
    for path in parts(run, "judgments"):
        found += rows_of(index, "judgments", path, "source_debate", debates, COLUMNS)
    return [row for row in found if row["kind"] == "label"]
