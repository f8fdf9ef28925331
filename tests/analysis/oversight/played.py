"""Oversight studies by hand: the rows of a run's tables, a few words for each debate.

Options are one, two, three and four, listed as A, B, C and D; `one` is right unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from analysis.oversight.reading import COLUMNS, Tables, tables
from analysis.oversight.study import Study, study
from analysis.schema import schema

OPTIONS = ("one", "two", "three", "four")
CONFIDENCE = {"l": 0.25, "m": 0.5, "h": 0.75}
MODELS = ("alpha", "beta")
Row = dict[str, Any]


@dataclass
class Played:
    """The rows of each table."""

    rows: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    debates: dict[str, tuple[Row, str]] = field(default_factory=dict)
    """Each debate with its first answers."""

    def question(self, case: str, truth: str | None = "one", source: str | None = None) -> None:
        """A case with options."""
        self.rows["cases"].append(
            {"case_id": case, "options": list(OPTIONS), "truth": truth, "source": source}
        )

    def openings(self, case: str, said: str = "AB", known: bool = False, **design: Any) -> str:
        """The openings of a case, a letter per seat, ? for unreadable; returns the id of their debate."""
        if not known and not any(row["case_id"] == case for row in self.rows["cases"]):
            self.question(case)
        return self._debate(case, "solo", [said], None, {"variant": "{}", **design})

    def debate(
        self, source: str, protocol: str, final: str = "AB", turns: Sequence[str] = (), **design: Any
    ) -> str:
        """A debate that goes on from openings. `final` are its last answers.

        Each of `turns` has a word per seat, as in "Ah Bl": a letter, or ? for unreadable, ! before one that
        breaks a rule, then l, m or h for a confidence.
        """
        before, opened = self.debates[source]
        own = {"repetition": before["repetition"], "listing": before["listing"], "variant": "{}"}
        said = [" ".join(opened), *turns]
        return self._debate(
            before["case_id"], protocol, said, source, {**own, "stage": "oversight", **design}, final
        )

    def resolution(
        self, source: str, *turns: str, exit_mode: str = "consensus", final: str = "AB", **design: Any
    ) -> str:
        """A disagreement resolution."""
        own = {"exit_mode": exit_mode, "variant": '{"turns":5}', **design}
        return self.debate(source, "disagreement_resolution", final, turns, **own)

    def judged(self, debate: str, decision: str, judge: str = "judge", **columns: Any) -> None:
        """A judgment of a debate: a letter, for a winner 1, 2 or neither; ? for unreadable."""
        of, _ = self.debates[debate]
        number = len(self.rows["judgments"])
        unreadable = decision == "?"
        row = {
            **{name: of[name] for name in schema("cases").names[:18] if name in of},
            "debate_id": f"judgment {number:05}",
            "stage": "judges",
            "source_debate": debate,
            "kind": "judge",
            "judge": judge,
            "pass": 1,
            "sees": "transcript",
            "answers": "option",
            "decision": None if unreadable else decision,
            "status": "invalid" if unreadable else "ok",
            **columns,
        }
        self.rows["judgments"].append(row)
        self.rows["debates"].append({**row, "outcome": "judgment"})

    def failed(self, case: str, protocol: str, judge: str = "", **design: Any) -> None:
        """A debate that failed, or, with a judge, a judgment."""
        number = len(self.rows["failures"])
        who = f"judge '{judge}'" if judge else "model 'alpha'"
        own = {"stage": "judges" if judge else "oversight", "message": f"{who}: lost"}
        self.rows["failures"].append(
            {
                **_design(f"failed {number}", case, protocol),
                **own,
                "seat": "judge" if judge else "seat1",
                **design,
            }
        )

    def tables(self, reverse: bool = False, parts: int = 1) -> Tables:
        """The tables that are read of it; the rows in `parts` parts, and in reverse."""
        return tables({name: self._parts(name, reverse, parts) for name in COLUMNS})

    @property
    def study(self) -> Study:
        """The study that it is."""
        return study(self.tables())

    def write(self, run: Path, parts: int = 1) -> Path:
        """A run directory with these tables, each in so many parts that hold whole debates."""
        for name in COLUMNS:
            folder = run / "tables" / name
            folder.mkdir(parents=True)
            ids = sorted({str(row.get("debate_id")) for row in self.rows[name]})
            for number in range(parts):
                own = set(ids[number::parts])
                rows = [row for row in self.rows[name] if str(row.get("debate_id")) in own]
                if rows:
                    table = pa.Table.from_pylist(rows, schema(name))
                    pq.write_table(table, folder / f"{number:05}-a.parquet")
        return run

    def _parts(self, name: str, reverse: bool, parts: int) -> list[pa.Table]:
        rows = self.rows[name][::-1] if reverse else self.rows[name]
        groups = [rows[start::parts] for start in range(parts)]
        return [pa.Table.from_pylist(group, schema(name)).select(COLUMNS[name]) for group in groups]

    def _debate(
        self,
        case: str,
        protocol: str,
        said: Sequence[str],
        source: str | None,
        design: Row,
        final: str | None = None,
    ) -> str:
        number = len(self.rows["debates"])
        own = {**_design(f"debate {number:05}", case, protocol), **design}
        last = final or said[-1]
        labels = [None if letter == "?" else letter for letter in last]
        row = {"exit_mode": None, "source_debate": source, "outcome": "no_consensus", "final_labels": labels}
        self.rows["debates"].append({**own, **row, "exit_mode": own.pop("exit_mode", None)})
        self.debates[str(own["debate_id"])] = (self.rows["debates"][-1], said[0].replace(" ", ""))
        models = own["panel"].split("+")
        for r, word in enumerate(said, start=1):
            turns = word.split() if " " in word else list(word)
            for place, turn in enumerate(turns):
                row = {"round": r, "seat": f"seat{place + 1}", "model": models[place], **_turn(turn)}
                opening = source is not None and r == 1
                self.rows["turns"].append({**own, **row, "opening": opening})
        return str(own["debate_id"])


def _design(id: str, case: str, protocol: str) -> Row:
    return {
        **{"run_id": "run", "stage": "debate", "debate_id": id, "case_id": case, "protocol": protocol},
        **{"variant": "{}", "panel": "+".join(MODELS), "order": "1-2", "n_seats": 2, "labels": "1-2"},
        **{"steering": "vanilla+vanilla", "answer_format": "text", "stance_swap": False, "repetition": 1},
        "listing": "1-2-3-4",
    }


def _turn(word: str) -> Row:
    broken, word = word.startswith("!"), word.removeprefix("!")
    letter = None if word[0] == "?" else word[0]
    return {
        "label": letter,
        "status": "ok" if letter else "missing",
        "confidence": CONFIDENCE.get(word[1:]),
        "violation": "outside" if broken else None,
    }
