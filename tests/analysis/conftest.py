"""For tests of analysis: fewer draws, where not the draws themselves are tested."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def few_draws(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the draws: which draws an interval is of is no matter of the laws tested."""
    of_draws = request.path.name in ("test_bootstrap.py", "test_estimates.py")
    monkeypatch.setattr("analysis.bootstrap.DRAWS", 10_000 if of_draws else 1000)
