"""What all commands have in common: where they print, and how what the user can mend is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import typer
from rich.console import Console
from rich.markup import escape

PIPE_WIDTH = 120  # columns where the output is no terminal and has no width of its own


def console() -> Console:
    """Standard output, as wide as the terminal, or wide enough for every table in a file or pipe."""
    out = Console()
    return out if out.is_terminal else Console(width=PIPE_WIDTH)


@contextmanager
def told() -> Iterator[None]:
    """Ends the process with the message of an error that the user can mend, and its exit code.

    2 for an error, 3 for a run that models have left incomplete, 4 for one that has ended with debates that
    failed, 130 for an interrupt.
    """
    try:
        yield
    except KeyboardInterrupt:
        Console(stderr=True).print("interrupted; what has been answered is kept, the same command goes on")
        raise typer.Exit(130) from None
    except Exception as error:
        meant = next((each for each in mendable() if isinstance(error, each.errors)), None)
        if meant is None:
            raise
        said = f"[{meant.colour}]{meant.word}:[/] {escape(str(error))}"
        Console(stderr=True).print(said, highlight=False, soft_wrap=True)
        raise typer.Exit(meant.code) from None


@dataclass(frozen=True, slots=True)
class Mendable:
    """Errors that are told in one message, after a word in a colour, and the exit code that they have."""

    errors: tuple[type[Exception], ...]
    word: str
    colour: str
    code: int


def mendable() -> list[Mendable]:
    """What the user can mend. Imports all that raises it, Ray included, and is asked after an error only."""
    from ray.exceptions import RayActorError

    from analysis.listing import RunNotFound
    from analysis.model.features import NothingToFit
    from analysis.own_measure import MeasureError
    from analysis.part import PartError
    from analysis.replication.repetitions import CannotReplicate
    from analysis.replication.table1 import UnknownModel
    from analysis.report.errors import NothingInCommon, OutError
    from analysis.storage import AddressError
    from analysis.tally import UnknownColumn
    from analysis.values.taxonomy import TaxonomyError
    from protocols.own.played import ProtocolError
    from protocols.own.source import SourceError
    from protocols.record import LogMismatch
    from ray_jobs.crew import CrewLost
    from ray_jobs.driver import Incomplete, Stalled
    from ray_jobs.failed import DebatesFailed
    from ray_jobs.lease import LeaseLost
    from ray_jobs.located import ExperimentError
    from serving.errors import ServingError

    wrong = (
        *(ExperimentError, AddressError, ServingError, RunNotFound, UnknownColumn, PartError, OutError),
        *(NothingInCommon, NothingToFit, CannotReplicate, UnknownModel, TaxonomyError, LogMismatch),
        *(MeasureError, SourceError, ProtocolError),
        *(LeaseLost, CrewLost, Stalled, RayActorError, OSError),
    )
    return [
        Mendable(wrong, "error", "red", 2),
        Mendable((Incomplete,), "incomplete", "yellow", 3),
        Mendable((DebatesFailed,), "ended with failures", "yellow", 4),
    ]
