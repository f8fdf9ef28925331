"""A folder appears whole, or not at all."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from ray_jobs.located import ExperimentError
from ray_jobs.whole_folder import whole_folder


def write(folder: Path) -> None:
    (folder / "file").write_text("all")


@pytest.mark.parametrize("there", [False, True])
def test_it_appears_at_the_end(tmp_path: Path, there: bool) -> None:
    out = tmp_path / "a" / "b"
    if there:
        out.mkdir(parents=True)
    with whole_folder(out) as folder:
        write(folder)
        assert there == out.exists()
    assert (out / "file").read_text() == "all"
    assert [path.name for path in out.parent.iterdir()] == ["b"]
    assert out.stat().st_mode & 0o777 == 0o755


def test_it_may_be_where_a_link_leads(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "out").symlink_to("disk")
    with whole_folder(tmp_path / "out") as folder:
        write(folder)
    assert (tmp_path / "disk" / "file").read_text() == "all"
    assert (tmp_path / "out").is_symlink()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ExperimentError("no"), ExperimentError),
        (OSError(errno.ENOSPC, "No space left on device"), ExperimentError),
        (OSError(errno.EIO, "Input/output error"), OSError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
)
def test_nothing_is_left_of_what_was_not_ended(
    tmp_path: Path, error: BaseException, told: type[BaseException]
) -> None:
    def broken() -> None:
        with whole_folder(tmp_path / "out") as folder:
            write(folder)
            raise error

    with pytest.raises(told):
        broken()
    assert not list(tmp_path.iterdir())


def test_of_two_at_once_the_first_to_end_stays(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def both() -> None:
        with whole_folder(out) as second:
            write(second)
            with whole_folder(out) as first:
                (first / "file").write_text("first")

    with pytest.raises(ExperimentError, match="found something there"):
        both()
    assert (out / "file").read_text() == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("kind", ["file", "full", "dead"])
def test_what_is_in_use_is_refused(tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    (tmp_path / "dead").symlink_to("nowhere")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ExperimentError, match=f"--out .*{kind}: found"), whole_folder(tmp_path / kind):
        pytest.fail("was begun")
    assert sorted(tmp_path.rglob("*")) == before
