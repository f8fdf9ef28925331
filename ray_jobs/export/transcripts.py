"""Debates as lines of JSON, each with its case and all its turns, and judgments likewise."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

from ray_jobs.case_questions import as_objects
from ray_jobs.case_table import CaseTable
from ray_jobs.export.snapshot import Place, Snapshot
from ray_jobs.located import ExperimentError
from ray_jobs.log import Row

DESIGN = (
    *("stage", "protocol", "variant", "panel", "order", "steering", "answer_format", "labels"),
    *("stance_swap", "listing", "display", "repetition", "source_debate"),
)
ENDED = ("rounds", "outcome", "standing", "consensus_label", "consensus_round", "final_labels", "exit_mode")
SAID = (
    *("round", "position", "seat", "model", "label", "status"),
    *("stance", "confidence", "stated_action", "action", "crux", "violation"),
)
JUDGED = (
    *("kind", "judge", "pass", "source_round", "source_seat", "sees", "answers"),
    *("decision", "judged_labels", "status", "confidence"),
)


def write_transcripts(snapshot: Snapshot, folder: Path) -> dict[str, int]:
    """Writes debates.jsonl, and judgments.jsonl where there are any; returns how many lines each has.

    What is null is left out. Raises `ExperimentError` for a debate whose turns are not there.
    """
    counts: dict[str, int] = {}
    for name, lines in (("debates", _debates(snapshot)), ("judgments", _judgments(snapshot))):
        file: TextIO | None = None
        for line in lines:
            file = file or (folder / f"{name}.jsonl").open("w", encoding="utf-8", newline="\n")
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            counts[name] = counts.get(name, 0) + 1
        if file is not None:
            file.close()
    return counts


def _debates(snapshot: Snapshot) -> Iterator[Row]:
    place, cases = snapshot.run, CaseTable(snapshot.run.store)
    for part in place.parts:
        if part.table != "debates":
            continue
        ended = [row for row in place.rows(part).to_pylist() if row["outcome"] != "judgment"]
        beside = place.beside(part, "turns") if ended else None
        turns = _by_debate(place.rows(beside).to_pylist()) if beside else {}
        for debate in ended:
            yield _debate(debate, turns.get(debate["debate_id"], []), cases, part.path)


def _by_debate(turns: list[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for turn in turns:
        found.setdefault(turn["debate_id"], []).append(turn)
    return found


def _debate(debate: Row, turns: list[Row], cases: CaseTable, path: str) -> Row:
    if not turns:
        raise ExperimentError(
            f"{path}: found the debate '{debate['debate_id']}', and no turns of it in the part that was"
            " written with this one"
        )
    case = asdict(cases[debate["case_id"]])
    case |= {"openings": as_objects(cases[debate["case_id"]].openings), "place": None}
    spoken = sorted(turns, key=lambda turn: (turn["round"], turn["position"]))
    return {
        "debate_id": debate["debate_id"],
        **_there(debate, DESIGN),
        "case": {name: value for name, value in case.items() if value is not None},
        "turns": [_turn(turn) for turn in spoken],
        **_there(debate, ENDED),
    }


def _turn(turn: Row) -> Row:
    """A turn; its text is what was said beside the label, or all of it where no label could be read."""
    said = turn["explanation"] if turn["label"] is not None else turn["shown"]
    opening = {"opening": True} if turn["opening"] else {}
    return {**_there(turn, SAID), **opening, "text": said or ""}


def _judgments(snapshot: Snapshot) -> Iterator[Row]:
    for place in snapshot.places:
        yield from _judged(place)


def _judged(place: Place) -> Iterator[Row]:
    for part in place.parts:
        if part.table == "judgments":
            for row in place.rows(part).to_pylist():
                own = {"judgment_id": row["debate_id"], "case_id": row["case_id"]}
                yield own | _there(row, (*DESIGN, *JUDGED))


def _there(row: Row, names: tuple[str, ...]) -> Row:
    return {name: row[name] for name in names if row[name] is not None}
