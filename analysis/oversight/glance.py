"""An oversight study at a glance: its main counts, without intervals, so that nobody waits for draws."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd
from rich.console import Group, RenderableType
from rich.text import Text

from analysis import naming
from analysis.oversight.actions import by_level
from analysis.oversight.exits import with_mode
from analysis.oversight.moves import ACTIONS, moves, resolutions
from analysis.oversight.scores import scored
from analysis.oversight.study import BY, OF_JUDGE, Study
from analysis.sheet import Named, Sheet

Row = Mapping[Hashable, Any]
FULL = "Intervals, differences and further measures: moot report."


def accuracy(study: Study) -> pd.DataFrame:
    """How many instances each judge decides rightly. Columns: `BY`, `OF_JUDGE`, numerator, denominator.

    An instance with several transcripts counts with the mean over them, as in `accuracy.estimate`.
    """
    keys = [*BY, *OF_JUDGE]
    found = scored(study.known, keys)
    won = found.rows.assign(numerator=found.rows["count"].where(found.rows["right"], 0) / found.grain)
    told = won.groupby(keys, observed=True)["numerator"].sum().reset_index()
    sizes = found.instances.groupby(keys, observed=True).size().rename("denominator").reset_index()
    return told.merge(sizes, on=keys)


def exits(study: Study) -> pd.DataFrame:
    """How many finished resolutions end in each way. Columns: `BY`, exit_mode, numerator, denominator."""
    return _parts(with_mode(resolutions(study)), BY, "exit_mode")


def actions(study: Study) -> pd.DataFrame:
    """How often each consultant did what while they differed: `BY`, model, seat, kind and both counts."""
    rows = by_level(moves(study))
    told = rows[(rows["level"] == "seat") & rows["kind"].isin(ACTIONS)]
    return _parts(told, (*BY, "model", "seat"), "kind", ACTIONS)


def glance(study: Study) -> RenderableType:
    """The counts as tables; those without rows are left out."""
    tables = [
        (accuracy(study), "How often are judges right?", "Of instances with a known answer.", _accuracy),
        (exits(study), "How do disagreement resolutions end?", "Of those that finished.", _exits),
        (
            actions(study),
            "What do consultants do while they differ?",
            "Of turns before which the answers differed and one was right.",
            _actions,
        ),
    ]
    shown: list[RenderableType] = []
    for frame, title, caption, make in tables:
        if len(frame):
            shown += [Text.assemble("\n", (title, "bold"), "\n", (f"{caption} {FULL}", "dim")), make(frame)]
    return Group(*shown)


def _parts(rows: pd.DataFrame, by: Sequence[str], part: str, every: Sequence[str] = ()) -> pd.DataFrame:
    """How many rows of each group are of each part; every part has a row in every group."""
    if rows.empty:
        return pd.DataFrame(columns=[*by, part, "numerator", "denominator"])
    parts = pd.DataFrame({part: [*every] or sorted(rows[part].unique())})
    whole = rows.groupby(list(by), observed=True).size().rename("denominator").reset_index()
    grid = whole.merge(parts, how="cross")
    counts = rows.groupby([*by, part], observed=True).size().rename("numerator").reset_index()
    return grid.merge(counts, on=[*by, part], how="left").fillna({"numerator": 0})


def _accuracy(frame: pd.DataFrame) -> Sheet:
    sheet = Sheet("condition", "judge", [Text("right"), Text("of"), Text("share")])
    for label, rows in _conditions(frame):
        named: list[Named] = [(_judge(row, frame), [*_counts(row), _share(row)]) for row in rows]
        sheet.groups.append((label, named))
    return sheet


def _judge(row: Row, frame: pd.DataFrame) -> str:
    """The judge, and what it sees and answers with where judges differ in that."""
    apart = [name for name in ("sees", "answers") if frame[name].nunique() > 1]
    return ", ".join([str(row["judge"]), *(str(row[name]) for name in apart)])


def _exits(frame: pd.DataFrame) -> Sheet:
    sheet = Sheet("condition", "exit", [Text("debates"), Text("of"), Text("share")])
    for label, rows in _conditions(frame):
        named: list[Named] = [
            (str(row["exit_mode"]).replace("_", " "), [*_counts(row), _share(row)]) for row in rows
        ]
        sheet.groups.append((label, named))
    return sheet


def _actions(frame: pd.DataFrame) -> Sheet:
    sheet = Sheet("condition", "consultant", [*map(Text, ACTIONS), Text("turns")])
    for label, rows in _conditions(frame):
        own: dict[str, list[Row]] = {}
        for row in rows:
            own.setdefault(f"{row['seat']}\n{row['model']}", []).append(row)
        named: list[Named] = [
            (name, [*(_both(row) for row in told), _number(told[0]["denominator"])])
            for name, told in own.items()
        ]
        sheet.groups.append((label, named))
    return sheet


def _conditions(frame: pd.DataFrame) -> list[tuple[str, list[Row]]]:
    """The rows of each condition below its name, which is what tells it from the others."""
    names = naming.differing(frame, BY)
    groups = [(dict(zip(BY, map(str, key), strict=True)), own) for key, own in frame.groupby(list(BY))]
    ordered = sorted(groups, key=lambda one: naming.rank(one[0]))
    return [
        (naming.label({name: design[name] for name in names}), list(own.to_dict("records")))
        for design, own in ordered
    ]


def _counts(row: Row) -> list[Text]:
    return [_number(row["numerator"]), _number(row["denominator"])]


def _both(row: Row) -> Text:
    return Text("\n").join([_number(row["numerator"]), _share(row)])


def _share(row: Row) -> Text:
    return Text(f"{100 * row['numerator'] / row['denominator']:.1f}%")


def _number(value: float) -> Text:
    """A number, of means over transcripts with two decimals."""
    return Text(f"{value:,.2f}".removesuffix(".00"))
