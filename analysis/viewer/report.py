"""The report of a run that `moot report` has written, with its numbers as links to the debates behind them.

The page is the file as it lies in the run, but for three things: the style is taken from the package, as no
page of the viewer may bring its own; the cells that name the filters of their debates become links; and a
link leads back. Whoever made the run may have written whatever they liked into the file: it stands in a
sandbox, where nothing runs, loads, is sent, or goes elsewhere by itself.
"""

from __future__ import annotations

import re
from importlib.resources import files

from markupsafe import escape
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from analysis.viewer.guard import POLICY
from analysis.viewer.index import Index
from analysis.viewer.pages import Page, Visit, missing

KINDS = {"figures": ("svg", "csv"), "tables": ("csv", "tex")}
"""The folders of the files beside a report, and the endings of the files in each."""

SANDBOX = {"Content-Security-Policy": f"{POLICY}; sandbox allow-same-origin allow-downloads"}
"""The origin stays, as the cookie of the viewer does not go along with links from elsewhere."""

_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_BEHIND = re.compile(r'(<td[^<>]* data-behind="(\?[^"<>]*)">)([^<]*\d[^<]*)')
_NAME = re.compile(r"[A-Za-z0-9_-]+\.[a-z]+")

HEAD = """\
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/figure.css">
<link rel="stylesheet" href="/{run}/report.css">"""
BACK = (
    '<p class="kicker"><a href="/{run}">{run} in the viewer</a>: numbers lead to the debates behind them</p>'
)


def report(visit: Visit) -> Response:
    """The page; where there is none, how to have it."""
    found = _file(visit.here.index, "report.html")
    if found is None:
        told = [f"The report of this run has not been written yet: moot report {visit.here.run}"]
        return visit.page("told.html.j2", heading="Report", told=told)
    run = escape(visit.here.key)
    page = _STYLE.sub(lambda _: HEAD.format(run=run), found.decode("utf-8", "replace"), count=1)
    page = page.replace("<header>", f"<header>\n{BACK.format(run=run)}", 1)
    linked = _BEHIND.sub(lambda cell: f'{cell[1]}<a href="/{run}/debates{cell[2]}">{cell[3]}</a>', page)
    return HTMLResponse(linked, headers=SANDBOX)


def beside(visit: Visit) -> Response:
    """A figure or a table of the report, to be kept."""
    kind, name = visit.parameters["kind"], visit.parameters["name"]
    ending = name.rpartition(".")[2]
    known = _NAME.fullmatch(name) and ending in KINDS.get(kind, ())
    found = _file(visit.here.index, f"report/{kind}/{name}") if known else None
    if found is None:
        return missing(visit, f"the report has no file {kind}/{name}")
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(found, media_type="application/octet-stream", headers=headers)


def style(_: Visit) -> Response:
    """The style of reports."""
    own = files("analysis.report").joinpath("templates/page.css").read_text("utf-8")
    return PlainTextResponse(own, media_type="text/css")


def _file(index: Index, name: str) -> bytes | None:
    """A file of the run; None for none."""
    try:
        with index.files.open_input_file(f"{index.root}/{name}") as source:
            content: bytes = source.readall()
            return content
    except FileNotFoundError:
        return None


PAGES = (
    Page("/{run}/report", report, "Report"),
    Page("/{run}/report.css", style),
    Page("/{run}/report/{kind}/{name}", beside),
)
