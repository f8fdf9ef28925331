"""docs/run.ipynb: how it is executed, and what it puts out.

It is executed and written anew by `python -m tests.docs.notebook`.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.analysis.causal.played import run_with_arms

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "run.ipynb"
CASES = 60

NUMBER = re.compile(r"(?<![\w#])-?\d+\.?\d*(?:e-?\d+)?")


def executed(page: NotebookNode, folder: Path) -> NotebookNode:
    """The notebook executed in a folder in which `RUN` is a small run of simulated agents.

    Without notices on standard error, which depend on what else is installed.
    """
    run_with_arms(folder / "RUN", CASES)
    place = {"metadata": {"path": str(folder)}}
    NotebookClient(page, timeout=100, kernel_name="python3", resources=place).execute()
    for cell in page.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [out for out in cell.outputs if out.get("name") != "stderr"]
    return page


def outputs(page: NotebookNode) -> list[tuple[str, str]]:
    """What the cells have put out: its kind, and what it says."""
    found: list[tuple[str, str]] = []
    for cell in page.cells:
        for out in cell.get("outputs", []):
            said = {"stream": out.get("text")} if out.output_type == "stream" else dict(out.get("data", {}))
            found += [(kind, "".join(text)) for kind, text in sorted(said.items())]
    return found


def without_numbers(text: str) -> str:
    return NUMBER.sub("#", text)


def numbers(text: str) -> list[float]:
    return [float(one) for one in NUMBER.findall(text)]


def main() -> None:
    page = nbformat.read(PAGE, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        executed(page, Path(folder))
    nbformat.write(page, PAGE)


if __name__ == "__main__":
    main()
