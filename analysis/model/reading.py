"""The debates of a run as the model reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from analysis.courses import ALONE
from analysis.labels import due
from analysis.model.features import COLUMNS, NothingToFit
from analysis.naming import USUAL
from analysis.part import load
from analysis.storage import opened
from analysis.tables import survey
from analysis.tally import CONDITION
from protocols.sections import OPENED

READ = tuple(dict.fromkeys((*COLUMNS, *CONDITION, "n_seats", "repetition")))
"""What is read of `turns`: what the model needs, the condition, and which play of it this is."""

REASKED = "reask"
"""The protocol in which each seat is asked again and hears nobody."""

VIEWS = ("hears", "exposure", "history")
"""The parameters by which a seat hears less than all that was said, or hears it in another form."""


def read_debates(run: str | Path) -> pd.DataFrame:
    """The turns of all finished debates in which seats hear each other: those of `READ`, names as categories.

    Rows are sorted by debate, round and position, so that nothing depends on how they are stored. Raises
    `tables.RunNotFound`, or `part.PartError` for a part that is torn or foreign.
    """
    files, _ = opened(run)
    found = [load(files, part, (*READ, "planted"), encoded=True) for part in survey(run, "turns")]
    if not found:
        return pd.DataFrame(columns=list(READ))
    together = pa.concat_tables([heard(part) for part in found]).unify_dictionaries()
    return ordered(together.select(list(READ)).to_pandas())


def read_failed(run: str | Path) -> pd.DataFrame:
    """The debates of the same kind that failed, a row for each failure: the condition, case_id, repetition.

    Raises as `read_debates` does.
    """
    files, _ = opened(run)
    columns = (*CONDITION, "case_id", "n_seats", "repetition")
    found = [heard(load(files, part, (*columns, "planted"))) for part in survey(run, "failures")]
    if not found:
        return pd.DataFrame(columns=list(columns))
    failed: pd.DataFrame = pa.concat_tables(found).select(list(columns)).to_pandas()
    return failed.assign(
        **{name: failed[name].astype("str").fillna("") for name in CONDITION},
        repetition=failed["repetition"].fillna(1).astype("int64"),
    )


def heard(turns: pa.Table) -> pa.Table:
    """Those of debates of two seats or more in which one hears another and speaks for itself, in rounds.

    A debate with a planted verdict is none: what a confederate says is the plan's (`analysis.causal`).
    """
    others = pc.is_in(turns["protocol"].cast(pa.string()), pa.array((*ALONE, *OPENED)))
    free = pc.and_(pc.invert(others), pc.is_null(turns["planted"]))
    return turns.filter(pc.and_(pc.greater_equal(turns["n_seats"], 2), free))


def viewed(variant: str) -> bool:
    """Whether the parameters of a protocol, canonical JSON, say that a seat does not hear all of it."""
    return any(name in VIEWS for name in json.loads(variant or "{}"))


def full_views(turns: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The debates in which seats hear all that was said, if there are such, and a sentence on the others."""
    variants = turns["variant"].astype("str")
    less = variants.map({one: viewed(one) for one in variants.unique()}).to_numpy(bool)
    if not less.any():
        return turns, ""
    if less.all():
        return turns, (
            "In all debates seats hear less than was said, or in another form (hears, exposure, history):"
            " what is counted as heard is what was said."
        )
    kept = turns[~less]
    return kept, (
        f"Only debates in which seats hear all that was said: {kept['debate_id'].nunique():,} of"
        f" {turns['debate_id'].nunique():,}."
    )


def ordered(turns: pd.DataFrame) -> pd.DataFrame:
    """The turns with names as sorted categories, sorted by debate, round and position.

    What is null in the condition is "", a repetition that is null is the first.
    """
    names = [name for name in (*CONDITION, *COLUMNS) if name not in ("round", "position", "opening")]
    named = turns.assign(
        **{name: _sorted(turns[name], "" if name in CONDITION else None) for name in dict.fromkeys(names)},
        repetition=turns["repetition"].fillna(1).astype("int64"),
        opening=turns["opening"].eq(True),
    )
    return named.sort_values(["debate_id", "round", "position"], kind="stable", ignore_index=True)


def _sorted(column: pd.Series[str], null: str | None) -> pd.Series[pd.CategoricalDtype[str]]:
    """The column as sorted categories, without those that do not occur."""
    named = column.astype("category")
    if null is not None and named.isna().any():
        named = named.cat.add_categories([null]).fillna(null)
    known = named.cat.remove_unused_categories()
    return known.cat.reorder_categories(sorted(known.cat.categories))


def steered(turns: pd.DataFrame, steering: str | None = None) -> tuple[pd.DataFrame, str]:
    """The debates of one steering, that all seats have, and a sentence where others are left out.

    By default those of the usual steering, where there are any, else all; of these, where there are any, the
    debates in which seats hear all that was said. Raises `NothingToFit` for a steering that no debate has.
    """
    kept, said = _of_steering(turns, steering)
    kept, views = full_views(kept)
    return kept, " ".join(filter(None, [said, views]))


def _of_steering(turns: pd.DataFrame, steering: str | None) -> tuple[pd.DataFrame, str]:
    found = sorted(set(turns["steering"].dropna()))
    wanted = steering or USUAL["steering"]
    alike = [one for one in found if set(one.split("+")) == {wanted}]
    if not alike and steering:
        raise NothingToFit(f"no debate has the steering {steering!r} in all seats; found {', '.join(found)}")
    if len(alike) == len(found):
        return turns, ""
    if not alike:
        return turns, f"All steerings are pooled: {', '.join(found)}."
    kept = turns[turns["steering"].isin(alike)]
    return kept, (
        f"Only debates of the steering {wanted} in all seats: {kept['debate_id'].nunique():,} of"
        f" {turns['debate_id'].nunique():,}."
    )


def labels_of(turns: pd.DataFrame) -> tuple[str, ...]:
    """The labels that may be given: the five verdicts, or for questions the answers that were."""
    return tuple(due(turns["label"].dropna().unique()))
