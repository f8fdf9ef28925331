"""Labels that people gave, as rows of RUN/judgments/NAME beside those of models."""

from __future__ import annotations

import time
from collections.abc import Iterator
from hashlib import blake2b
from itertools import groupby

from analysis.by_hand.explanation import Explanation, Place
from analysis.by_hand.rows import Labels
from ray_jobs.claims import claim_id
from ray_jobs.label_folder import ANOTHER, VALUES
from ray_jobs.lease import lease
from ray_jobs.log import Row
from ray_jobs.parts import Parts, Rows, read_parts, write_batch
from ray_jobs.store import Store

Given = list[tuple[Explanation, Labels]]


def write_labels(store: Store, values: str, labelled: Given, stage: str, judge: str) -> None:
    """Writes the rows of these labels, and the list of values that they are of, under a claim of its own."""
    claim = claim_id()
    parts = Parts(claim)
    for debate, group in groupby(sorted(labelled, key=_place), key=lambda each: each[0].place[0]):
        parts.add(_rows(debate, list(group), stage, judge, claim), time.monotonic())
    with lease(store, claim, ANOTHER):
        store.write(VALUES, values.encode())
        write_batch(store, parts.take())


def _rows(debate: str, group: Given, stage: str, judge: str, claim: str) -> Rows:
    """All rows of one debate's labels, under an id that differs from sheet to sheet."""
    unit = "\x1f".join([stage, judge, claim, debate])
    unit_id = blake2b(unit.encode(), digest_size=8).hexdigest()
    own = {"stage": stage, "debate_id": unit_id, "seed": None, "source_debate": debate}
    how = {"kind": "label", "judge": judge, "pass": 1, "sees": "explanation", "status": "ok"}
    judgments = [
        {
            **each.design,
            **own,
            **how,
            "source_round": each.place[1],
            "source_seat": each.place[2],
            "judged_labels": list(labels),
        }
        for each, labels in group
    ]
    is_judgment = {"outcome": "judgment", "standing": "judgment"}
    ended = {**group[0][0].design, **own, **is_judgment, "calls": 0, "status": "finished"}
    return {"judgments": judgments, "debates": [ended]}


def labels_there(store: Store) -> Iterator[Row]:
    """Who gave which labels to which turn, as far as the store knows."""
    columns = ("judge", "source_debate", "source_round", "source_seat", "judged_labels")
    return (row for part in read_parts(store, "judgments", columns) for row in part.to_pylist())


def place(row: Row) -> Place:
    """The turn that a row of labels is about."""
    return row["source_debate"], row["source_round"], row["source_seat"]


def _place(each: tuple[Explanation, Labels]) -> Place:
    return each[0].place
