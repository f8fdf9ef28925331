"""`moot view`: the debates of runs in a browser of this machine."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Timer
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ray_jobs.command_line import console, told

if TYPE_CHECKING:
    from analysis.viewer.progress import Progress
    from analysis.viewer.shelf import Shelf

Runs = Annotated[
    list[str], typer.Argument(metavar="RUN...", help="Run directories; several beside each other.")
]
Port = Annotated[int, typer.Option(help="The port of this machine to listen at; default: one that is free.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the address, and open nothing.")]


def view(runs: Runs, port: Port = 0, no_browser: NoBrowser = False) -> None:
    """Show the debates of runs in a browser, while they are played or long after. Ctrl-C ends it."""
    with told():
        serve(runs, port, not no_browser, console())


def serve(runs: list[str], port: int, browser: bool, out: Console) -> None:
    """Answers on 127.0.0.1 until it is interrupted; whoever asks must know a token that is drawn here.

    Raises `RunNotFound` for a place that is no run, `Unreachable` for an object store that does not answer,
    and `OSError` for a port that is taken or none.
    """
    with _listening(port) as listening:
        place, token = listening.getsockname()[1], secrets.token_urlsafe(24)
        with ThreadPoolExecutor(1) as reading:
            shelf = reading.submit(_shelf, runs)
            import uvicorn  # while the runs are read, as it takes as long

            from analysis.viewer.app import application

        app = application(shelf.result(), token, place)
        address = f"http://127.0.0.1:{place}/?token={token}"
        out.print(f"{address}\nCtrl-C ends it.", highlight=False, soft_wrap=True, markup=False)
        if browser:
            Timer(0.5, webbrowser.open, [address]).start()
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",  # an end by Ctrl-C would be told as its failure
            timeout_graceful_shutdown=2,
        )
        with suppress(KeyboardInterrupt):  # which ends it, as it says
            uvicorn.Server(config).run(sockets=[listening])


def _listening(port: int) -> socket.socket:
    try:
        return socket.create_server(("127.0.0.1", port))
    except OverflowError:
        raise OSError(f"--port: found {port}; allowed: 0 to 65535") from None
    except OSError as error:
        raise OSError(f"port {port} of this machine cannot be listened at: {error.strerror}") from None


def _shelf(runs: list[str]) -> Shelf:
    from analysis.viewer.shelf import Shelf
    from ray_jobs.claims import refuse_labels

    for run in runs:
        refuse_labels(run)
    return Shelf.of(runs, _progress)


def _progress(run: str) -> Progress:
    """How a run stands. What finds it out is imported when a page asks for it."""
    from ray_jobs.run_progress import progress

    return progress(run)
