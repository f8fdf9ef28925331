"""The sheets on which people label explanations of a run in the viewer: RUN/sheets/PERSON.csv.

They are those of `moot label --sheet`, and `moot label --read` reads them back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from filelock import FileLock
from pyarrow import fs

from analysis.by_hand.drawing import SheetError, drawn
from analysis.by_hand.sheet import Sheet, csv_text, listed_beside, replace_text
from analysis.viewer.index import Index
from analysis.viewer.labels import names
from protocols.names import NAME
from protocols.spreadsheets import TableError, decoded
from protocols.values import VALUES_48, Value, read_taxonomy, write_taxonomy

FOLDER = "sheets"
MOST = 2_000
"""Explanations that a sheet of the viewer has at most: it is written whole after each."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of values to label by: what it is called, and its CSV text."""

    name: str
    text: str

    @property
    def values(self) -> tuple[Value, ...]:
        """The values."""
        return read_taxonomy(self.text, self.name)


@dataclass(frozen=True, slots=True)
class Begun:
    """A sheet that somebody has begun: how many rows it has, and which are not labelled yet, from 0.

    Of one that cannot be read, `problem` says why.
    """

    person: str
    rows: int = 0
    open: Sequence[int] = ()
    problem: str = ""


def folder(index: Index) -> Path:
    """Where the sheets of a run lie. Raises `SheetError` for a run that is not on this machine."""
    if not isinstance(index.files, fs.LocalFileSystem):
        raise SheetError(
            f"{index.run} is not on this machine, and sheets are files: write one with"
            f" moot label {index.run} --sheet FILE, and fill it in a spreadsheet"
        )
    return Path(index.root) / FOLDER


def sheet_file(index: Index, person: str) -> Path:
    """The sheet of a person. Raises `SheetError` for what is no name."""
    if not NAME.fullmatch(person) or person.endswith(".values"):
        raise SheetError(f"Name: found “{person}”; allowed: letters, digits, '.', '_' and '-'")
    return folder(index) / f"{person}.csv"


def begun(index: Index) -> list[Begun]:
    """The sheets that there are."""
    files = sorted(folder(index).glob("[!.]*.csv"))
    beside = {listed_beside(file) for file in files}
    return [_begun(file) for file in files if file not in beside]


def _begun(file: Path) -> Begun:
    try:
        sheet = Sheet.of(file)
    except (TableError, OSError) as error:
        return Begun(file.stem, problem=str(error))
    return Begun(file.stem, len(sheet.rows), sheet.open)


def lists(index: Index) -> list[Listed]:
    """The lists of values that the run was labelled by, and the built-in one; each once.

    One that cannot be read is left out, which every page tells.
    """
    found = [Listed(f"as in stage {name}", text) for name, text in _texts(index, "values")]
    for name in names(index):
        found += [Listed(f"as in labels {name}", text) for _, text in _texts(index, f"judgments/{name}")]
    found.append(Listed("the 48 values of moot", write_taxonomy(VALUES_48)))
    first = {each.text: each for each in reversed(found)}
    return [each for each in found if first[each.text] is each]


def begin(index: Index, person: str, sample: int, seed: int, values: Listed) -> None:
    """Writes the sheet of a person, and beside it the list of values.

    Raises `SheetError` where there is one, or for more explanations than the run has or a sheet may have.
    """
    from analysis.by_hand.explanations import explanations

    file = sheet_file(index, person)
    if not 1 <= sample <= MOST:
        raise SheetError(f"Explanations: found {sample}; allowed: 1 to {MOST:,}")
    if person in models(index):
        raise SheetError(f"Name: found {person}, a model of the run; allowed: the name of a person")
    chosen = drawn(explanations(index.run), sample, seed, index.run)
    file.parent.mkdir(exist_ok=True)
    with _alone(file):
        if file.exists():
            raise SheetError(f"Name: found {person}, whose sheet is there already; allowed: another name")
        replace_text(listed_beside(file), values.text)
        replace_text(file, csv_text(chosen))


def read(index: Index, person: str) -> tuple[Sheet, tuple[Value, ...]]:
    """The sheet of a person, and the values it is labelled by. Raises `SheetError` where there is none."""
    file = sheet_file(index, person)
    if not file.is_file() or not listed_beside(file).is_file():
        raise SheetError(f"{person} has no sheet in {file.parent}, or no list of values beside it")
    beside = listed_beside(file)
    return Sheet.of(file), read_taxonomy(decoded(beside.read_bytes(), str(beside)), str(beside))


def label(index: Index, person: str, id: str, values: Sequence[str] | None) -> Sheet:
    """Puts values beside one explanation (None: takes them away), and returns the sheet as it stands then.

    Whoever else writes it waits. Raises `SheetError` for an id that the sheet has not, as `read` does too.
    """
    with _alone(sheet_file(index, person)):
        sheet, _ = read(index, person)
        places = [at for at, row in enumerate(sheet.rows) if row["id"].strip() == id]
        if not places:
            raise SheetError(f"The sheet of {person} has no explanation {id} any more; open it again")
        if len(places) > 1:
            told = ", ".join(str(at + 1) for at in places)
            raise SheetError(
                f"{sheet_file(index, person)}: id: found '{id}' at the explanations {told}; allowed: at one."
                " Nothing was kept: leave one of these rows in the sheet, and open it again"
            )
        changed = sheet.labelled(places[0], values)
        changed.write(sheet_file(index, person))
        return changed


def models(index: Index) -> set[str]:
    """The models that sit on a panel of the run."""
    rows = index.rows("select distinct unnest(string_split(panel, '+')) as model from debates")
    return {row["model"] for row in rows}


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    with FileLock(file.with_name(f".{file.name}.lock")):
        yield


def _texts(index: Index, place: str) -> Iterator[tuple[str, str]]:
    """The lists of values in a folder of the run, each with the name of its file."""
    found = index.files.get_file_info(fs.FileSelector(f"{index.root}/{place}", allow_not_found=True))
    for file in sorted(found, key=lambda file: file.path):
        if file.is_file and file.extension == "csv":
            try:
                with index.files.open_input_file(file.path) as source:
                    text = write_taxonomy(read_taxonomy(decoded(source.readall(), file.path), file.path))
            except TableError as error:
                index.problems[file.path] = str(error)
                continue
            index.problems.pop(file.path, None)
            yield PurePosixPath(file.path).stem, text
