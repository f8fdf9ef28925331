"""The slopes of the paper on interaction protocols (arXiv 2510.10002), its Table 1."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import pandas as pd

MAIN = ("gpt", "claude", "gemini")
"""The models of Table 1; the paper fits others apart from them."""

CONVENTION = (
    "log-odds of its fourth version, from its published code: counts of others in all earlier rounds,"
    " posterior mode under its priors. Its third version prints odds ratios (alpha: gpt 8.27, claude 4.49,"
    " gemini 2.83; gamma_within: gpt 8.68, gemini 5.21)"
)
"""How the figures of the table are counted and estimated."""


class UnknownModel(ValueError):
    """A model that is not in the paper, or not in the runs; the message says which there are."""


@cache
def table1() -> pd.DataFrame:
    """A row for each model and term: model; term; coef, low and high (95%) in log-odds, null if not given."""
    with files("analysis.replication").joinpath("table1.csv").open("r", encoding="utf-8") as file:
        return pd.read_csv(file)


def matched(models: tuple[str, ...], given: Mapping[str, str]) -> dict[str, str]:
    """The paper's models by name, each with the model of the runs that stands for it.

    A model that has the paper's name stands for it by itself; `given` says others. Raises `UnknownModel`.
    """
    papers = list(dict.fromkeys(table1()["model"]))
    for paper, own in given.items():
        if paper not in papers:
            raise UnknownModel(f"the paper has no model {paper!r}; it has {', '.join(papers)}")
        if own not in models:
            raise UnknownModel(
                f"{paper}={own}: these runs have no model {own!r}; they have {', '.join(models)}"
            )
    found = {paper: paper for paper in papers if paper in models} | dict(given)
    twice = [own for own in found.values() if list(found.values()).count(own) > 1]
    if twice:
        raise UnknownModel(
            f"{twice[0]!r} stands for {' and '.join(p for p, o in found.items() if o == twice[0])}"
        )
    return {paper: found[paper] for paper in papers if paper in found}


def reference(models: Mapping[str, str]) -> pd.DataFrame:
    """The rows of `table1` of these models, by the parameter of the runs: "alpha[my-model]"."""
    rows = table1()[table1()["model"].isin(list(models))]
    names = [f"{term}[{models[model]}]" for model, term in zip(rows["model"], rows["term"], strict=True)]
    return rows.set_index(pd.Index(names, name="parameter"))
