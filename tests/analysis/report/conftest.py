"""Intervals of few draws: what a page shows does not depend on how many there are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from analysis import bootstrap


@pytest.fixture(scope="session", autouse=True)
def _few_draws() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "DRAWS", 100)
        yield
