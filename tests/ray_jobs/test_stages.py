"""Stages on Ray: judges read debates while others are still played, and may come to a finished run."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from protocols.values import VALUES_48, write_taxonomy
from ray_jobs.log import Row
from tests.ray_jobs.disturbed import Play
from tests.ray_jobs.moot_runs import check_as_played_here, check_whole, moot, parts, table, write_study

pytestmark = [pytest.mark.ray, pytest.mark.timeout(300)]

SLOW: dict[str, Any] = {"backend": "simulated", "latency": {"median": 0.2, "sigma": 0.4}, "in_flight": 8}
DESIGN: dict[str, Any] = {
    "models": {"a": SLOW, "b": {**SLOW, "alpha": 0.2}, "judge": {**SLOW, "theta": {"ESH": 2}}},
    "panels": [["a", "b"]],
    "protocols": ["synchronous"],
    "rounds": 3,
}
JUDGED = {"name": "judged", "judges": {"models": ["judge"], "passes": 2}}
LONGER = {"name": "longer", "keep": "no_consensus", "protocols": ["round_robin"], "rounds": 5}
REJUDGED = {"name": "rejudged", "from": "longer", "judges": {"models": ["judge", "a"], "sees": "positions"}}
VALUED = {"name": "valued", "from": "longer", "labels": {"models": ["judge"], "passes": 2}}


def calls(rows: Iterable[Row], model: str) -> list[tuple[float, float]]:
    """When the model worked on each of its replies, in seconds since the epoch."""
    return [
        (row["time"].timestamp() - row["seconds"], row["time"].timestamp())
        for row in rows
        if row["model"] == model
    ]


def test_judges_read_synchronous_debates_while_others_are_played(tmp_path: Path) -> None:
    """The trace of the replies shows both sets of engines busy at the same time, from early on to the end."""
    file, run = write_study(tmp_path, 40, **DESIGN, stages=[JUDGED]), tmp_path / "run"
    told = moot("run", file, "--out", run)
    assert "40 of 40 debates have ended; judged: 80 of 80" in " ".join(told.stdout.split())
    check_whole(run, file)
    check_as_played_here(run, file)
    replies = table(run, "replies")
    debating, judging = calls(replies, "a") + calls(replies, "b"), calls(replies, "judge")
    last_debate = max(end for _, end in debating)
    overlapping = [span for span in judging if span[0] < last_debate]
    assert len(overlapping) > len(judging) / 2, "judges did not wait for the last debate"
    assert any(
        begin < end and other < stop
        for begin, stop in judging[:10]
        for other, end in debating
        if other < stop and begin < end
    )


def test_stages_may_come_to_a_finished_run(tmp_path: Path) -> None:
    """No debate is played again; what was there stays, and the new judgments are those of a run with all."""
    file, run = write_study(tmp_path, 15, **DESIGN, stages=[LONGER]), tmp_path / "run"
    moot("run", file, "--out", run)
    before, asked = parts(run), len(table(run, "replies"))
    file = write_study(tmp_path, 15, **DESIGN, stages=[JUDGED, LONGER, REJUDGED, VALUED])
    told = " ".join(moot("run", file, "--out", run).stdout.split())
    assert "15 of 15 debates have ended, 0 are to play; judged: 0 of at most 30 have ended" in told
    assert before.items() <= parts(run).items()
    check_whole(run, file)
    check_as_played_here(run, file)
    judgments = table(run, "judgments")
    assert len(table(run, "replies")) == asked + len(judgments)
    assert {row["stage"] for row in judgments} == {"judged", "rejudged", "valued"}
    assert (run / "values" / "valued.csv").read_text() == write_taxonomy(VALUES_48)
    longer = {row["debate_id"] for row in table(run, "debates") if row["stage"] == "longer"}
    assert longer == {row["source_debate"] for row in judgments if row["stage"] == "rejudged"}
    assert "0 are to play" in moot("run", file, "--out", run).stdout


@pytest.mark.fault
def test_a_run_with_stages_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    """Agents, a moderator, and the driver die, whatever stage they are at."""
    stages = [JUDGED, LONGER, REJUDGED, VALUED]
    file, run = write_study(tmp_path, 40, **DESIGN, stages=stages), tmp_path / "run"
    for victims in (["agent", "driver"], ["moderator", "driver"]):
        play = Play.start(file, run)
        for victim in victims:
            assert play.under_way()
            play.kill(victim)
    moot("run", file, "--out", run)
    check_whole(run, file)
    check_as_played_here(run, file)


def test_a_fork_asks_only_what_no_reply_fits(tmp_path: Path) -> None:
    """Of a run with another model b: all that only a was asked is taken over, the rest is asked anew."""
    panels = [["a"], ["b"], ["a", "b"]]
    file, first = write_study(tmp_path, 10, **{**DESIGN, "panels": panels}), tmp_path / "first"
    moot("run", file, "--out", first)
    models = {**DESIGN["models"], "b": {**SLOW, "alpha": 2.5}}
    file = write_study(tmp_path, 10, **{**DESIGN, "panels": panels, "models": models})
    refused = moot("run", file, "--out", first, code=2)
    assert "models.b.alpha: was 0.2, is 2.5" in refused.stderr
    fork = tmp_path / "fork"
    told = moot("run", file, "--out", fork, "--fork", first)
    check_whole(fork, file)
    check_as_played_here(fork, file)
    earlier = {row["fingerprint"]: row for row in table(first, "replies")}
    replies = table(fork, "replies")
    reused = [row for row in replies if row["fingerprint"] in earlier]
    assert all(row["time"] == earlier[row["fingerprint"]]["time"] for row in reused)
    assert f"{len(reused)} replies taken over from another run" in " ".join(told.stdout.split())
    alone = [row for row in replies if row["panel"] == "a"]
    assert alone
    assert all(row in reused for row in alone)
    opening = [row for row in replies if row["panel"] == "a+b" and row["step"] == 0 and row["model"] == "a"]
    assert all(row in reused for row in opening)
    assert not any(row in reused for row in replies if row["model"] == "b")
    again = moot("run", file, "--out", fork)
    assert f"a fork of {first}" in " ".join(again.stdout.split())
    assert "0 are to play" in again.stdout
    shutil.rmtree(first)
    gone = moot("run", file, "--out", fork, code=2)
    assert "found no run of moot" in gone.stderr


def test_what_is_no_run_cannot_be_forked(tmp_path: Path) -> None:
    file = write_study(tmp_path, 1, **DESIGN)
    (tmp_path / "empty").mkdir()
    for fork, says in (("empty", "found no run of moot"), ("run", "the run directory itself")):
        refused = moot("run", file, "--out", tmp_path / "run", "--fork", tmp_path / fork, code=2)
        assert says in refused.stderr
        assert not (tmp_path / "run" / "claims").exists()
