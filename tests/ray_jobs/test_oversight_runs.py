"""A study of oversight on Ray, killed in the middle: nothing is lost, and no reply is asked for twice."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ray_jobs.store import Store
from tests.ray_jobs.moot_runs import (
    check_as_played_here,
    kill_group,
    moot,
    start,
    table,
    wait_until,
    write_study,
)

pytestmark = [pytest.mark.ray, pytest.mark.fault, pytest.mark.timeout(240)]

OPTIONS = ["one", "two", "three", "four"]
STAGES: list[dict[str, Any]] = [
    {"name": "naive", "judges": {"models": ["strong", "weak"], "sees": "nothing"}},
    {
        "name": "argued",
        "keep": "one_right",
        "stance_swap": "crossed",
        "protocols": [
            "consultancy",
            "double_consultancy",
            {"debate": {"form": "alternating", "best_of_n": {"n": 2}}},
            {"disagreement_resolution": {"critiqued": {"critic": "weak"}}},
        ],
    },
    {"name": "judged", "from": "argued", "judges": {"models": ["strong", "weak"], "answer": "json"}},
]


def test_a_study_that_was_killed_ends_as_one_that_was_not(tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    rows = [
        {"id": f"q{n}", "text": f"Question {n}?", "options": OPTIONS, "truth": OPTIONS[n % 4]}
        for n in range(12)
    ]
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows))
    models = {
        name: {
            "backend": "simulated",
            "latency": 0.3,
            "in_flight": 6,
            "oversight": {"knows": str(questions), "right": right},
        }
        for name, right in (("a", 0.7), ("b", 0.5), ("strong", 0.5), ("weak", 0.3))
    }
    design = {"panels": [["a", "b"]], "protocols": ["solo"], "stages": STAGES, "seed": 4}
    file = write_study(tmp_path, 1, models=models, **(design | {"cases": {"file": str(questions)}}))
    run = tmp_path / "run"
    playing = start("run", file, "--out", run)
    log = Store(str(run))
    try:
        wait_until(lambda: sum(map(len, map(log.read, log.names("log")))) > 20_000, lambda: "nothing is said")
    finally:
        kill_group(playing)
    moot("run", file, "--out", run)
    check_as_played_here(run, file)
    claims = Counter(row["claim"] for row in table(run, "replies"))
    assert len(claims) == 2
    assert {row["stage"] for row in table(run, "judgments")} == {"naive", "judged"}
