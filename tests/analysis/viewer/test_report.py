"""The report in the viewer: the file of the run, its numbers leading to the debates they are of."""

import html
import re
from pathlib import Path

import pytest

from analysis.report.page import write
from analysis.viewer.measures import sections
from tests.analysis.report.test_page import HOSTILE, document
from tests.analysis.viewer.client import client
from tests.analysis.viewer.played import asked, moral

pytestmark = pytest.mark.long


def listed(page: str) -> int:
    """How many debates a list has."""
    said = re.sub(r"\s+", " ", page)
    found = re.search(r"of ([\d,]+) debates", said)
    return int(found[1].replace(",", "")) if found else 0


@pytest.mark.parametrize("make", [moral, asked])
def test_the_debates_behind_a_number_are_as_many_as_it_rests_on(tmp_path: Path, make: object) -> None:
    run = make(tmp_path / "run")  # type: ignore[operator]
    viewer, checked = client([run]), 0
    for exhibit in (each for section in sections(str(run)) for each in section.exhibits):
        for table in exhibit.tables:
            for row in (row for group in table.groups for row in group.rows):
                for address in {cell.behind for cell in row if cell.behind}:
                    found = listed(viewer.get(f"/run/debates{address}").text)
                    assert found > 0, (table.name, address)
                    if table.name == "verdicts":
                        assert found == int(row[list(table.heads).index("n")].said)
                    checked += 1
    assert checked > 10 or make is asked


def test_measures_in_the_viewer_are_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from analysis.viewer.measured import Found

    run = moral(tmp_path / "run", cases=2)
    counted = Found(True, sections(str(run)))
    monkeypatch.setattr("analysis.viewer.overview.measured", lambda *_: counted)
    said = client([run]).get("/run/measures?piece=1").text
    links = re.findall(r'<a href="(/run/debates\?stage=debate[^"]*)">[\d.]+</a>', said)
    assert len(links) > 10
    assert listed(client([run]).get(html.unescape(links[0])).text) > 0


def test_the_file_is_shown_with_the_style_of_the_package_and_its_files_are_kept(tmp_path: Path) -> None:
    run = moral(tmp_path / "run", cases=2)
    viewer = client([run])
    assert "has not been written yet: " in viewer.get("/run/report").text
    write(document(HOSTILE), run / "report.html")
    said = viewer.get("/run/report").text
    assert "<style>" not in said.partition("<body>")[0]
    assert '<link rel="stylesheet" href="/run/report.css">' in said
    assert "<script" not in said
    assert ".kicker" in viewer.get("/run/report.css").text
    kept = viewer.get("/run/report/tables/shares.csv")
    assert kept.content == (run / "report" / "tables" / "shares.csv").read_bytes()
    assert kept.headers["content-disposition"] == 'attachment; filename="shares.csv"'


def test_a_report_that_somebody_else_wrote_can_do_nothing(tmp_path: Path) -> None:
    run = moral(tmp_path / "run", cases=2)
    cells = (
        '<td data-behind="?a=&quot;b">12</td><td data-behind="javascript:x">3</td><td data-behind="?c">–</td>'
    )
    (run / "report.html").write_text(f"<header></header><script>x</script>{cells}")
    answer = client([run]).get("/run/report")
    policy = answer.headers["content-security-policy"]
    assert policy.endswith("; sandbox allow-same-origin allow-downloads")
    assert "script-src 'self'" in policy
    assert re.findall('<a href="([^"]*debates[^"]*)">', answer.text) == ["/run/debates?a=&quot;b"]


@pytest.mark.parametrize(
    "path", ["tables/../../claims", "tables/%2e%2e%2fx.csv", "tables/x.html", "other/x.csv", "tables/.csv"]
)
def test_no_other_file_is(tmp_path: Path, path: str) -> None:
    run = moral(tmp_path / "run", cases=2)
    write(document(), run / "report.html")
    (run / "report" / "tables" / "x.html").write_text("x")
    (run / "report" / "x.csv").write_text("x")
    assert client([run]).get(f"/run/report/{path}").status_code == 404
