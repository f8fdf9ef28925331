"""Labelling by hand: one explanation at a time and the list of values, blind to all else of the debate."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from starlette.responses import RedirectResponse, Response

from analysis.by_hand.drawing import SheetError
from analysis.by_hand.sheet import listed_beside
from analysis.viewer import sheets
from analysis.viewer.index import Index, Row
from analysis.viewer.pages import Page, Visit, missing, number
from protocols.values import MOST_VALUES, NONE, VALUES_48, Value, normal, write_taxonomy

USUAL = 50
"""Explanations that the form proposes for a sheet."""

MEASURES = {
    "exact": "share of equal labels",
    "jaccard": "mean Jaccard",
    "macro kappa": "mean kappa of values",
    "pooled kappa": "kappa of all cells",
    "alpha jaccard": "Krippendorff's alpha, Jaccard",
    "alpha masi": "Krippendorff's alpha, MASI",
}


def overview(visit: Visit) -> Response:
    """The sheets that there are, and a form for a new one; or, sent with the form, a new one."""
    problem = ""
    if visit.request.method == "POST":
        try:
            return _begun(visit)
        except SheetError as error:
            problem = str(error)
    try:
        begun = sheets.begun(visit.here.index)
    except SheetError as error:
        return visit.page("told.html.j2", heading="Labelling by hand", told=[str(error)])
    lists = sheets.lists(visit.here.index)
    given = {"person": "", "sample": str(USUAL), "seed": "0", **dict(visit.form)}
    values = {"begun": begun, "lists": lists, "given": given, "problem": problem, "most": sheets.MOST}
    return visit.page("labelling.html.j2", 422 if problem else 200, **values)


def one(visit: Visit) -> Response:
    """One explanation with the list of values; or, sent with the form, what was found is kept."""
    index, person = visit.here.index, visit.parameters["person"]
    place, problem = (number(visit.parameters["place"]) or 0) - 1, ""
    try:
        sheet, values = sheets.read(index, person)
        if not 0 <= place < len(sheet.rows):
            return missing(visit, f"the sheet of {person} has {len(sheet.rows)} explanations")
        if visit.request.method == "POST":
            problem = _problem(visit, values)
            if not problem:
                return _kept(visit, place, values)
    except SheetError as error:
        return missing(visit, str(error))
    ticked = visit.form.getlist("value") if problem else sheet.given(place)
    return visit.page(
        "explanation.html.j2",
        422 if problem else 200,
        person=person,
        place=place,
        sheet=sheet,
        values=values,
        ticked={normal(value) for value in ticked},
        normal=normal,
        nothing=NONE,
        most=MOST_VALUES,
        problem=problem,
    )


def end(visit: Visit) -> Response:
    """How far a sheet is, and how to read it back; agreement once all is labelled, or where asked for."""
    index, person = visit.here.index, visit.parameters["person"]
    try:
        sheet, values = sheets.read(index, person)
    except SheetError as error:
        return missing(visit, str(error))
    labelled = len(sheet.rows) - len(sheet.open)
    shown = bool(labelled) and (not sheet.open or "now" in visit.query)
    found, lacks = _agreement(index, person, values) if shown else ([], "")
    return visit.page(
        "labelled.html.j2",
        person=person,
        sheet=sheet,
        labelled=labelled,
        shown=shown,
        found=found,
        lacks=lacks,
        measures=MEASURES,
        command=_command(index, person, values),
    )


def _begun(visit: Visit) -> Response:
    """A new sheet, as the form says. Raises `SheetError` for what is not allowed in it."""
    form, index = visit.form, visit.here.index
    numbers = {"Explanations": form.get("sample", ""), "Seed": form.get("seed", "")}
    for name, given in numbers.items():
        if number(given, least=0) is None:
            raise SheetError(f"{name}: found “{given}”; allowed: a number from 0 to 999999999")
    lists, chosen = sheets.lists(index), number(form.get("values", "0"), least=0)
    if chosen is None or chosen >= len(lists):
        raise SheetError(f"Values: found “{form['values']}”; allowed: one of the lists below")
    person, (sample, seed) = form.get("person", "").strip(), map(int, numbers.values())
    sheets.begin(index, person, sample, seed, lists[chosen])
    return RedirectResponse(f"/{visit.here.key}/label/{person}/1", 303)


def _kept(visit: Visit, place: int, values: Sequence[Value]) -> Response:
    """Writes what was found, and goes on to the next explanation that is open, or to the end."""
    given, form = {normal(value) for value in visit.form.getlist("value")}, visit.form
    names = None if "clear" in form else [value.name for value in values if normal(value.name) in given]
    person = visit.parameters["person"]
    sheet = sheets.label(visit.here.index, person, form.get("id", ""), names)
    following = [*(at for at in sheet.open if at > place), *sheet.open]
    address = f"/{visit.here.key}/label/{person}"
    return RedirectResponse(f"{address}/{following[0] + 1}" if following else address, 303)


def _problem(visit: Visit, values: Sequence[Value]) -> str:
    """What is wrong with what was ticked."""
    given = visit.form.getlist("value")
    known = {normal(value.name) for value in values} | {NONE}
    if "clear" in visit.form:
        return ""
    if not given:
        return f"Nothing is ticked; tick up to {MOST_VALUES} values, or that none applies."
    if strange := [value for value in given if normal(value) not in known]:
        return f"Found “{strange[0]}”, which is not in the list."
    if NONE in map(normal, given) and len(given) > 1:
        return "That none applies is ticked beside values; tick one or the other."
    if len(given) > MOST_VALUES:
        return f"{len(given)} values are ticked; allowed: up to {MOST_VALUES}."
    return ""


def _agreement(index: Index, person: str, values: Sequence[Value]) -> tuple[list[Row], str]:
    """How the sheet agrees with each judge, or why that cannot be told."""
    from analysis.by_hand.agreement import NothingToCompare, agreement
    from analysis.by_hand.rows import sheet_rows
    from analysis.values.taxonomy import Taxonomy

    rows = sheet_rows(sheets.sheet_file(index, person), values)
    if rows.wrong:
        return [], rows.wrong[0]
    taxonomy = Taxonomy(tuple(value.name for value in values), tuple(value.group for value in values))
    try:
        found = agreement(index.run, rows.labels, taxonomy, person)
    except NothingToCompare as lacks:
        return [], str(lacks)
    return [{str(name): value for name, value in row.items()} for row in found.to_dict("records")], ""


def _command(index: Index, person: str, values: Sequence[Value]) -> str:
    """The command that reads the sheet back."""
    file = sheets.sheet_file(index, person)
    words = ["moot", "label", index.run, "--read", str(file), "--judge", person]
    own = write_taxonomy(values) != write_taxonomy(VALUES_48)
    return shlex.join([*words, *(["--values", str(listed_beside(file))] if own else [])])


PAGES = (
    Page("/{run}/label", overview, "Label", ("GET", "POST")),
    Page("/{run}/label/{person}", end),
    Page("/{run}/label/{person}/{place}", one, methods=("GET", "POST")),
)
