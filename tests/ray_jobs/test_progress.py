"""How far a run is, in words."""

from collections import Counter
from dataclasses import replace
from io import StringIO

from rich.console import Console

from ray_jobs.debate import Debate, Debates
from ray_jobs.ended import Extent
from ray_jobs.progress import Progress
from ray_jobs.readings import BudgetReading, Spent
from ray_jobs.status import Status

LEFT = Debates.of([Debate(f"{number:016x}", "case", 1, 0, 0) for number in range(10)])


def reported(finished: int, failed: int) -> tuple[Progress, StringIO]:
    """The progress of a run of ten debates after so many have ended, four of them open."""
    page = StringIO()
    progress = Progress(Console(width=200, file=page))
    progress.begin([Extent("debate", 0, LEFT, 10)], {})
    begun = Status.of(["m"], ["debate"])
    progress.report([replace(begun, calls=Counter(m=1))])
    ended = Counter({("debate", "consensus"): finished})
    now = replace(begun, calls=Counter(m=9), finished=ended, failed=Counter(debate=failed), open=4)
    progress.report([now])
    return progress, page


def test_failures_stand_behind_what_has_ended() -> None:
    progress, _ = reported(1, 1)
    assert progress.line.startswith("2 of 10 debates, 1 failed · 4 open · ")
    assert "left" not in progress.line
    assert progress.left.endswith(" left")


def test_the_last_line_says_what_has_ended_and_failed() -> None:
    progress, page = reported(0, 6)
    with progress:
        pass
    assert page.getvalue().splitlines()[-1].startswith("6 of 10 debates have ended, 6 failed; 9 calls in ")


def test_no_time_is_told_that_the_budget_will_not_last() -> None:
    """Two of ten debates have cost 1 USD, so all will cost 5."""
    progress, _ = reported(2, 0)

    def told(usd: float | None, tokens: int | None = None) -> str:
        spent = Spent(1.0, 1000)
        progress.budget(BudgetReading(usd, tokens, spent, Spent(0.0, 0), {"m": spent}))
        return progress.left

    assert told(4.9) == told(None, 4_900) == told(6.0, 4_900) == "the budget will end first"
    assert told(5.1).endswith(" left")
    assert told(None, 5_100).endswith(" left")
    progress.budget(None)
    assert progress.left.endswith(" left")
