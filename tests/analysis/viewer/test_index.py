"""The index of a run that grows, that was written twice, or that cannot all be read."""

import shutil
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis.listing import RunNotFound
from analysis.part import Part
from analysis.storage import Unreachable
from analysis.viewer import index as indexing
from analysis.viewer.app import PAGES
from analysis.viewer.index import Index
from analysis.viewer.search import Search, Searches
from analysis.viewer.shelf import RESERVED, Shelf
from tests.analysis.viewer.client import client, told
from tests.analysis.viewer.made_up import Made, case, many, write
from tests.analysis.viewer.test_debates import listed

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def always_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page looks for new parts."""
    monkeypatch.setattr(indexing, "FRESH", 0.0)


def test_a_run_that_grows_is_followed(tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "tables").mkdir(parents=True)
    asking = client([run])
    assert "No debate has ended yet." in asking.get("/run/debates").text
    write(run, [Made("one")], "a-000000", cases=[case()])
    assert listed(asking, "") == ["one"]
    write(run, [Made("two", [("ESH", "ESH")])], "b-000000")
    assert set(listed(asking, "")) == {"one", "two"}
    assert listed(asking, "change=no") == ["two"]
    assert listed(asking, "text=promised") == ["one", "two"]
    write(run, [Made("three")], "a-000001")
    assert listed(asking, "text=promised") == ["one", "two", "three"]
    assert "1–3 of 3 debates" in asking.get("/run/debates").text


def test_rows_without_a_finished_debate_are_not_shown(tmp_path: Path) -> None:
    run = write(tmp_path / "run", [Made("one"), Made("open")])
    debates = run / "tables" / "debates" / "a-000000.parquet"
    rows = pq.read_table(debates)
    pq.write_table(rows.filter(pa.array([True, False])), debates)
    asking = client([run])
    for query in ("", "change=yes", "text=promised"):
        assert listed(asking, query) == ["one"]
    assert asking.get("/run/debates/open").status_code == 404
    (run / "tables" / "debates" / ".b.parquet").write_bytes(b"being written")
    (run / ".unfinished").mkdir()
    assert listed(asking, "") == ["one"]


def test_of_a_debate_in_two_parts_the_last_one_counts(tmp_path: Path) -> None:
    run = write(tmp_path / "run", [Made("one", [("NTA", "NTA")], said="what was left over")], "a-000000")
    (run / "tables" / "debates" / "a-000000.parquet").unlink()
    write(run, [Made("one", said="what counts")], "b-000000")
    asking = client([run])
    assert listed(asking, "change=yes") == ["one"]
    page = asking.get("/run/debates/one").text
    assert "what counts" in page
    assert "left over" not in page


def test_parts_need_not_have_one_name_in_all_tables(tmp_path: Path) -> None:
    run = write(tmp_path / "run", many(3))
    for table in ("turns", "replies"):
        rows = pq.read_table(run / "tables" / table / "a-000000.parquet")
        (run / "tables" / table / "a-000000.parquet").unlink()
        for number in range(3):
            own = rows.filter(pa.compute.equal(rows["debate_id"], f"d{number:04}"))
            pq.write_table(own, run / "tables" / table / f"{9 - number}.parquet")
    asking = client([run])
    for one in many(3):
        page = asking.get(f"/run/debates/{one.id}").text
        assert "changed from" in page
        assert "seed 1002" in page


@pytest.mark.parametrize("table", ["debates", "turns", "replies", "cases"])
def test_a_part_that_is_broken_is_named_and_the_rest_is_shown(tmp_path: Path, table: str) -> None:
    run = write(tmp_path / "run", [Made("one")], "a-000000", cases=[case()])
    write(run, [Made("two", case="case2")], "b-000000", cases=[case("case2")])
    broken = run / "tables" / table / "b-000000.parquet"
    broken.write_bytes(broken.read_bytes()[:-100])
    asking = client([run])
    listed(asking, "change=yes")  # waits for the turns
    pages = [asking.get(f"/run{rest}") for rest in ("", "/debates", "/debates/one", "/debates/two")]
    assert str(broken) in pages[3].text
    assert table == "replies" or all(str(broken) in page.text for page in pages)
    assert [page.status_code for page in pages] == [200, 200, 200, 404 if table == "debates" else 200]
    assert "changed from" in pages[2].text


def test_a_part_of_another_version_is_named(tmp_path: Path) -> None:
    run = write(tmp_path / "run", [Made("one")])
    part = run / "tables" / "turns" / "a-000000.parquet"
    rows = pq.read_table(part)
    pq.write_table(rows.replace_schema_metadata({b"schema_version": b"1"}), part)
    asking = client([run])
    listed(asking, "change=yes")
    page = asking.get("/run/debates").text
    assert f"{part} has schema version 1" in page


def test_a_run_may_be_moved_before_it_is_opened_but_not_while_it_is(tmp_path: Path) -> None:
    run = write(tmp_path / "run", [Made("one")])
    shutil.move(run, tmp_path / "moved")
    asking = client([tmp_path / "moved"])
    assert "changed from" in asking.get("/moved/debates/one").text
    shutil.move(tmp_path / "moved", run)
    answer = asking.get("/moved/debates")
    assert answer.status_code == 500
    assert "is no run directory" in answer.text


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunNotFound, match="is no run directory"):
        Shelf.of([str(tmp_path)], told)


def test_several_runs_have_names_of_their_own(tmp_path: Path) -> None:
    runs = [write(tmp_path / name / "a run", [Made(name)]) for name in ("one", "two")]
    asking = client([*runs, runs[0]])
    page = asking.get("/").text
    assert 'href="/a-run"' in page
    assert 'href="/a-run~2"' in page
    assert "a-run~3" not in page
    assert "/a-run~2/debates/two" in asking.get("/a-run~2/debates").text
    assert asking.get("/a-run/debates/two").status_code == 404


def test_no_run_has_an_address_that_is_taken(tmp_path: Path) -> None:
    for name in RESERVED:
        asking = client([write(tmp_path / name, [Made("one")])])
        assert asking.get("/").headers["location"] == f"/{name}~2"
        assert asking.get(f"/{name}~2/debates").status_code == 200
    taken = {page.path.split("/")[1] for page in PAGES if not page.of_run}
    assert taken - {""} <= set(RESERVED)


def test_hits_come_before_the_search_has_come_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    for number, one in enumerate(many(4)):
        write(run, [one], f"a-{number:06}")
    index = Index(str(run))
    index.refresh()
    searches, gate = Searches(index), threading.Event()
    held = Search._of_part

    def slow(self: Search, path: str) -> Iterator[list[str]]:
        if path.endswith("a-000001.parquet"):
            assert gate.wait(30)
        return held(self, path)

    monkeypatch.setattr(Search, "_of_part", slow)
    found = searches.of("PROMISED")
    assert found is not None
    batches = found.follow()
    assert next(batches) == ["d0000"]
    assert found.going
    gate.set()
    assert [id for batch in batches for id in batch] == ["d0001", "d0002", "d0003"]
    assert found.table().to_pydict() == {"debate_id": [f"d{n:04}" for n in range(4)], "place": [0, 1, 2, 3]}


def test_turns_are_read_once_while_pages_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = write(tmp_path / "run", many(3))
    index, gate, read = Index(str(run)), threading.Event(), list[str]()
    held = Index._load

    def slow(self: Index, table: str, paths: Sequence[str], columns: Sequence[str]) -> pa.Table:
        if table == "turns":
            read.extend(paths)
            assert gate.wait(30)
        return held(self, table, paths, columns)

    monkeypatch.setattr(Index, "_load", slow)
    index.refresh()
    index.refresh()
    assert index.hearing
    assert index.rows("select distinct course from debates") == [{"course": None}]
    gate.set()
    index.hear()
    assert len(read) == 1
    assert index.rows("select distinct changed from debates") == [{"changed": 1}]


def whole(index: Index) -> None:
    """Brings the index up to date, with the verdicts of all turns."""
    index.refresh()
    index.hear()


def test_a_part_that_could_not_be_reached_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = write(tmp_path / "run", many(3))
    index, load = Index(str(run)), indexing.load
    for table in ("debates", "turns"):

        def lost(files: object, part: Part, *rest: object, table: str = table, **more: object) -> pa.Table:
            if part.table == table:
                raise Unreachable("no network")
            return load(files, part, *rest, **more)

        monkeypatch.setattr(indexing, "load", lost)
        with pytest.raises(Unreachable):
            whole(index)
    monkeypatch.setattr(indexing, "load", load)
    whole(index)
    assert index.rows("select count(*) as n, min(changed) as least from debates") == [{"n": 3, "least": 1}]
