"""What judges have read in comments, from a run on the questions that a build has written."""

from __future__ import annotations

from collections.abc import Mapping

from protocols.answer_format import LETTERS
from ray_jobs.claims import earlier_claims
from ray_jobs.dilemmas.comments import NONE
from ray_jobs.dilemmas.files import UNREAD_FILE
from ray_jobs.dilemmas.unread import OPTIONS
from ray_jobs.located import ExperimentError
from ray_jobs.log import Row
from ray_jobs.parts import read_parts
from ray_jobs.store import Store

NOTHING: Mapping[int, int] = {}


def judged(run: str) -> Mapping[int, int]:
    """The verdict of each comment by its number, one of `VERDICTS` by place: where all answers in the run,
    of every seat and repetition, are the same, and name one.

    Raises `ExperimentError` for what is no run, or one on other questions.
    """
    store = Store(run)
    if not earlier_claims(store):
        raise ExperimentError(f"--judged {run}: found no run of moot; allowed: one on questions of a build")
    _check_questions(store, run)
    heard: dict[int, int] = {}
    for part in read_parts(store, "debates", ["case_id", "outcome", "listing", "final_labels"]):
        for row in part.to_pylist():
            if row["outcome"] != "judgment":
                comment, answers = int(row["case_id"], 36), _answers(row)
                answers |= {heard[comment]} if comment in heard else set()
                heard[comment] = answers.pop() if len(answers) == 1 else NONE
    return {comment: verdict for comment, verdict in heard.items() if verdict != NONE}


def _answers(row: Row) -> set[int]:
    """The answers of a debate's seats by their place in `OPTIONS`, `NONE` for the last and for none."""
    listed = [int(number) - 1 for number in row["listing"].split("-")]
    return {NONE if label is None else listed[LETTERS.index(label)] for label in row["final_labels"]}


def _check_questions(store: Store, run: str) -> None:
    for part in read_parts(store, "cases", ["case_id", "options"]):
        for row in part.to_pylist():
            if tuple(row["options"] or ()) != OPTIONS:
                raise ExperimentError(
                    f"--judged {run}: found the case '{row['case_id']}' with other options than those of"
                    f" {UNREAD_FILE}; allowed: a run on the {UNREAD_FILE} of a build"
                )
