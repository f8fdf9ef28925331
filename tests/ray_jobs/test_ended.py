"""What has ended, as the tables tell, and what of a plan is left."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ray_jobs.debate import Debate
from ray_jobs.ended import Ended, Extent, extents
from ray_jobs.ids import among
from ray_jobs.parts import write_part
from ray_jobs.plan import Plan
from ray_jobs.stages import Judging
from ray_jobs.store import Store
from tests.ray_jobs.studies import study

STAGES = [
    {"name": "longer", "keep": "no_consensus", "protocols": ["synchronous", "round_robin"], "rounds": 6},
    {"name": "judged", "judges": {"models": ["a", "b"], "passes": 2}},
    {"name": "rejudged", "from": "longer", "keep": "consensus", "judges": ["c"]},
]
EXPERIMENT = study(panels=[["a", "b"]], protocols=["synchronous", "round_robin"], stages=STAGES)
PLAN = Plan(EXPERIMENT, [f"case{n}" for n in range(4)])


def test_a_new_run_has_no_debates(tmp_path: Path) -> None:
    ended = Ended.of(Store(str(tmp_path)))
    assert ended.count == 0
    far = {extent.stage: (extent.ended, len(extent.left), extent.most) for extent in _extents(ended)}
    assert far == {"debate": (0, 12, 12), "longer": (0, 0, 24), "judged": (0, 0, 48), "rejudged": (0, 0, 24)}


@settings(max_examples=40)
@given(st.data())
def test_what_is_left_is_what_a_walk_through_the_plan_finds(data: st.DataObject) -> None:
    """Whatever has ended, and how: debates failed, kept, not kept, judged and not judged."""
    standings: dict[str, str] = {}
    walked: list[Debate] = []

    def walk(debate: Debate) -> None:
        judged = isinstance(PLAN.stage_cell(debate), Judging)
        ends = ["judgment"] if judged else ["agree", "disagree", "one_right", "unreadable"]
        kinds = ["left", "failed", *ends]
        standing = data.draw(st.sampled_from(kinds))
        if standing == "left":
            walked.append(debate)
            return
        standings[debate.debate_id] = standing
        for child in PLAN.after(debate, standing) if standing != "failed" else ():
            walk(child)

    for debate in PLAN:
        walk(debate)
    far = list(_extents(_ended(standings)))
    left = [debate for extent in far for debate in extent.left]
    assert sorted(left, key=_id) == sorted(walked, key=_id)
    assert sum(extent.ended for extent in far) == len(standings)
    assert all(extent.ended + len(extent.left) <= extent.most for extent in far)


def _extents(ended: Ended) -> Iterator[Extent]:
    return extents(PLAN, PLAN.debates(), ended)


def _id(debate: Debate) -> str:
    return debate.debate_id


def _ended(standings: dict[str, str]) -> Ended:
    """What the tables of such a run tell."""
    with TemporaryDirectory() as folder:
        store = Store(folder)
        finished = {id: standing for id, standing in standings.items() if standing != "failed"}
        rows = [{"debate_id": id, "standing": standing} for id, standing in finished.items()]
        write_part(store, "debates", "one", rows[::2])
        write_part(store, "debates", "two", rows[1::2])
        write_part(store, "failures", "one", [{"debate_id": id} for id in standings if id not in finished])
        return Ended.of(store)


@given(st.lists(st.integers(0, 2**64 - 1)), st.lists(st.integers(0, 2**64 - 1)))
def test_among_finds_what_is_there(numbers: list[int], there: list[int]) -> None:
    numbers = numbers + there[::2]
    found = among(np.array(numbers, np.uint64), np.sort(np.array(there, np.uint64)))
    assert found.tolist() == [number in set(there) for number in numbers]
