"""A sheet that somebody has labelled comes back: all of it, or nothing.

Its labels stand in RUN/judgments/NAME beside those of models, as by the judge human:PERSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from analysis.by_hand.explanation import Explanation
from analysis.by_hand.explanations import explanations
from analysis.by_hand.rows import Labels, SheetRows, same_text, sheet_rows
from analysis.values.labels import HUMAN
from protocols.names import NAME
from protocols.spreadsheets import TableError
from protocols.values import NONE, read_taxonomy
from ray_jobs.claims import claim_ids
from ray_jobs.hand_labels import Given, labels_there, place, write_labels
from ray_jobs.label_folder import VALUES, label_store
from ray_jobs.labelling import judges_there
from ray_jobs.located import ExperimentError
from ray_jobs.played import Played
from ray_jobs.store import Store
from ray_jobs.values_file import listed

SHOWN = 20  # problems of a sheet that one message tells


def read_sheet(run: str, file: Path, person: str, name: str | None, values: str, console: Console) -> None:
    """Reads the labels that `person` gave by these values (CSV text) into RUN/judgments/NAME.

    NAME is human-PERSON by default. What is there from an earlier sheet is passed over. Raises
    `ExperimentError`, with file, line and column of whatever is wrong, or when a model of the run or one that
    has labelled it is called as the person is; then nothing is written.
    """
    played, name = Played.of(run), name or f"human-{person}"
    for option, word in (("--judge", person), ("--name", name)):
        if not NAME.fullmatch(word):
            raise ExperimentError(f"{option}: found '{word}'; allowed: letters, digits, '.', '_' and '-'")
    if person in {*played.experiment.models, *judges_there(played.store, name)}:
        raise ExperimentError(
            f"--judge: found '{person}', a model of the run or one that has labelled it; allowed: with --read"
            " the name of the person who filled the sheet"
        )
    store = label_store(played.store, name)
    _refuse_others(store, values, HUMAN + person)
    rows = _rows(file, values)
    given = _given(rows, explanations(run), run)
    new = list(_new(rows, given, store))
    _refuse_wrong(rows, file)
    if new:
        write_labels(store, values, new, name, HUMAN + person)
    known = f"; {len(given) - len(new):,} were there already" if len(given) > len(new) else ""
    told = f"{store.uri}: {len(new):,} explanations labelled by {HUMAN}{person}{known}"
    console.print(told, highlight=False, markup=False, soft_wrap=True)


def _rows(file: Path, values: str) -> SheetRows:
    """The rows of the sheet. Raises `ExperimentError` for a file that is none, or is not there."""
    if not file.is_file():
        raise ExperimentError(f"--read: found no file {file}; allowed: a sheet that --sheet has written")
    try:
        return sheet_rows(file, read_taxonomy(values, VALUES))
    except TableError as error:
        raise ExperimentError(f"{error}; give a sheet that --sheet has written") from None
    except OSError as error:
        raise ExperimentError(f"--read: {file} cannot be read: {error.strerror}") from None


def _refuse_others(store: Store, values: str, judge: str) -> None:
    """Raises `ExperimentError` when the name is in use for a model, another person, or other values."""
    there = {row["judge"] for row in labels_there(store)}
    if claim_ids(store) or there - {judge}:
        raise ExperimentError(
            f"--name: found {store.uri} with labels by {', '.join(sorted(there)) or 'a model'}; allowed: a"
            " name of its own for every judge"
        )
    if there:
        was, now = (
            listed(read_taxonomy(text, VALUES)) for text in (store.read(VALUES).decode("utf-8-sig"), values)
        )
        if was != now:
            raise ExperimentError(
                f"--values: found {now}, and {store.uri} was labelled by {was}; allowed: the same list, or"
                " another --name"
            )


def _given(rows: SheetRows, every: Iterator[Explanation], run: str) -> Given:
    """The explanations of the run that the sheet labels.

    Ids that the run has not, and explanations that are not as they went out, are told in `rows.wrong`.
    """
    given = [(each, rows.labels[each.id]) for each in every if each.id in rows.labels]
    there = {each.id for each, _ in given}
    rows.wrong += [
        f"{rows.places[id]}: id: found '{id}', which is no explanation of {run}; allowed: the id as written"
        for id in rows.labels
        if id not in there
    ]
    rows.wrong += [
        f"{rows.places[each.id]}: explanation: found {_start(rows.texts[each.id])}, and '{each.id}' went out"
        f" with {_start(each.text)}; allowed: the id beside its own explanation, as written"
        for each, _ in given
        if not same_text(rows.texts[each.id], each.text)
    ]
    return given


def _start(text: str, width: int = 40) -> str:
    text = " ".join(text.split())
    return f"'{text}'" if len(text) <= width else f"'{text[:width]}...' ({len(text):,} characters)"


def _new(rows: SheetRows, given: Given, store: Store) -> Iterator[tuple[Explanation, Labels]]:
    """What was not read from an earlier sheet; what was read otherwise is told in `rows.wrong`."""
    before = {place(row): tuple(row["judged_labels"]) for row in labels_there(store)}
    for each, labels in given:
        if each.place not in before:
            yield each, labels
        elif before[each.place] != labels:
            was = ", ".join(before[each.place]) or NONE
            rows.wrong.append(
                f"{rows.places[each.id]}: id: found '{each.id}' with other values than in an earlier sheet"
                f" ({was}); allowed: the same, or another --name"
            )


def _refuse_wrong(rows: SheetRows, file: Path) -> None:
    if rows.wrong:
        more = len(rows.wrong) - SHOWN
        rest = [f"and {more:,} more"] if more > 0 else []
        raise ExperimentError("\n".join([*rows.wrong[:SHOWN], *rest, "nothing was written"]))
    if not rows.labels:
        raise ExperimentError(f"{file}: found no row with a value; allowed: at least one")
