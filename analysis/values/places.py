"""Where the labels of a run lie, and reading them.

`RUN/judgments/NAME` is a run directory of its own with the labels of `moot label`, its list of values is
`values.csv` there. Labels of a stage of the experiment lie in the run's own tables, and their list in
`RUN/values/STAGE.csv`. Labels of one folder are under its name, and those of a stage under that of the
stage; only stages that share out the debates between them, as one labels debates and another those that go
on from them, are under one name, the first.

Taxonomies are the same that have the same values in the same groups: their labels are compared. Definitions
are what a judge went by, so labels by other definitions are under another name, and thus another labelling.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import fs

from analysis.part import load
from analysis.storage import opened
from analysis.tables import survey
from analysis.values.codes import hashed
from analysis.values.join import Origins
from analysis.values.labels import COLUMNS, Labels, gather
from analysis.values.names import named, shared_out
from analysis.values.taxonomy import Taxonomy, TaxonomyError, parse


def read_labels(run: str | Path) -> list[Labels]:
    """The labels of a run, for each taxonomy that it was labelled with; none where it was not.

    Labels of one taxonomy may lie in several places. Raises `TaxonomyError` where a list of values is
    missing or is none, and as `tables.survey` does.
    """
    found: dict[Taxonomy, list[pa.Table]] = {}
    for taxonomy, rows in _labelled(run):
        found.setdefault(taxonomy, []).append(rows)
    return [gather(tables, taxonomy) for taxonomy, tables in found.items()]


def read_origins(run: str | Path) -> Origins:
    """Which debates of the run go on from others."""
    files, _ = opened(run)
    columns = ("debate_id", "source_debate", "outcome")
    tables = [load(files, part, columns) for part in survey(run, "debates")]
    rows = (
        pa.concat_tables(tables)
        if tables
        else pa.table({name: pa.array([], pa.string()) for name in columns})
    )
    onward = rows.filter(pc.and_(rows["source_debate"].is_valid(), pc.not_equal(rows["outcome"], "judgment")))
    debates, sources = (hashed(onward[name].to_pylist()) for name in columns[:2])
    order = debates.argsort()
    return Origins(debates[order], sources[order])


def _labelled(run: str | Path) -> Iterator[tuple[Taxonomy, pa.Table]]:
    """Rows of labels, and the taxonomy that they are of."""
    files, root = opened(run)
    staged: dict[Taxonomy, list[pa.Table]] = {}
    for rows in _rows(run):
        own = rows.filter(pc.equal(rows["kind"], "label"))
        for stage in sorted(pc.unique(own["stage"].cast(pa.string())).to_pylist()):
            taxonomy = _taxonomy(files, f"{root}/values/{stage}.csv", f"stage {stage}")
            staged.setdefault(taxonomy, []).append(own.filter(pc.equal(own["stage"], stage)))
    for taxonomy, own in staged.items():
        yield from ((taxonomy, rows) for rows in shared_out(own))
    for name in _names(files, root):
        tables = list(_rows(_beneath(run, f"judgments/{name}")))
        if any(len(rows) for rows in tables):
            taxonomy = _taxonomy(files, f"{root}/judgments/{name}/values.csv", f"judgments/{name}")
            yield from ((taxonomy, named(rows, name)) for rows in tables)


def _rows(run: str | Path) -> Iterator[pa.Table]:
    files, _ = opened(run)
    for part in survey(run, "judgments"):
        yield load(files, part, COLUMNS, encoded=True)


def _names(files: fs.FileSystem, root: str) -> list[str]:
    """The names under which the run was labelled."""
    folders = files.get_file_info(fs.FileSelector(f"{root}/judgments", allow_not_found=True))
    inside = [folder.base_name for folder in folders if folder.type == fs.FileType.Directory]
    tables = files.get_file_info([f"{root}/judgments/{name}/tables" for name in inside])
    return sorted(name for name, own in zip(inside, tables, strict=True) if own.type == fs.FileType.Directory)


def _beneath(run: str | Path, folder: str) -> str:
    """The address of a folder of the run."""
    address, mark, parameters = str(run).partition("?") if "://" in str(run) else (str(run), "", "")
    return f"{address.rstrip('/')}/{folder}{mark}{parameters}"


def _taxonomy(files: fs.FileSystem, path: str, whose: str) -> Taxonomy:
    if files.get_file_info(path).type != fs.FileType.File:
        raise TaxonomyError(
            f"{path} is missing, the list of values that the labels of {whose} are of; put back the CSV file"
            " with the columns value, definition, group that they were made with"
        )
    with files.open_input_file(path) as source:
        content = source.readall()
    try:
        return parse(content.decode("utf-8"), path)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise TaxonomyError(f"{path}, line {line}: not UTF-8 ({error.reason}); save it as UTF-8") from None
