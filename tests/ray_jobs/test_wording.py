"""`prompts: FOLDER` takes sections by file name and refuses what is none."""

from pathlib import Path

import pytest

from ray_jobs.located import ExperimentError
from ray_jobs.wording import read_prompts


def test_each_text_file_replaces_the_section_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "heard.txt").write_text("\ufeff$label: $shown\n", "utf-8")
    (tmp_path / "goals_none.txt").write_text("")
    (tmp_path / "notes.md").write_text("passed over")
    assert read_prompts(tmp_path) == {"goals_none": "", "heard": "$label: $shown"}


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "herd.txt",
            b"x",
            ["herd.txt: found a file that is no", "did you mean 'heard.txt'?"],
        ),
        ("task.txt", b"$who", ["task.txt: prompt section 'task': it uses $who"]),
        ("task.txt", b"costs 5 $ ", ["task.txt: prompt section 'task'", "$$"]),
        ("task.txt", b"\xff", ["task.txt: found the byte 0xff; allowed: text in UTF-8"]),
        ("notes.md", b"x", ["found no text file; allowed: argue_first.txt, argue_heard.txt"]),
    ],
)
def test_no_section_is_refused(tmp_path: Path, name: str, content: bytes, expected: list[str]) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ExperimentError) as refused:
        read_prompts(tmp_path)
    for part in [str(tmp_path), *expected]:
        assert part in str(refused.value)
