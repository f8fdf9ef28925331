"""The first page of a run: its design, how far it is, what was measured, what was lost, what it took."""

from __future__ import annotations

from typing import Any

from starlette.responses import RedirectResponse, Response

from analysis.viewer.counts import cells, failures, readings, totals
from analysis.viewer.index import Index
from analysis.viewer.measured import measured
from analysis.viewer.pages import Page, Visit


def runs(visit: Visit) -> Response:
    """All runs of the viewer; of a single one, its overview."""
    volumes = visit.shelf.volumes
    if len(volumes) == 1:
        return RedirectResponse(f"/{volumes[0].key}", 303)
    counted = [(volume, volume.refreshed(), totals(volume.index)) for volume in volumes]
    return visit.page("runs.html.j2", counted=counted)


def overview(visit: Visit) -> Response:
    """What is known at once; progress and measures come in pieces of their own."""
    index = visit.here.index
    return visit.page("overview.html.j2", **index.kept("overview", lambda: _counted(index)))


def _counted(index: Index) -> dict[str, Any]:
    return {
        "total": totals(index),
        "cells": cells(index),
        "readings": readings(index),
        "failures": failures(index),
    }


def progress(visit: Visit) -> Response:
    """How the run stands, as a piece of the overview, or as a page of its own."""
    return visit.page("progress.html.j2", progress=visit.shelf.ask(visit.here.run))


def measures(visit: Visit) -> Response:
    """The main measures with their figures, as a piece of the overview, or as a page of its own."""
    return visit.page("measures.html.j2", found=measured(visit.here.run, visit.here.index.extent))


PAGES = (
    Page("/", runs),
    Page("/{run}", overview, "Overview"),
    Page("/{run}/progress", progress),
    Page("/{run}/measures", measures),
)
