"""Files of a run appear as a whole or not at all."""

from pathlib import Path

import pytest

from ray_jobs.store import Store


def test_what_was_written_is_read_and_listed_in_order(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "run"))
    for name in ("b", "deep/er/c", "a"):
        store.write(name, name.encode())
    assert store.names("") == ["a", "b", "deep/er/c"]
    assert store.names("deep") == ["deep/er/c"]
    assert store.read("deep/er/c") == b"deep/er/c"
    assert store.exists("a")
    assert not store.exists("deep")


def test_a_folder_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert Store(str(tmp_path / "none")).names("tables/debates") == []


def test_names_with_a_leading_dot_are_not_listed(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.write("folder/whole", b"")
    (tmp_path / "folder/.whole.12").write_bytes(b"half")
    assert store.names("") == ["folder/whole"]


def test_a_write_that_breaks_off_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(tmp_path))
    store.write("file", b"before")

    def no_space(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", no_space)
    with pytest.raises(OSError, match="No space"):
        store.write("file", b"after")
    with pytest.raises(OSError, match="No space"):
        store.write("new", b"new")
    assert store.names("") == ["file"]
    assert store.read("file") == b"before"


def test_a_file_is_written_over_and_deleted(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.write("file", b"one")
    store.write("file", b"two")
    assert store.read("file") == b"two"
    store.delete("file")
    assert store.names("") == []
    assert list(tmp_path.rglob("*")) == [tmp_path / ".unfinished"]


def test_a_uri_is_a_store_too(tmp_path: Path) -> None:
    store = Store(f"file://{tmp_path}/run")
    store.write("tables/x", b"x")
    assert (tmp_path / "run/tables/x").read_bytes() == b"x"
    assert store.names("tables") == ["tables/x"]


def test_empty_folders_are_removed_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "log/one/deeper").mkdir(parents=True)
    (tmp_path / "log/two").mkdir()
    (tmp_path / "log/two/kept.arrow").write_bytes(b"")
    (tmp_path / "other").mkdir()
    Store(str(tmp_path)).remove_empty("log")
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")) == [
        "log",
        "log/two",
        "log/two/kept.arrow",
        "other",
    ]
