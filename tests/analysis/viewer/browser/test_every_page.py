"""Every page of the viewer, narrow and wide, light and dark: readable, named, no wider than the window."""

from pathlib import Path

import pytest

from analysis.viewer import sheets
from analysis.viewer.cells import all_cells
from analysis.viewer.index import Index
from analysis.viewer.shelf import Shelf
from tests.analysis.viewer.browser.conftest import Look, Viewer
from tests.analysis.viewer.client import told

pytestmark = pytest.mark.browser

ACCESS = Path(__file__).with_name("access.js").read_text("utf-8")
LIGHT, DARK, NARROW, NARROW_DARK = (1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")
WINDOWS = [
    *(("ladders", *window) for window in (LIGHT, DARK, NARROW, NARROW_DARK)),
    *(("questions", *window) for window in (LIGHT, NARROW_DARK)),
    *(("hostile", *window) for window in (DARK, NARROW)),
]


def pages(viewer: Viewer, run: str) -> list[str]:
    """Addresses of one page of each kind, of a run."""
    index = Index(str(viewer.folder / run))
    index.refresh()
    index.hear()
    if not (viewer.folder / run / "sheets" / "zoe.csv").exists():
        sheets.begin(index, "zoe", 2, 1, sheets.lists(index)[0])
        sheet, values = sheets.read(index, "zoe")
        sheets.label(index, "zoe", sheet.rows[0]["id"], [values[0].name])
    cells = [cell.key for cell in all_cells(Shelf.of([index.run], told))]
    most = "select debate_id from debates where outcome <> 'judgment' order by rounds desc, debate_id limit 2"
    one, other = (row["debate_id"] for row in index.rows(most))
    debate = f"/{run}/debates/{one}"
    return [
        *(f"/{run}", f"/{run}/progress", f"/{run}/debates", f"/{run}/debates?text=the&change=yes"),
        *(debate, f"{debate}?beside={other}", f"{debate}/turns/1/seat1"),
        *("/", "/compare", f"/compare?a={cells[0]}&b={cells[1]}"),
        *(f"/{run}/label", f"/{run}/label/zoe/2", f"/{run}/label/zoe?now=1"),
        f"/{run}/report",
    ]


@pytest.mark.parametrize(("run", "width", "scheme"), WINDOWS)
def test_pages_can_be_read(look: Look, viewer: Viewer, run: str, width: int, scheme: str) -> None:
    first, *others = pages(viewer, run)
    page = look(first, width=width, scheme=scheme)
    for path in (first, *others):
        look.go(page, path)
        found = page.evaluate(ACCESS)
        assert found == {"pale": [], "nameless": [], "wide": 0, "headings": []}, path


def test_the_check_can_fail(look: Look) -> None:
    page = look("/ladders/debates")
    page.evaluate(
        "document.querySelector('main').innerHTML = '<p class=ghost>pale</p><button></button><input><i>x</i>'"
    )
    page.evaluate("document.querySelector('main').style.width = '3000px'")
    page.evaluate("document.querySelector('.ghost').style.color = '#ccc'")
    found = page.evaluate(ACCESS)
    assert len(found["nameless"]) == 2
    assert [said.split(":")[0] for said in found["pale"]] == ["P.ghost"]
    assert found["wide"] > 0
    assert found["headings"] == ["no heading"]
