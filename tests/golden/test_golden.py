"""The golden files are what the protocols do, word for word.

After a change that is meant: `MOOT_GOLDEN=write pytest tests/golden`, then read the diff.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.golden.all_files import all_files
from tests.golden.oversight import JUDGED, STUDIES
from tests.golden.views import VIEWS
from tests.golden.what_followed import ONWARD, SEES
from tests.golden.who_saw_what import DEBATES, SIZES, STEERINGS
from tests.protocols.panels import case, played

HERE = Path(__file__).parent
NAMES = [f"{protocol}_{n}.txt" for protocol in DEBATES for n in SIZES]
NAMES += [f"judge_{sees}.txt" for sees in SEES]
NAMES += ["labels.txt"]
NAMES += [f"onward_{protocol}.txt" for protocol in ONWARD]
NAMES += [f"{name}.txt" for name in (*STUDIES, *JUDGED, *VIEWS)]
HOW = "if this is meant, run MOOT_GOLDEN=write pytest tests/golden and read the diff"


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    """The golden texts as they come out now; written, and stale ones removed, when that is asked for."""
    texts = all_files()
    if os.environ.get("MOOT_GOLDEN") == "write":
        for stale in HERE.glob("*.txt"):
            stale.unlink()
        for name, text in texts.items():
            (HERE / name).write_text(text, "utf-8")
    return texts


def test_the_set_of_files_is_complete(files: dict[str, str]) -> None:
    assert {path.name for path in HERE.glob("*.txt")} == set(files) == set(NAMES), HOW


@pytest.mark.parametrize("name", NAMES)
def test_who_saw_what(files: dict[str, str], name: str) -> None:
    assert files[name] == (HERE / name).read_text("utf-8"), HOW


@pytest.mark.parametrize("steering", STEERINGS)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("protocol", DEBATES)
def test_steering_reaches_the_system_prompt_alone(protocol: str, n: int, steering: str) -> None:
    """So one golden file speaks for all variants: what follows the system prompt is the same."""
    default, steered = (played(protocol, case(protocol, n, steering=name)) for name in ("default", steering))
    assert [ask.messages[1:] for ask in steered.asks] == [ask.messages[1:] for ask in default.asks]
    assert steered.outcome == default.outcome
