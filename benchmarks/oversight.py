"""A study of oversight at its full size: 2,000 questions, four protocols, two judges, simulated agents."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from analysis.oversight.catalogue import oversight_measures
from benchmarks.machine import machine
from benchmarks.run import play, replies
from benchmarks.study import write

QUESTIONS = 2_000
OPTIONS = ("one", "another", "a third", "none of these")
GOAL = 300  # seconds


def write_study(folder: Path, questions: int = QUESTIONS) -> Path:
    """Writes the questions and the experiment; returns its file."""
    file = folder / "questions.jsonl"
    rows = (
        {"id": f"q{n}", "text": f"Question {n}?", "options": OPTIONS, "truth": OPTIONS[n % len(OPTIONS)]}
        for n in range(questions)
    )
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    models = {
        name: {"backend": "simulated", "oversight": {"knows": str(file), "right": right}}
        for name, right in (("a", 0.6), ("b", 0.6), ("strong", 0.5), ("weak", 0.3))
    }
    argued: dict[str, object] = {"name": "argued", "keep": "one_right", "stance_swap": "crossed"}
    argued["protocols"] = ["consultancy", "double_consultancy", "debate", "disagreement_resolution"]
    stages = [argued, {"name": "judged", "from": "argued", "judges": ["strong", "weak"]}]
    return write(
        folder,
        cases={"file": str(file)},
        models=models,
        panels=[["a", "b"]],
        protocols=["solo"],
        stages=stages,
    )


def oversight() -> str:
    """In words: how long the study took, and its measures after it."""
    with tempfile.TemporaryDirectory() as folder:
        file = write_study(Path(folder))
        began = time.monotonic()
        out = play(file)
        seconds = time.monotonic() - began
        asked = replies(out, "stage", "debate_id")
        began = time.monotonic()
        oversight_measures(out)
        measured = time.monotonic() - began
    debates = len({row["debate_id"] for row in asked if row["stage"] == "argued"})
    judgments = sum(row["stage"] == "judged" for row in asked)
    return (
        f"{QUESTIONS:,} questions, of which those with exactly one right opening went on into four protocols"
        f" (with stances exchanged where there are any) and before two judges: {debates:,} debates,"
        f" {judgments:,} judgments and {len(asked):,} replies in {seconds:.0f} s (goal {GOAL});"
        f" all measures of them {measured:.1f} s."
    )


if __name__ == "__main__":
    print(f"## Oversight\n\n{machine()}\n\n{oversight()}")
