"""Comments whose words give no verdict go to judges and come back as verdicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from protocols.answer_format import LETTERS, VERDICTS
from ray_jobs.case_block import CaseFile
from ray_jobs.case_table import add_cases
from ray_jobs.cases import read_cases
from ray_jobs.claims import claim_run
from ray_jobs.dilemmas.judged import judged
from ray_jobs.dilemmas.report import Report
from ray_jobs.dilemmas.unread import OPTIONS
from ray_jobs.experiment import load_experiment
from ray_jobs.located import ExperimentError
from ray_jobs.parts import write_part
from ray_jobs.store import Store
from tests.ray_jobs.dilemmas.builds import built_from, cases_of, comment, post, posts_of
from tests.ray_jobs.moot_runs import moot

ROWS = [
    comment(1),
    comment(2, "YTA"),
    comment(3, "You did nothing wrong, says u/other_one &amp; I say so, too"),
    comment(4, "NTA for the dogs. YTA for the day"),
    comment(5, "everybody there is awful", score=8),
    comment(5, "everybody there is awful!", score=2),
    comment(6, "[removed]"),
    comment(7, "gone later", _meta={"was_deleted_later": True}),
    comment(7, "gone later"),
    comment(8, "a reply", parent_id="t1_c1"),
]
POSTS = [post(), post(id="few")]


def built_for_judges(folder: Path, **asked: Any) -> Report:
    """A build with one post that is chosen, and one without verdicts whose comments nobody needs to read."""
    rows = [*ROWS, comment(9, "on the other", link_id="t3_few", parent_id="t3_few")]
    return built_from(folder, POSTS, rows, **asked)


def study(folder: Path, **keys: Any) -> Path:
    file = folder / "judges.yaml"
    models = {"judge": {"backend": "simulated"}}
    design = {"panels": [["judge"]], "protocols": ["solo"]}
    keys = {"name": "judges", "cases": {"file": "out/unread.jsonl"}, "models": models, **design, **keys}
    file.write_text(yaml.safe_dump(keys))
    return file


def run_of(folder: Path, answers: list[tuple[str, str, list[str | None]]]) -> str:
    """A run of judges as its tables are: of each debate the comment, the listing, and the seats' letters."""
    experiment = load_experiment(study(folder))
    store = Store(str(folder / "run"))
    claim_run(store, experiment, "claim")
    add_cases(store, read_cases(experiment.cases), {"run_id": "run"}, "claim")
    rows = [
        {"debate_id": f"{number:016x}", "case_id": id, "outcome": "verdict", "listing": listing}
        | {"final_labels": letters, "run_id": "run", "status": "finished"}
        for number, (id, listing, letters) in enumerate(answers)
    ]
    write_part(store, "debates", "claim-0", rows)
    return store.uri


def test_comments_of_cases_without_one_verdict_become_questions(tmp_path: Path) -> None:
    report = built_for_judges(tmp_path, unread=True)
    cases = list(read_cases(CaseFile(file=str(tmp_path / "out" / "unread.jsonl"))))
    assert [case.id for case in cases] == ["c3", "c4", "c5"]
    assert report.unread == 3
    assert all(tuple(case.options or ()) == OPTIONS for case in cases)
    assert "called “AITA for a wedding without dogs?”" in cases[0].text
    assert "You did nothing wrong, says [someone] & I say so, too" in cases[0].text
    assert cases[0].source == "r/AmItheAsshole / comment on abc"
    assert [option.split(":")[0] for option in OPTIONS[:5]] == list(VERDICTS)


def test_names_are_in_no_question(tmp_path: Path) -> None:
    said = r"poster\_1 and Poster_1 and u/other_one and other_one, not Poster_12: yours, Reader_7"
    built_from(tmp_path, [post()], [comment(1), comment(2, said, author="Reader_7")], unread=True)
    [case] = read_cases(CaseFile(file=str(tmp_path / "out" / "unread.jsonl")))
    assert (
        "says:\n\n[someone] and [someone] and [someone] and [someone], not Poster_12: yours, [someone]\n"
        in case.text
    )


def test_without_the_option_no_comment_is_written(tmp_path: Path) -> None:
    assert built_for_judges(tmp_path).unread is None
    assert not (tmp_path / "out" / "unread.jsonl").exists()


def test_what_judges_read_counts_like_words(tmp_path: Path) -> None:
    built_for_judges(tmp_path, unread=True)
    run = run_of(tmp_path, [("c3", "1-2-3-4-5-6", ["A"]), ("c5", "6-5-4-3-2-1", ["D"])])
    assert judged(run) == {int("c3", 36): VERDICTS.index("NTA"), int("c5", 36): VERDICTS.index("ESH")}
    report = built_for_judges(tmp_path, name="again", judged=run, unread=True)
    row = posts_of(tmp_path, "again")["abc"]
    assert (row["n_verdicts"], row["n_judged"], row["n_no_verdict"], row["n_several_verdicts"]) == (
        4,
        2,
        0,
        1,
    )
    assert (row["share_NTA"], row["share_YTA"], row["share_ESH"]) == (0.5, 0.25, 0.25)
    assert row["weighted_ESH"] == 8 / 17  # 3 + 3 for NTA, 3 for YTA, 8 for ESH
    assert (report.judged, report.unread, report.asked["judged"]) == (2, 1, run)
    assert cases_of(tmp_path, "again")[0]["n_judged"] == 2


@pytest.mark.parametrize(
    ("answers", "verdict"),
    [
        ([["A"], ["A"]], "NTA"),
        ([["A", "A"]], "NTA"),
        ([["A"], ["B"]], None),
        ([["A"], ["B"], ["A"]], None),
        ([["A", "B"]], None),
        ([["A", None]], None),
        ([["F"]], None),
        ([[None]], None),
        ([], None),
    ],
)
def test_a_judge_is_heard_where_all_answers_are_one(
    tmp_path: Path, answers: list[list[str | None]], verdict: str | None
) -> None:
    built_for_judges(tmp_path, unread=True)
    run = run_of(tmp_path, [("c3", "1-2-3-4-5-6", letters) for letters in answers])
    assert judged(run) == ({} if verdict is None else {int("c3", 36): VERDICTS.index(verdict)})


def test_a_run_on_other_cases_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="nowhere: found no run of moot"):
        built_for_judges(tmp_path, judged=str(tmp_path / "nowhere"))
    built_for_judges(tmp_path, unread=True)
    file = tmp_path / "out" / "unread.jsonl"
    file.write_text(file.read_text().replace("None of these", "None"))
    run = run_of(tmp_path, [])
    with pytest.raises(ExperimentError, match="found the case 'c3' with other options than those of unread"):
        built_for_judges(tmp_path, name="again", judged=run)
    assert not (tmp_path / "again").exists()


@pytest.mark.ray
def test_judges_are_a_run_like_any_other(tmp_path: Path) -> None:
    built_for_judges(tmp_path, unread=True)
    said = {"c3": "NTA", "c4": None, "c5": "ESH"}
    letters = {id: LETTERS[VERDICTS.index(word) if word else len(VERDICTS)] for id, word in said.items()}
    replies = [
        {"case_id": id, "seat": "seat1", "round": 1, "text": f"Answer: {letter}\n\nIt says so."}
        for id, letter in letters.items()
    ]
    judge = {"judge": {"backend": "scripted", "replies": replies}}
    moot("run", study(tmp_path, models=judge, listing="given"), "--out", tmp_path / "run")
    files = ("--submissions", tmp_path / "RS.ndjson", "--comments", tmp_path / "RC.ndjson")
    days = ("--subreddit", "AmItheAsshole", "--from", "2025-01-01", "--to", "2025-03-30", "--verdicts", 1)
    out = tmp_path / "again"
    done = moot("dilemmas", "build", *files, *days, "--judged", tmp_path / "run", "--unread", "--out", out)
    assert f"verdicts that judges read: 2, in {tmp_path / 'run'}" in done.stdout.replace("\n", "")
    assert "comments for a judge: 1, in" in done.stdout
    [left] = (out / "unread.jsonl").read_text().splitlines()
    assert json.loads(left)["id"] == "c4"
    assert posts_of(tmp_path, "again")["abc"]["n_judged"] == 2
