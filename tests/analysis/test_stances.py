"""What a seat argues for by a stance is no verdict of its own, and enters no measure of verdicts."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa

from analysis.courses import count
from analysis.model.reading import heard
from protocols.sections import ARGUING, OPENED


def turns(protocol: str) -> pd.DataFrame:
    """Two seats in two rounds."""
    seats = pd.DataFrame({"seat": ["seat1", "seat2"] * 2, "round": [1, 1, 2, 2], "label": list("ABAB")})
    design = {"stage": "argued", "protocol": protocol, "case_id": "x", "n_seats": 2, "debate": 0}
    rows = seats.assign(**design, model="m", position=[1, 2] * 2, slot=[0, 1] * 2, code=[0, 1] * 2)
    return rows.assign(label=rows["label"].astype("category"))


def test_arguing_has_no_course() -> None:
    assert count(turns("disagreement_resolution")).num_rows == 1
    for protocol in ARGUING:
        assert count(turns(protocol)).num_rows == 0


def test_the_model_of_verdicts_reads_only_debates_in_rounds() -> None:
    for protocol in ("synchronous", "round_robin", "solo", *OPENED):
        rows = pa.Table.from_pandas(turns(protocol))
        assert len(heard(rows)) == (4 if protocol in ("synchronous", "round_robin") else 0)
