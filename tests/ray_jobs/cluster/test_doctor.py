"""`moot doctor` on this machine: what it prints, its exit code, and that it leaves nothing behind."""

from pathlib import Path

import pytest

from tests.ray_jobs.faulty import faulty
from tests.ray_jobs.moot_runs import moot, write_study

pytestmark = [pytest.mark.ray, pytest.mark.timeout(120)]


def test_a_machine_and_an_experiment_are_examined(tmp_path: Path) -> None:
    """One model answers, the other has no key: the first is well, the second is in the way."""
    with faulty({}) as url:
        far = {"backend": "openai", "model": "far", "base_url": url}
        models = {"a": {**far, "key": None}, "b": {**far, "model": "other", "key": "NO_SUCH_KEY"}}
        design = {"panels": [["a", "b"]], "protocols": ["synchronous"]}
        file = write_study(tmp_path, 2, models=models, **design)
        report = moot("doctor", file, "--out", tmp_path / "run", code=2).stdout
    rows = [line.split() for line in report.splitlines()]
    assert ["ok", "versions", "here"] in [row[:3] for row in rows]
    assert ["ok", "run", "directory"] in [row[:3] for row in rows]
    assert ["ok", "model", "'a'"] in [row[:3] for row in rows]
    assert ["fail", "model", "'b'"] in [row[:3] for row in rows]
    assert ["fail", "key", "NO_SUCH_KEY"] in [row[:3] for row in rows]
    assert "2 in the way of a run" in report
    assert not (tmp_path / "run").exists()
