"""Small runs made up as plain rows, with all that a page of the viewer may have to show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from analysis.schema import schema

Row = dict[str, Any]


@dataclass(frozen=True)
class Made:
    """One debate.

    `labels[r][i]` is what seat i + 1 said in round r + 1: a label, a status, or None for silence. `own`, by
    round and seat, are columns of a turn that are other than usual; `said` is the text of all turns.
    """

    id: str
    labels: Sequence[Sequence[str | None]] = (("NTA", "YTA"), ("NTA", "NTA"))
    case: str = "case1"
    panel: tuple[str, ...] = ("alpha", "beta")
    said: str = "Because of what was promised."
    own: Mapping[tuple[int, str], Row] = field(default_factory=dict)
    design: Row = field(default_factory=dict)
    ended: Row = field(default_factory=dict)
    shown: str = "Tell what you think."

    @property
    def columns(self) -> Row:
        """Its design columns."""
        usual = {
            "run_id": "made-up",
            "stage": "debate",
            "debate_id": self.id,
            "case_id": self.case,
            "protocol": "synchronous",
            "variant": '{"rounds":4}',
            "panel": "+".join(self.panel),
            "order": "-".join(str(n + 1) for n in range(len(self.panel))),
            "n_seats": len(self.panel),
            "steering": "+".join("default" for _ in self.panel),
            "answer_format": "text",
            "labels": "-".join(str(n + 1) for n in range(len(self.panel))),
            "repetition": 1,
            "seed": 11,
        }
        return {**usual, **self.design}

    @property
    def turns(self) -> list[Row]:
        """Its rows of `turns`."""
        return [
            {
                **self.columns,
                "round": number,
                "position": place,
                "seat": f"seat{place}",
                "model": self.panel[place - 1],
                "label": None if label in STATUSES else label,
                "status": label if label in STATUSES else "ok",
                "explanation": self.said,
                "shown": self.said,
                "opening": False,
                **self.own.get((number, f"seat{place}"), {}),
            }
            for number, said in enumerate(self.labels, start=1)
            for place, label in enumerate(said, start=1)
            if label is not None
        ]

    @property
    def replies(self) -> list[Row]:
        """Its rows of `replies`, one for each turn."""
        return [
            {
                **self.columns,
                "step": turn["round"] - 1,
                "slot": turn["position"] - 1,
                "kind": "turn",
                **{name: turn[name] for name in ("round", "position", "seat", "model")},
                "messages": [
                    {"role": "system", "content": self.shown},
                    {"role": "user", "content": f"Round {turn['round']}, {turn['seat']}"},
                ],
                "text": f"{turn['label']}: {self.said}",
                "reasoning": f"Thoughts of {turn['seat']} in round {turn['round']}.",
                "finish_reason": "stop",
                "prompt_tokens": 100,
                "completion_tokens": 7,
                "seconds": 1.5,
                "ask_seed": 1000 + turn["round"],
                "attempts": 1,
            }
            for turn in self.turns
            if not turn["opening"]
        ]

    @property
    def debates(self) -> list[Row]:
        """Its row of `debates`."""
        last = [None if label in STATUSES else label for label in self.labels[-1]]
        agreed = None not in last and len(set(last)) == 1
        usual = {
            "rounds": len(self.labels),
            "outcome": "consensus" if agreed else "no_consensus",
            "standing": "agree" if agreed else "disagree",
            "consensus_label": last[0] if agreed else None,
            "consensus_round": len(self.labels) if agreed else None,
            "final_labels": last,
            "calls": len(self.replies),
            "prompt_tokens": 100 * len(self.replies),
            "completion_tokens": 7 * len(self.replies),
            "status": "finished",
        }
        return [{**self.columns, **usual, **self.ended}]


STATUSES = ("missing", "invalid", "refusal", "truncated")


def judgment(of: Made, id: str, **own: Any) -> dict[str, list[Row]]:
    """The rows of a judgment of a debate, by table; of a label with `kind`."""
    told = {"source_debate": of.id, **own}
    design = {**of.columns, "debate_id": id, "stage": own.get("stage", "judged")}
    usual = {"kind": "judge", "judge": "careful", "pass": 1, "sees": "transcript", "answers": "option"}
    reply = {
        **design,
        **{
            "step": 0,
            "slot": 0,
            "kind": "judge",
            "round": len(of.labels),
            "seat": "judge",
            "model": "careful",
        },
        "messages": [{"role": "user", "content": "Judge what was said."}],
        "text": "Answer: A",
    }
    judged = {"decision": "A", "status": "ok", "source_round": len(of.labels)}
    return {
        "replies": [reply],
        "judgments": [{**design, **usual, **judged, **told}],
        "debates": [
            {**design, "source_debate": of.id, "outcome": "judgment", "standing": "judgment", "calls": 1}
        ],
    }


def case(id: str = "case1", **own: Any) -> Row:
    """A row of `cases`."""
    return {"case_id": id, "title": f"Title of {id}", "text": f"The story of {id}.", **own}


def write(
    run: Path,
    debates: Sequence[Made],
    stem: str = "a-000000",
    cases: Sequence[Row] = (),
    others: Sequence[Mapping[str, Sequence[Row]]] = (),
) -> Path:
    """Writes a part of each table under one stem, as a run does; `others` has rows of others."""
    rows: dict[str, list[Row]] = {
        "replies": [row for one in debates for row in one.replies],
        "turns": [row for one in debates for row in one.turns],
        "debates": [row for one in debates for row in one.debates],
        "cases": list(cases),
    }
    for other in others:
        for table, own in other.items():
            rows.setdefault(table, []).extend(own)
    (run / "tables").mkdir(parents=True, exist_ok=True)
    for table in sorted(rows, key=lambda table: table == "debates"):
        if rows[table]:
            folder = run / "tables" / table
            folder.mkdir(exist_ok=True)
            pq.write_table(pa.Table.from_pylist(rows[table], schema(table)), folder / f"{stem}.parquet")
    return run


def many(count: int) -> list[Made]:
    """Alike debates on cases of their own, in the order of their ids."""
    return [replace(Made(f"d{n:04}"), case=f"case{n:04}") for n in range(count)]
