"""What a seat argues for by a stance, or is planted, is no verdict of its own, and in no measure of them."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa

from analysis.course_tally import count
from analysis.courses import ALONE, read
from analysis.measures import change
from analysis.model.reading import heard
from analysis.tally import merge
from analysis.turns import COLUMNS, frame
from protocols.sections import ARGUING, OPENED


def turns(protocol: str, planted: str | None = None) -> pa.Table:
    """Two seats in two rounds, as a part has them; the second holds what is planted."""
    seats = pd.DataFrame({"seat": ["seat1", "seat2"] * 2, "round": [1, 1, 2, 2], "label": list("ABAB")})
    design = {**dict.fromkeys((*COLUMNS, "n_seats"), ""), "protocol": protocol, "case_id": "x", "n_seats": 2}
    said = {
        "planted": planted,
        "variant": '{"planted":{"seats":[2]},"rounds":2}' if planted else "",
        "debate_id": "d",
        "model": "m",
        "status": "ok",
        "opening": False,
        "position": [1, 2] * 2,
    }
    return pa.Table.from_pandas(pd.DataFrame({**design, **said}, index=range(4)).assign(**seats))


def test_arguing_has_no_course() -> None:
    assert count(frame(turns("disagreement_resolution"))).num_rows == 1
    for protocol in ARGUING:
        assert count(frame(turns(protocol))).num_rows == 0


def test_the_model_of_verdicts_reads_only_debates_in_rounds() -> None:
    for protocol in ("synchronous", "round_robin", "hybrid", *ALONE, *OPENED):
        rows = turns(protocol)
        assert len(heard(rows)) == (4 if protocol in ("synchronous", "round_robin", "hybrid") else 0)


def test_debates_with_a_planted_verdict_are_those_of_the_plan() -> None:
    rows = turns("synchronous", "A")
    assert count(frame(rows))["measure"].to_pylist() == ["planted"]
    assert count(frame(rows))["count"].to_pylist() == [1]
    assert len(heard(rows)) == 0


def test_seats_that_hear_nobody_change_no_verdict_after_hearing() -> None:
    for protocol, slots in (("synchronous", 2), ("reask", 0), ("majority", 0)):
        found = read(merge([count(frame(turns(protocol)))]))
        assert len(change.heard(found)) == slots
