"""Fewer draws: what these tests state holds for any number of them."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("analysis.bootstrap", "analysis.values.means", "analysis.values.noise"):
        monkeypatch.setattr(f"{place}.DRAWS", 300)
