"""What a page is, and how it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from jinja2 import Environment, PackageLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import ImmutableMultiDict, QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from analysis.viewer import text, words
from analysis.viewer.shelf import Shelf, Volume

Form = ImmutableMultiDict[str, str]

TEMPLATES = Environment(
    loader=PrefixLoader(
        {"viewer": PackageLoader("analysis.viewer"), "report": PackageLoader("analysis.report")}
    ),
    autoescape=True,
    finalize=text.plain,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
TEMPLATES.filters |= {
    "markup": Markup,  # for figures of the report, which escape their words themselves
    "visible": text.visible,
    "line": text.line,
    "parameters": words.parameters,
    "parts": text.parts,
    "count": words.count,
    "hue": words.hue,
    "index": words.index,
    "money": words.money,
    "said": words.said,
}


@dataclass(frozen=True, slots=True)
class Visit:
    """One request: the runs of the viewer, the one that it is about, and what was sent with it.

    A page across runs has no `volume`.
    """

    request: Request
    shelf: Shelf
    volume: Volume | None = None
    form: Form = field(default_factory=ImmutableMultiDict)

    @property
    def here(self) -> Volume:
        """The run that the page is about."""
        if self.volume is None:
            raise LookupError(f"{self.request.url.path} is about no run")
        return self.volume

    @property
    def query(self) -> QueryParams:
        """The parameters of the address."""
        return self.request.query_params

    @property
    def piece(self) -> bool:
        """Whether a piece of another page is asked for: what stands in it without all that surrounds it."""
        return "piece" in self.query

    @property
    def frame(self) -> str:
        """The template that surrounds a page."""
        return f"viewer/{'piece' if self.piece else 'base'}.html.j2"

    @property
    def navigation(self) -> list[tuple[str, str, bool]]:
        """The pages with titles: title, address, and whether it is this one."""
        run = f"/{self.volume.key}" if self.volume else ""
        found = []
        for page in self.request.app.state.pages:
            address = page.path.replace("/{run}", run)
            if page.title and (run or not page.of_run):
                found.append((page.title, address, self.request.url.path == address))
        return found

    @property
    def parameters(self) -> dict[str, str]:
        """What the path of the page stands for, by the names in braces."""
        return dict(self.request.path_params)

    def page(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A whole page, or a piece of one: the template, given these values and `visit`."""
        return HTMLResponse(self._template(template).render(visit=self, **values), status)

    def stream(self, template: str, **values: Any) -> Response:
        """The same, sent piece by piece as its iterators go on."""
        return StreamingResponse(
            _pieces(self._template(template).generate(visit=self, **values)), media_type="text/html"
        )

    def _template(self, name: str) -> Any:
        return TEMPLATES.get_template(f"viewer/{name}")


@dataclass(frozen=True, slots=True)
class Page:
    """A page: what answers at a path.

    A path that begins with "/{run}" is about one run, and is opened with its `volume`, which is up to date.
    A page with a `title` stands in the navigation of every page, of its run or above the runs.
    """

    path: str
    show: Callable[[Visit], Response]
    title: str = ""
    methods: tuple[str, ...] = ("GET",)

    @property
    def of_run(self) -> bool:
        """Whether it is about one run."""
        return self.path.startswith("/{run}")

    def route(self, shelf: Shelf) -> Route:
        """Its place in an application; `show` is called in a thread and may wait."""

        async def answer(request: Request) -> Response:
            posted = (await request.body()).decode("utf-8", "replace") if request.method == "POST" else ""
            form = ImmutableMultiDict(parse_qsl(posted, keep_blank_values=True))
            return await run_in_threadpool(self._answer, request, shelf, form)

        return Route(self.path, answer, methods=list(self.methods))

    def _answer(self, request: Request, shelf: Shelf, form: Form) -> Response:
        if not self.of_run:
            return self.show(Visit(request, shelf, form=form))
        volume = shelf.volume(request.path_params["run"])
        if volume is None:
            return missing(Visit(request, shelf), f"no run is called {request.path_params['run']}")
        volume.index.refresh()
        return self.show(Visit(request, shelf, volume, form))


def missing(visit: Visit, said: str) -> Response:
    """The page of what is not there."""
    return visit.page("told.html.j2", 404, heading="Not here", told=[said])


def number(given: str, least: int = 1) -> int | None:
    """The number that an address or a form gives, from `least` to 999999999; None for whatever else it is."""
    return int(given) if given.isdecimal() and len(given) <= DIGITS and int(given) >= least else None


DIGITS = 9
"""Digits of a number; one of thousands of digits takes long to read, or cannot be."""


def _pieces(pieces: Iterator[str]) -> Iterator[str]:
    """Pieces that are worth a packet of their own: up to the end of a row or of a section."""
    waiting: list[str] = []
    for piece in pieces:
        waiting.append(piece)
        if FLUSH in piece:
            yield "".join(waiting)
            waiting = []
    yield "".join(waiting)


FLUSH = "<!---->"
"""Where a template is sent as far as it is ready."""
