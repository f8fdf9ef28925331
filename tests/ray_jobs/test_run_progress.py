"""What the viewer is told of a run, and that it shows what a run has written as it was written."""

from html import unescape
from pathlib import Path

import pytest

from analysis.viewer.progress import Stage
from ray_jobs import lease
from ray_jobs.bulletin import Bulletin, post
from ray_jobs.claims import claim_id
from ray_jobs.run_progress import progress
from ray_jobs.store import Store
from tests.analysis.viewer.client import client
from tests.ray_jobs.finished import finished
from tests.ray_jobs.studies import study


def test_a_run_that_is_not_finished_says_what_is_left(tmp_path: Path) -> None:
    finished(tmp_path, study(panels=[["a", "b"]], protocols=["synchronous"], rounds=2), cases=3, debates=2)
    told = progress(str(tmp_path))
    assert (told.name, told.state, told.live) == ("study", "is not being played now", False)
    assert told.stages == [Stage("debate", 2, 3)]
    assert told.unfinished[0].startswith("2 of 3 planned debates are finished.")
    assert [model["model"] for model in told.models] == ["a", "b", "c"]
    assert told.told == []


def test_a_run_that_is_played_tells_what_its_driver_said_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "SETTLE_SECONDS", {True: 0.0, False: 0.0})
    finished(tmp_path, study(panels=[["a", "b"]], protocols=["synchronous"], rounds=2))
    assert progress(str(tmp_path)).state == "is finished"
    store, claim = Store(str(tmp_path)), claim_id()
    waiting = ["debate d, open for 9 s"]
    with lease.lease(store, claim, "another"):
        post(store, Bulletin(claim, 0.0, "3 of 3 debates", {}, ["a 1"], waiting, left="0:00:09 left"))
        told = progress(str(tmp_path))
    assert told.live
    assert told.state.startswith("is being played by process ")
    assert told.told[0].endswith(" s ago: 3 of 3 debates · 0:00:09 left")
    assert told.told[1:] == ["being started again: a 1", *waiting]


def test_of_tables_alone_nothing_more_is_known(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    told = progress(str(tmp_path))
    assert (told.name, told.live) == (tmp_path.name, False)
    assert "found no run of moot" in told.state


def test_each_seat_is_shown_with_exactly_what_it_was_shown(tmp_path: Path) -> None:
    experiment = study(panels=[["a", "b", "a"]], protocols=["synchronous", "round_robin"], rounds=3)
    trees = finished(tmp_path / "run", experiment, cases=2)
    asking = client([tmp_path / "run"])
    replies = [row for tree in trees for row in tree["replies"]]
    assert len(replies) > 12
    for row in replies:
        address = f"/run/debates/{row['debate_id']}/turns/{row['round']}/{row['seat']}"
        page = unescape(asking.get(address).text)
        shown = [message["content"] for message in row["messages"]]
        assert all(text in page for text in (*shown, row["text"], str(row["ask_seed"])))
        assert page.count('class="role"') == len(shown) + 1
    for tree in trees:
        [debate] = tree["debates"]
        page = unescape(asking.get(f"/run/debates/{debate['debate_id']}").text)
        assert all(turn["explanation"] in page for turn in tree["turns"])
        assert all(f"seed {row['ask_seed']}" in page for row in tree["replies"])
