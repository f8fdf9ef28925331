"""What a seat argues for by a stance is no verdict of its own, and enters no measure of verdicts."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa

from analysis.courses import count
from analysis.model.reading import heard
from analysis.turns import COLUMNS, frame
from protocols.sections import ARGUING, OPENED


def turns(protocol: str) -> pa.Table:
    """Two seats in two rounds, as a part has them."""
    seats = pd.DataFrame({"seat": ["seat1", "seat2"] * 2, "round": [1, 1, 2, 2], "label": list("ABAB")})
    design = {**dict.fromkeys((*COLUMNS, "n_seats"), ""), "protocol": protocol, "case_id": "x", "n_seats": 2}
    said = {
        "planted": None,
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
    for protocol in ("synchronous", "round_robin", "solo", *OPENED):
        rows = turns(protocol)
        assert len(heard(rows)) == (4 if protocol in ("synchronous", "round_robin") else 0)
