"""The files of the study of interaction protocols: one for each protocol and order of models, a row a debate.

Rows of all files align: the first of each is about the first dilemma, and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ray_jobs.design_block import MOST_ROUNDS
from ray_jobs.located import ExperimentError, one_of
from ray_jobs.log import Row

ROUNDS, FINAL = "n_rounds", "final_verdict"
NEEDED, OPTIONAL = ("verdicts",), ("messages", "values", "name")
PROTOCOLS = {"sync": "synchronous", "round_robin": "round_robin"}
NAMES = "sync_h2h_{a}_vs_{b}, round_robin_h2h_{a}_vs_{b} and round_robin_3way_{a}_{b}_{c}, each .parquet"

_MODEL = r"([A-Za-z0-9][A-Za-z0-9.-]*)"
_PAIR = re.compile(rf"(sync|round_robin)_h2h_{_MODEL}_vs_{_MODEL}")
_THREE = re.compile(rf"(sync|round_robin)_3way_{_MODEL}_{_MODEL}_{_MODEL}")
_BATCH = 256  # debates that are held at a time


def column(agent: int, kind: str) -> str:
    """The column of an agent, from 1."""
    return f"Agent_{agent}_{kind}"


@dataclass(frozen=True, slots=True)
class DebateFile:
    """A file of so many debates: its protocol, and the models as their agents are numbered, from 1.

    Agent 1 speaks first, where agents speak one after another. `most_rounds` is of its longest debate.
    """

    path: Path
    protocol: str
    models: tuple[str, ...]
    columns: tuple[str, ...]
    debates: int
    most_rounds: int

    def rows(self) -> Iterator[Row]:
        """The debates in order. Raises `ExperimentError` for a file that is damaged further in."""
        try:
            with pq.ParquetFile(self.path) as parquet:
                for batch in parquet.iter_batches(batch_size=_BATCH, columns=list(self.columns)):
                    yield from batch.to_pylist()
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise unreadable(self.path, error) from None

    def distinct(self, name: str) -> set[str]:
        """The different texts in a column; none where the file does not have it."""
        if name not in self.columns:
            return set()
        found = pc.unique(pq.read_table(self.path, columns=[name])[name]).to_pylist()
        return {text for text in found if isinstance(text, str) and text}


def unreadable(path: Path, error: Exception) -> ExperimentError:
    """The error of a file that Arrow cannot read."""
    return ExperimentError(f"{path}: found no readable Parquet file: {error}")


def find_files(folder: Path) -> tuple[list[DebateFile], list[str]]:
    """The files of a study in a folder, by name, and the names of what else lies in it.

    Raises `ExperimentError` for a folder that is none or holds none of them, for a file without the columns
    that it needs, and for files of different numbers of debates.
    """
    if not folder.is_dir():
        raise ExperimentError(f"{folder}: found no such folder; allowed: one with {NAMES}")
    files: list[DebateFile] = []
    others: list[str] = []
    for path in sorted(folder.iterdir()):
        named = _named(path)
        if named is None:
            others.append(path.name)
        else:
            files.append(_surveyed(path, *named))
    if not files:
        found = ", ".join(others[:5]) or "nothing"
        raise ExperimentError(f"{folder}: found {found}; allowed: files called {NAMES}")
    _refuse_unequal(files)
    return files, others


def _named(path: Path) -> tuple[str, tuple[str, ...]] | None:
    """The protocol and the models that a file is named after."""
    if path.suffix != ".parquet":
        return None
    found = _PAIR.fullmatch(path.stem) or _THREE.fullmatch(path.stem)
    return (PROTOCOLS[found[1]], found.groups()[1:]) if found else None


def _surveyed(path: Path, protocol: str, models: tuple[str, ...]) -> DebateFile:
    agents = range(1, len(models) + 1)
    needed = [ROUNDS, FINAL, *(column(agent, kind) for agent in agents for kind in NEEDED)]
    optional = [column(agent, kind) for agent in agents for kind in OPTIONAL]
    try:
        there = pq.read_schema(path).names
        _check_columns(path, there, needed, column(len(models) + 1, "verdicts"))
        rounds = pq.read_table(path, columns=[ROUNDS])[ROUNDS]
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise unreadable(path, error) from None
    columns = (*needed, *(name for name in optional if name in there))
    return DebateFile(path, protocol, models, columns, len(rounds), _longest(path, rounds))


def _longest(path: Path, rounds: pa.ChunkedArray) -> int:
    """The rounds of the longest debate, of those that have as many as a debate may."""
    if not (pa.types.is_integer(rounds.type) or pa.types.is_floating(rounds.type)):
        raise ExperimentError(f"{path}: {ROUNDS}: found a column of {rounds.type}; allowed: whole numbers")
    possible = rounds.filter(pc.less_equal(rounds, MOST_ROUNDS))
    return max(1, int(pc.max(possible).as_py() or 1))


def _check_columns(path: Path, there: Sequence[str], needed: Sequence[str], beyond: str) -> None:
    for name in needed:
        if name not in there:
            raise ExperimentError(
                f"{path}: found no column '{name}'; allowed: {', '.join(needed)}; here are"
                f" {one_of(there, name)}"
            )
    if beyond in there:
        raise ExperimentError(
            f"{path}: found the column '{beyond}'; allowed: no more agents than the file's name has models"
        )


def _refuse_unequal(files: Sequence[DebateFile]) -> None:
    first = files[0]
    for file in files:
        if file.debates != first.debates or not file.debates:
            raise ExperimentError(
                f"{file.path}: found {file.debates:,} debates, and {first.debates:,} in {first.path.name};"
                " allowed: as many in every file, at least one, since the same place in each is the same"
                " dilemma"
            )
