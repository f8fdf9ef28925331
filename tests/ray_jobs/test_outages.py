"""What is said of a model that does not answer: once when it begins to fail, once when it is over."""

from dataclasses import replace

from ray_jobs.outages import Outages
from ray_jobs.readings import GateReading
from serving.limits.condition import Condition
from serving.limits.limits_block import Limits

FRESH = Condition(8, 32, 0, 0, 0, 0.0, "closed", None, None, None, None, 0.0, 0, None, 0, None)
LOST = replace(
    FRESH, failure="transient: cannot connect to localhost:8999 (connection refused)", failed_ago=1.0
)
OPEN = replace(LOST, circuit="open", retry_in=5.0, answered_ago=9.0)
ANSWERED = replace(FRESH, answered_ago=1.0, failure=LOST.failure, failed_ago=9.0)


def news(*readings: list[Condition]) -> list[list[str]]:
    """What each reading of the gates of model far is news of."""
    outages = Outages({"far": Limits()})
    return [
        list(outages.news([GateReading("far", number, one) for number, one in enumerate(each)]))
        for each in readings
    ]


def test_an_open_circuit_is_told_once_and_so_is_that_it_has_closed() -> None:
    told = news([FRESH], [OPEN], [replace(OPEN, circuit="probing")], [OPEN], [ANSWERED], [ANSWERED], [OPEN])
    assert [len(each) for each in told] == [0, 1, 0, 0, 1, 0, 1]
    assert told[1] == [
        "model 'far': 10 of its last 20 calls failed, the last: transient: cannot connect to localhost:8999"
        " (connection refused); it is tried again every 5 to 60 s; check base_url and that the server runs"
    ]
    assert told[4] == ["model 'far' answers again"]


def test_a_model_whose_first_calls_fail_is_told_before_its_circuit_opens() -> None:
    told = news([LOST], [OPEN], [LOST], [ANSWERED])
    assert [len(each) for each in told] == [1, 0, 0, 1]
    assert told[0][0].startswith("model 'far': no call has been answered yet, the last: transient: cannot")


def test_of_several_replicas_one_that_fails_is_enough_and_all_must_have_recovered() -> None:
    told = news([ANSWERED, OPEN], [OPEN, ANSWERED], [ANSWERED, ANSWERED])
    assert [len(each) for each in told] == [1, 0, 1]


def test_a_call_that_fails_now_and_then_is_no_news() -> None:
    assert news([ANSWERED], [ANSWERED]) == [[], []]
