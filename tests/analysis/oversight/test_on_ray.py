"""The same tables through Ray Data as from the rows at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
import ray

from analysis.oversight.reading import read
from tests.analysis.oversight.studies import draw

pytestmark = pytest.mark.ray


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def test_a_run_in_many_parts_is_read_as_its_rows_are(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.oversight.reading.COUNTED_HERE", 0)
    made = draw(7, 10)
    found = read(made.write(tmp_path / "run", parts=12))
    for name, rows in vars(made.tables()).items():
        pd.testing.assert_frame_equal(getattr(found, name), rows)
    assert capfd.readouterr() == ("", ""), "Ray Data keeps quiet"
