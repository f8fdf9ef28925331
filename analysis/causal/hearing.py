"""The planted arm: the first verdict of each seat after it heard the one that the plan drew."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from analysis.causal.arms import NONE, Planted
from analysis.model.features import SEQUENTIAL
from analysis.model.reading import VIEWS, steered
from analysis.report.units import several

PROTOCOLS = ("synchronous", "round_robin", "hybrid")
"""The structures in which it is known who hears a confederate when."""


def planted(
    turns: pd.DataFrame, labels: Sequence[str], failed: pd.DataFrame
) -> tuple[Planted | None, list[str]]:
    """The verdicts of debates with a confederate (`reading.READ`), with what was left out in words."""
    if turns.empty:
        return None, []
    turns, notes = _usable(turns)
    if turns.empty:
        return None, notes
    answers = _answers(turns)
    twice = (answers["confederates"] > 0) & (answers["earlier"] > 0) & (answers["protocol"] == "hybrid")
    if twice.any():
        notes.append(
            f"Planted: {int(twice.sum()):,} verdicts of hybrid debates left out: by then the planted verdict"
            " was heard in two rounds."
        )
    answers = answers[~twice].reset_index(drop=True)
    return (_arrays(answers, labels, _failed(failed), _unsaid(turns)) if len(answers) else None), notes


def _usable(turns: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The debates of which the first answer to the planted verdict is known, and why others are left out."""
    notes, kept = [], pd.Series(True, turns.index)
    for why, out in _left_out(turns):
        lost = turns.loc[out & kept, "debate_id"].nunique()
        notes += [f"Planted: {several(lost, 'debate')} left out: {why}."] if lost else []
        kept &= ~out
    if not kept.any():
        return turns[kept], notes
    used, note = steered(turns[kept])
    return used, [*notes, *([f"Planted: {note}"] if note else [])]


def _left_out(turns: pd.DataFrame) -> Iterator[tuple[str, pd.Series[bool]]]:
    """Why debates cannot be used, and the turns of those."""
    variants = turns["variant"].astype("str").map(lambda one: json.loads(one or "{}"))
    yield (
        f"only of {', '.join(PROTOCOLS)} it is known when a confederate is heard",
        ~turns["protocol"].isin(PROTOCOLS),
    )
    yield "they go on from others", turns["debate_id"].isin(set(turns.loc[turns["opening"], "debate_id"]))
    less = variants.map(lambda one: any(name in VIEWS for name in one)).astype(bool)
    yield "their seats do not hear all that was said (hears, exposure, history)", less
    ends = variants.map(lambda one: one.get("stop", "consensus") != "never").astype(bool)
    yield (
        "they end with consensus, so whether the planted verdict is answered depends on it; take stop: never",
        ends & ~turns["protocol"].isin(SEQUENTIAL),
    )


def _answers(turns: pd.DataFrame) -> pd.DataFrame:
    """A row for each seat that hears a confederate: its first verdict after that, with what it heard.

    `confederates` and `earlier` count those heard of the round before and of the same round.
    """
    turns = turns.assign(confederate=turns["stance"].notna())
    places = turns.loc[turns["confederate"] & (turns["round"] == 1), ["debate_id", "position"]]
    by_debate = {
        str(key): own.to_numpy() for key, own in places.groupby("debate_id", observed=True)["position"]
    }
    real = turns[~turns["confederate"]]
    first = real[real["round"] == 1]
    heard = [
        (len(all), int((all < position).sum()))
        for id, position in zip(first["debate_id"].astype("str"), first["position"], strict=True)
        for all in [by_debate.get(id, np.empty(0))]
    ]
    told = first.assign(all=[one for one, _ in heard], before=[two for _, two in heard])
    at_once = (told["protocol"].isin(SEQUENTIAL) & (told["before"] > 0)).to_numpy(bool)
    later = real.loc[real["round"] == 2, ["debate_id", "seat", "label"]].rename(columns={"label": "second"})
    told = told.merge(later, how="left", on=["debate_id", "seat"], indicator=True)
    told = told.assign(
        within=at_once,
        said=told["label"].astype("object").where(at_once, told["second"].astype("object")),
        own=told["label"].astype("object").where(~at_once),
        confederates=told["all"].where(~at_once, 0),
        earlier=told["before"].where(at_once | (told["protocol"] == "hybrid"), 0),
    )
    return told[(told["all"] > 0) & (at_once | (told["_merge"] == "both").to_numpy())]


def _arrays(answers: pd.DataFrame, labels: Sequence[str], failed: Counter[str], unsaid: int) -> Planted:
    names = pd.Index(labels)
    cases, models = (sorted(set(answers[name].astype("str"))) for name in ("case_id", "model"))
    said = names.get_indexer(pd.Index(answers["said"])).astype(np.int64)
    model = answers["model"].astype("str")
    return Planted(
        said=said,
        planted=names.get_indexer(pd.Index(answers["planted"])).astype(np.int64),
        before=names.get_indexer(pd.Index(answers["own"])).astype(np.int64),
        case=pd.Index(cases).get_indexer(pd.Index(answers["case_id"].astype("str"))).astype(np.int64),
        model=pd.Index(models).get_indexer(pd.Index(model)).astype(np.int64),
        draw=pd.factorize(answers["debate_id"])[0].astype(np.int64),
        heard=(answers["confederates"] + answers["earlier"]).to_numpy(np.int64),
        within=answers["within"].to_numpy(bool),
        labels=tuple(labels),
        cases=tuple(cases),
        models=tuple(models),
        unreadable=Counter(model[said == NONE]),
        failed=failed,
        unsaid=unsaid,
    )


def _failed(failed: pd.DataFrame) -> Counter[str]:
    """The failed debates of each model that would have heard a confederate."""
    lost: Counter[str] = Counter()
    for panel, variant in zip(failed["panel"], failed["variant"], strict=True):
        confederates = set(json.loads(variant or "{}").get("planted", {}).get("seats", []))
        lost.update(
            model for seat, model in enumerate(str(panel).split("+"), start=1) if seat not in confederates
        )
    return lost


def _unsaid(turns: pd.DataFrame) -> int:
    """The debates in which a confederate gave no verdict, or another than was drawn, in round 1."""
    confederate = turns["stance"].notna() & (turns["round"] == 1)
    other = turns["label"].astype("object").fillna("") != turns["planted"].astype("object")
    return int(turns.loc[confederate & other, "debate_id"].nunique())
