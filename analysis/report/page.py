"""A document as one page of HTML that needs nothing else, and the files that lie beside it."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from analysis.csv_text import csv
from analysis.report.document import Document
from analysis.report.errors import OutError
from analysis.report.figure import STYLE
from analysis.report.latex import latex

PRINTING = ", which a browser prints as PDF"


def html(document: Document, folder: str) -> str:
    """The page. `folder` is the one that its files are in, as a link from the page."""
    pages = Environment(
        loader=PackageLoader("analysis.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    pages.filters["markup"] = Markup  # for SVG, which escapes its words itself
    pages.globals |= {"next": next, "figures": count(1), "tables": count(1), "style": Markup(STYLE)}
    return pages.get_template("page.html.j2").render(document=document, folder=folder) + "\n"


def write(document: Document, file: Path) -> int:
    """Writes the page, and beside it in a folder of its name the figures and tables; returns how many files.

    Raises `OutError` where that cannot be.
    """
    check(file)
    folder = file.with_suffix("")
    try:
        files = contents(document)
        for name, said in files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(said, "utf-8", newline="")
        file.write_text(html(document, folder.name), "utf-8")
    except OSError as error:
        raise OutError(
            f"--out: {file} and the folder {folder} cannot be written: {error.strerror or error}"
        ) from None
    return len(files)


def check(file: Path) -> None:
    """Raises `OutError` for what cannot be the file of a page."""
    if file.is_dir():
        raise OutError(f"--out: found the folder {file}; expected a file, such as {file / 'report.html'}")
    if not file.suffix:
        raise OutError(f"--out: found {file}, which has no ending; expected a file such as {file}.html")
    if file.suffix.lower() not in (".html", ".htm"):
        raise OutError(
            f"--out: found {file}; a page is HTML, expected a file such as {file.with_suffix('.html')}"
            f"{PRINTING if file.suffix.lower() == '.pdf' else ''}"
        )
    if not file.parent.is_dir():
        raise OutError(f"--out: {file} cannot be written: there is no folder {file.parent}; make it first")


def contents(document: Document) -> dict[str, str]:
    """The text of every file beside the page, by its name in the folder."""
    found: dict[str, str] = {}
    for exhibit in document.exhibits:
        for figure in exhibit.figures:
            found[f"figures/{figure.name}.svg"] = figure.file + "\n"
            found[f"figures/{figure.name}.csv"] = csv(figure.data)
        for table in exhibit.tables:
            found[f"tables/{table.name}.csv"] = csv(table.data)
            found[f"tables/{table.name}.tex"] = latex(table)
    return found
