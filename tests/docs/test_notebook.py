"""The notebook of the documentation runs, and what is stored in it is what it puts out."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest

from tests.docs.notebook import PAGE, ROOT, executed, numbers, outputs, without_numbers

pytestmark = pytest.mark.long


def test_stored_outputs_are_those_of_this_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the digits that may differ between machines."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    page = nbformat.read(PAGE, as_version=4)
    stored = outputs(page)
    found = outputs(executed(page, tmp_path))
    assert [kind for kind, _ in found] == [kind for kind, _ in stored]
    for (kind, said), (_, was) in zip(found, stored, strict=True):
        assert without_numbers(said).split() == without_numbers(was).split(), kind
        assert numbers(said) == pytest.approx(numbers(was), rel=0.02, abs=0.02), kind
    assert [kind for kind, _ in stored].count("image/svg+xml") == 3


def test_figures_take_five_lines() -> None:
    first = next(cell for cell in nbformat.read(PAGE, as_version=4).cells if cell.cell_type == "code")
    assert len([line for line in first.source.splitlines() if line]) <= 5
