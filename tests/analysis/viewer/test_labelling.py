"""Labelling by hand as the server has it: who may write, what may be written, and where."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from analysis.by_hand.drawing import SheetError
from analysis.by_hand.sheet import Sheet, listed_beside
from analysis.viewer import sheets
from analysis.viewer.index import Index
from protocols.values import VALUES_48, read_taxonomy
from tests.analysis.viewer.client import BASE, client
from tests.analysis.viewer.played import moral

pytestmark = pytest.mark.long

NAMES = [value.name for value in VALUES_48]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return moral(tmp_path_factory.mktemp("labelled") / "run", cases=3)


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """The run, with sheets of its own."""
    (tmp_path / "run").mkdir()
    for name in ("tables", "values", "claims"):
        (tmp_path / "run" / name).symlink_to(played / name)
    return tmp_path / "run"


@pytest.fixture
def viewer(run: Path) -> TestClient:
    return client([run])


def post(viewer: TestClient, path: str, origin: str | None = BASE, **form: object) -> int:
    headers = {"origin": origin} if origin else {}
    return viewer.post(path, data=form, headers=headers).status_code


def begun(viewer: TestClient, person: str = "ann", sample: int = 3) -> int:
    return post(viewer, "/run/label", person=person, sample=sample, seed=0, values=0)


def test_a_sheet_is_that_of_the_command(viewer: TestClient, run: Path) -> None:
    from typer.testing import CliRunner

    from ray_jobs.cli import app

    assert begun(viewer) == 303
    own = run / "sheets" / "ann.csv"
    written = run / "s.csv"
    words = ["label", str(run), "--sheet", str(written), "--sample", "3", "--seed", "0"]
    assert CliRunner().invoke(app, words).exit_code == 0
    assert own.read_bytes() == written.read_bytes()
    assert listed_beside(own).read_bytes() == listed_beside(written).read_bytes()


def test_only_a_page_of_the_viewer_can_write(viewer: TestClient, run: Path) -> None:
    for origin in (None, "null", "http://127.0.0.1:1", "http://elsewhere.example"):
        assert post(viewer, "/run/label", origin, person="ann", sample=3, seed=0, values=0) == 403
    assert not (run / "sheets").exists()
    assert client([run], known=False).post("/run/label", headers={"origin": BASE}).status_code == 403
    assert viewer.get("/run/label/ann/1").status_code == 404


@pytest.mark.parametrize(
    "ticked",
    [[], ["Candour"], [*NAMES[:6]], ["none", NAMES[0]], ["<script>"]],
    ids=["", "unknown", "6", "both", "x"],
)
def test_what_may_not_be_ticked_is_told_and_not_kept(
    viewer: TestClient, run: Path, ticked: list[str]
) -> None:
    begun(viewer)
    sheet = Sheet.of(run / "sheets" / "ann.csv")
    assert post(viewer, "/run/label/ann/1", id=sheet.rows[0]["id"], value=ticked) == 422
    assert Sheet.of(run / "sheets" / "ann.csv") == sheet


def test_an_answer_goes_to_its_explanation_also_where_the_sheet_was_sorted_meanwhile(
    viewer: TestClient, run: Path
) -> None:
    begun(viewer)
    file = run / "sheets" / "ann.csv"
    sheet = Sheet.of(file)
    Sheet(sheet.columns, sheet.rows[::-1]).write(file)
    assert post(viewer, "/run/label/ann/1", id=sheet.rows[0]["id"], value=NAMES[:2]) == 303
    found = Sheet.of(file)
    assert found.rows[2]["id"] == sheet.rows[0]["id"]
    assert [found.given(place) for place in range(3)] == [[], [], NAMES[:2]]
    assert post(viewer, "/run/label/ann/1", id="t0", value=NAMES[:2]) == 404


@pytest.mark.parametrize(
    ("person", "sample", "says"),
    [
        ("../ann", 3, "allowed: letters"),
        ("", 3, "allowed: letters"),
        ("a", 3, "a model of the run"),
        ("ann", 0, "allowed: 1 to 2,000"),
        ("ann", 2001, "allowed: 1 to 2,000"),
        ("ann", 1999, "--sample: found 1999; allowed: at most"),
        ("bob", 3, "whose sheet is there already"),
    ],
)
def test_what_can_be_no_sheet_is_told(
    viewer: TestClient, run: Path, person: str, sample: int, says: str
) -> None:
    begun(viewer, "bob")
    before = sorted(path.name for path in (run / "sheets").iterdir())
    answer = viewer.post(
        "/run/label",
        data={"person": person, "sample": sample, "seed": 0, "values": 0},
        headers={"origin": BASE},
    )
    assert (answer.status_code, says in answer.text) == (422, True)
    assert sorted(path.name for path in (run / "sheets").iterdir()) == before


def test_the_list_of_a_judge_comes_first_and_each_once(run: Path) -> None:
    own = "value,definition\nCandour,One says what is so.\n"
    (run / "judgments" / "strict").mkdir(parents=True)
    (run / "judgments" / "strict" / "values.csv").write_text(own)
    found = sheets.lists(Index(str(run)))
    assert [each.name for each in found] == ["as in stage values", "as in labels strict"]
    assert found[1].values == read_taxonomy(own, "v")


def test_agreement_waits_for_the_end(viewer: TestClient, run: Path) -> None:
    begun(viewer, sample=2)
    rows = Sheet.of(run / "sheets" / "ann.csv").rows
    post(viewer, "/run/label/ann/1", id=rows[0]["id"], value=NAMES[:1])
    assert "lest it sway you" in viewer.get("/run/label/ann").text
    assert "kappa of all cells" in viewer.get("/run/label/ann?now=1").text
    answer = viewer.post(
        "/run/label/ann/2", data={"id": rows[1]["id"], "value": "none"}, headers={"origin": BASE}
    )
    assert answer.headers["location"] == "/run/label/ann"
    assert "kappa of all cells" in viewer.get("/run/label/ann").text


def test_a_run_elsewhere_is_told_to_be_labelled_on_a_sheet(
    monkeypatch: pytest.MonkeyPatch, run: Path
) -> None:
    index = Index(str(run))
    monkeypatch.setattr(index, "files", object())
    with pytest.raises(SheetError, match="is not on this machine, and sheets are files: write one with moot"):
        sheets.folder(index)
