"""The viewer as a web application."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from analysis.listing import RunNotFound
from analysis.part import PartError
from analysis.storage import AddressError
from analysis.viewer import compare, debate, debates, labelling, markdown, overview, report, turn
from analysis.viewer.guard import Guard
from analysis.viewer.pages import Page, Visit, missing
from analysis.viewer.shelf import Shelf
from protocols.spreadsheets import TableError

PAGES: tuple[Page, ...] = (
    *(*overview.PAGES, *debates.PAGES, *debate.PAGES, *turn.PAGES),
    *(*compare.PAGES, *labelling.PAGES, *markdown.PAGES, *report.PAGES),
)
"""All pages; those with a title stand in the navigation in this order."""

MENDABLE = (PartError, RunNotFound, AddressError, TableError, OSError)
"""Errors with messages that are meant for whoever looks at a run: its files, or the disk, must be mended."""


def application(shelf: Shelf, token: str, port: int) -> ASGIApp:
    """The application that shows these runs to who knows the token, at a port of this machine."""
    static = Path(str(files("analysis.viewer").joinpath("static")))
    routes = [
        Route("/static/figure.css", _figures),
        Mount("/static", StaticFiles(directory=static)),
        *(page.route(shelf) for page in sorted(PAGES, key=lambda page: page.of_run)),
    ]

    def told(request: Request, error: Exception) -> Response:
        visit = Visit(request, shelf)
        return visit.page("told.html.j2", 500, heading="This cannot be shown", told=str(error).splitlines())

    def nothing(request: Request, _: Exception) -> Response:
        return missing(Visit(request, shelf), f"there is no page {request.url.path}")

    handlers: dict[Any, Any] = {**dict.fromkeys(MENDABLE, told), 404: nothing}
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.state.pages = PAGES
    return Guard(app, token, port)


def _figures(_: Request) -> Response:
    """Colours and letters of the figures, those of the report."""
    style = files("analysis.report").joinpath("templates/figure.css").read_text("utf-8")
    return PlainTextResponse(style, media_type="text/css")
