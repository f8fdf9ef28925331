"""What counts as repetitions of one design, and what is refused."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.replication.repetitions import CannotReplicate, repetitions, same_verdicts
from tests.analysis.replication.runs import NOTHING, again, found, played

PAIR = [("synchronous", ("gpt", "claude"))]


def test_repetitions_of_one_run_and_of_several() -> None:
    one, other = played(3, 2, conditions=PAIR), played(3, 1, 3, conditions=PAIR)
    assert [each.name for each in found(one)] == ["1", "2"]
    both = repetitions({"a": (one, NOTHING), "b": (other, NOTHING)})
    assert [each.name for each in both] == ["a 1", "a 2", "b 1"]
    assert both[0].models == {"gpt", "claude"}


def test_one_repetition_is_refused_with_advice() -> None:
    with pytest.raises(CannotReplicate, match=r"found 1 repetition, expected two or more.*repetitions: 5"):
        found(played(3, 1, conditions=PAIR))


def test_other_models_conditions_or_cases_are_refused_by_name() -> None:
    one = (played(3, 1, conditions=PAIR), NOTHING)
    models = (played(3, 1, conditions=[("synchronous", ("gpt", "gemini"))]), NOTHING)
    with pytest.raises(CannotReplicate, match="model claude only in a 1 and model gemini only in b 1"):
        repetitions({"a": one, "b": models})
    protocols = (played(3, 1, conditions=[*PAIR, ("round_robin", ("gpt", "claude"))]), NOTHING)
    with pytest.raises(CannotReplicate, match=r"condition round_robin .* only in b 1"):
        repetitions({"a": one, "b": protocols})
    cases = (played(5, 1, conditions=PAIR), NOTHING)
    with pytest.raises(CannotReplicate, match="cases case 00003, case 00004 only in b 1"):
        repetitions({"a": one, "b": cases})


def test_debates_that_are_missing_are_refused_unless_they_failed() -> None:
    conditions = [*PAIR, ("round_robin", ("gpt", "claude"))]
    turns = played(3, 2, conditions=conditions)
    one = turns["debate_id"].iloc[0]
    lost = turns[turns["debate_id"] == one].iloc[:1]
    rest = turns[turns["debate_id"] != one].reset_index(drop=True)
    with pytest.raises(CannotReplicate, match="1 debates are only in 2; play what is unfinished first"):
        found(rest)
    failed = lost[list(NOTHING.columns)].astype({name: "str" for name in NOTHING if name != "repetition"})
    assert len(repetitions({"run": (rest, failed)})) == 2


def test_a_copy_is_noticed() -> None:
    turns = played(3, 2, conditions=PAIR)
    assert list(same_verdicts(found(turns))) == []
    one = played(3, 1, conditions=PAIR)
    assert list(same_verdicts(found(pd.concat([one, again(one)])))) == [("1", "2")]
