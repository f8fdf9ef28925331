"""For the tests of values: debates with the values of their turns as plain data, and their tables."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from analysis.schema import schema
from analysis.values.counted import Counted, counted
from analysis.values.counting import count
from analysis.values.labels import COLUMNS, Labels, gather
from analysis.values.said import COLUMNS as TURNS
from analysis.values.taxonomy import Taxonomy
from tests.analysis.counting import said
from tests.analysis.synthetic import UNREADABLE, Debate, draw, table, write

TAXONOMY = Taxonomy(tuple("abcdefgh"), (*"11122", "", "", "3"))
"""Values a to h: a, b and c are related, and d and e; the others to none."""

LISTED = "\n".join(
    [
        "value,definition,group",
        *(f"{one},a value,{group}" for one, group in zip(TAXONOMY.values, TAXONOMY.groups, strict=True)),
        "",
    ]
)
"""The same as the text of a CSV file."""

Label = str | None
"""The values of a turn, a letter each, as "ac"; "" for none of them; a status in brackets; None: no label."""


@dataclass(frozen=True)
class Labelled:
    """A debate and the values of its turns, `values[r][i]` those of seat i in round r + 1."""

    debate: Debate
    values: tuple[tuple[Label, ...], ...]

    def rows(self, judge: str = "judge", number: int = 1) -> list[dict[str, Any]]:
        """Its rows of judgments, one for every turn that has a label."""
        return [
            {
                **self.debate.design,
                "debate_id": f"labels of {self.debate.id} by {judge} {number}",
                "stage": "values",
                "kind": "label",
                "judge": judge,
                "pass": number,
                "source_debate": self.debate.id,
                "source_round": r,
                "source_seat": f"seat {i}",
                "sees": "explanation",
                "status": label.strip("()") if label.startswith("(") else "ok",
                "judged_labels": None if label.startswith("(") else list(label),
            }
            for r, row in enumerate(self.values, start=1)
            for i, label in enumerate(row, start=1)
            if label is not None
        ]


def talk(
    *turns: str, models: Sequence[str] = ("alpha", "beta"), case: str = "a case", id: str = "d", **design: Any
) -> Labelled:
    """A debate from a word per round: for each seat its verdict's letter, a colon and its values, in blanks.

    "N:ab Y:" are two seats, the second of which named no value; "N:-" is a turn without a label.
    """
    rounds = [[turn.split(":") for turn in round.split()] for round in turns]
    debate = Debate(
        id,
        "synchronous",
        tuple(models),
        "1-2",
        "default",
        said(*("".join(v for v, _ in row) for row in rounds)),
    )
    values = tuple(tuple(None if label == "-" else label for _, label in row) for row in rounds)
    return Labelled(replace(debate, case=case, **design), values)


def judgments(labelled: Iterable[Labelled], judge: str = "judge", number: int = 1) -> pa.Table:
    """The labels as a table of judgments."""
    rows = [row for one in labelled for row in one.rows(judge, number)]
    return pa.Table.from_pylist(rows, schema("judgments"))


def turns(labelled: Iterable[Labelled]) -> pa.Table:
    """The turns of the debates."""
    return table([one.debate for one in labelled], "turns").select(TURNS)


def labels_of(labelled: Sequence[Labelled], *judges: tuple[str, int]) -> Labels:
    """The labels, as given by each of the judges in these passes alike."""
    tables = [judgments(labelled, *judge).select(COLUMNS) for judge in judges or (("judge", 1),)]
    return gather(tables, TAXONOMY)


def measured(labelled: Sequence[Labelled], labels: Labels | None = None, **options: Any) -> Counted:
    """Everything counted, ready to be estimated from."""
    labels = labels or labels_of(labelled)
    return counted(count(turns(labelled), labels, **options), labels)


def random_labels(seed: int, n: int, lost: float = 0.1) -> list[Labelled]:
    """Debates drawn at random, without those that failed, with values drawn at random."""
    dice = random.Random(f"values {seed}")
    debates = [debate for debate in draw(seed, n) if not debate.error]
    return [
        Labelled(debate, tuple(tuple(_label(dice, lost) for _ in row) for row in debate.said))
        for debate in debates
    ]


def write_run(
    run: Path, labelled: Sequence[Labelled], judges: Mapping[str, Sequence[Labelled]], parts: int = 1
) -> Path:
    """A run directory with these debates, and beside it labels by each of the judges."""
    debates = [one.debate for one in labelled]
    write(run, [debates[start::parts] for start in range(parts)], ("turns", "debates"))
    for judge, given in judges.items():
        write_labels(run, judge.replace(":", "-"), judgments(given, judge))
    return run


def write_labels(run: Path, name: str, rows: pa.Table) -> None:
    """Labels beside a run, under this name."""
    folder = run / "judgments" / name
    write_tables(folder, rows)
    (folder / "values.csv").write_text(LISTED)


def write_tables(folder: Path, rows: pa.Table) -> None:
    """Rows of judgments as a part of the tables of a run directory."""
    ended = pa.Table.from_pylist(
        [{"debate_id": id} for id in rows["debate_id"].unique().to_pylist()], schema("debates")
    )
    for table_name, own in (("judgments", rows), ("debates", ended)):
        (folder / "tables" / table_name).mkdir(parents=True, exist_ok=True)
        pq.write_table(own, folder / "tables" / table_name / "90000-a.parquet")


def _label(dice: random.Random, lost: float) -> Label:
    if dice.random() < lost:
        return dice.choice((None, "(unknown)", "(too_many)", f"({dice.choice(UNREADABLE)})"))
    return "".join(sorted(dice.sample(TAXONOMY.values, dice.choice((0, 1, 2, 2, 3, 5)))))
