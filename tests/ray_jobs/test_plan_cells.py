"""The table of cells: a row each, and one for many orders of a panel that has nothing else to tell."""

from ray_jobs.cases import CaseRow
from ray_jobs.estimate import estimate
from ray_jobs.plan import Plan
from ray_jobs.plan_cells import HEADINGS, Row, cell_rows
from tests.ray_jobs.studies import study


def rows(panel: list[str], *protocols: str) -> list[Row]:
    """The rows of a study of one case."""
    models = {name: {"backend": "simulated"} for name in panel}
    experiment = study(models=models, panels=[panel], protocols=list(protocols), repetitions=2)
    figures = estimate(experiment, Plan(experiment, ["x"]), [CaseRow("x", "Title", "A story.")])
    return list(cell_rows(figures.cells))


def column(name: str, of: list[Row]) -> list[str]:
    return [row[HEADINGS.index(name)] for row in of]


def test_three_seats_have_a_row_for_each_order() -> None:
    found = rows(["a", "b", "c"], "round_robin")
    assert column("order", found) == ["1-2-3", "1-3-2", "2-1-3", "2-3-1", "3-1-2", "3-2-1"]


def test_the_orders_of_four_seats_are_one_row_with_all_their_debates_and_calls() -> None:
    single, *_ = rows(["a", "b", "c", "d"], "synchronous")
    [many] = rows(["a", "b", "c", "d"], "round_robin")
    debates = int(column("debates", [single])[0])
    assert column("order", [single, many]) == ["1-2-3-4", "24 orders"]
    assert column("debates", [many]) == [f"{24 * debates:,}"]
    least, most = (24 * int(calls.replace(",", "")) for calls in column("calls", [single])[0].split(" to "))
    assert column("calls", [many]) == [f"{least:,} to {most:,}"]


def test_what_stands_between_is_no_order() -> None:
    found = rows(["a", "b", "c", "d"], "round_robin", "synchronous")
    assert column("protocol", found) == ["round_robin", "synchronous"]
