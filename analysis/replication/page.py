"""What repetitions say, as tables for a terminal or a pipe of any width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from analysis.replication.lines import effects, levels, parts, same, spread
from analysis.replication.paper_lines import judged, rates, rule
from analysis.replication.repetitions import same_verdicts
from analysis.replication.replicate import Fitted, Replication
from analysis.replication.table1 import CONVENTION
from analysis.sheet import Sheet

Shown = tuple[str, str, Sheet, Sequence[str]]
"""A title, a caption, a table, and notes below it."""

COLOURS = {"threat": "bold red", "retired": "bold green", "inconclusive": "bold yellow"}

WORDS = {
    "threat": "The ranking that the paper rests on did not come back.",
    "retired": "Table 1 came back.",
    "inconclusive": "Neither is shown: that Table 1 comes back, nor that its ranking does not.",
}


CHANCE = {
    True: "A threat in any repetition stands; where there are few cases, chance alone makes one.",
    False: "Where nothing has changed, chance alone keeps that from being retired in five of six studies of"
    " 200 cases and five repetitions; so equivalence of the means decides.",
}
"""What chance does to the rule where it sees a threat, and where it sees none."""


def page(found: Replication) -> Group:
    """Everything, the outcome first."""
    shown: list[RenderableType] = [_head(found)]
    for title, caption, sheet, notes in _tables(found):
        shown += [Text.assemble("\n", (title, "bold"), "\n", (caption, "dim")), sheet]
        shown += [Text(note, style="dim") for note in notes]
    return Group(*shown)


def _head(found: Replication) -> Text:
    first = found.repetitions[0]
    count = len(found.repetitions)
    lines = [
        Text(f"{count} repetitions of one design", style="bold"),
        Text(
            f"{len(first.cases):,} cases, {len(first.conditions):,} conditions, models"
            f" {', '.join(sorted(first.models))}; repetitions"
            f" {', '.join(one.name for one in found.repetitions)}"
        ),
        *_outcome(found),
        *(
            Text(
                f"{one} and {other} gave the same verdicts in every turn: a copy, or replies without chance.",
                "yellow",
            )
            for one, other in same_verdicts(found.repetitions)
        ),
    ]
    return Text("\n").join(lines)


def _outcome(found: Replication) -> Iterator[Text]:
    """The outcome by equivalence, on the fits to which Table 1 compares."""
    decision, rule = found.as_paper.decision, found.as_paper.rule
    if decision is None or rule is None:
        yield Text(
            "No model of the paper (gpt, claude, gemini) is among these: there is no comparison with its"
            " Table 1. Say which model stands for which with --as gpt=MODEL.",
            "yellow",
        )
        return
    said = {paper: own for paper, own in found.models.items() if paper != own}
    if said:
        yield Text("As the paper's " + ", ".join(f"{paper}: {own}" for paper, own in said.items()))
    yield Text.assemble(
        "\nOutcome: ", (decision.outcome, COLOURS[decision.outcome]), f". {WORDS[decision.outcome]}"
    )
    yield from (Text(f"· {reason}") for reason in decision.reasons)
    yield Text(
        f"By the review's rule taken literally: {rule.outcome}. {CHANCE[rule.outcome == 'threat']}", "dim"
    )


def _tables(found: Replication) -> Iterator[Shown]:
    yield _slopes("Do inertia and conformity come back?", found.own)
    yield _each(found)
    if found.as_paper.decision is not None:
        yield _against(found)
        yield _rule(found)
    if len(found.falsifier):
        yield _falsifier(found)
    if len(found.levels):
        yield (
            "Where does the outcome of a debate vary?",
            "Share of its variance, of conditions, of cases in a condition, and of repetitions of a case.",
            levels(found.levels),
            [],
        )
        yield (
            "Does a case come out the same way again?",
            "ICC: the share of variance between cases that repetitions leave; 95% interval by bootstrap over"
            " cases. 0: no more than chance; 1: always. – where nothing varies; changes of verdict are in the"
            " CSV files (--out).",
            parts(found.variance),
            [],
        )
    if len(found.agreement):
        yield (
            "Does a model give the same first verdict again?",
            "Share of pairs of repetitions, of verdicts before anything was heard; 95% interval by bootstrap"
            " over cases.",
            same(found.agreement),
            [],
        )


def _slopes(title: str, fitted: Fitted) -> Shown:
    one = fitted.fits[0]
    caption = (
        f"Odds ratios: mean over repetitions (of logarithms), 95% interval of it by t, where one more"
        f" repetition would fall, and the interval with cases drawn anew. Estimator {one.estimator};"
        f" {one.convention}."
    )
    notes = [
        "The cases are the same in all repetitions: the first interval holds the noise of sampling replies"
        " alone.",
        "Q: Cochran's test that repetitions do not differ; I²: share of their variation beyond chance; τ: sd"
        " of the true log-odds.",
    ]
    return title, caption, spread(fitted.slopes), notes


def _each(found: Replication) -> Shown:
    tables = {one.name: fit.table() for one, fit in zip(found.repetitions, found.own.fits, strict=True)}
    warned = {note for fit in found.own.fits for note in fit.diagnostics if note.startswith(("Not", "Sep"))}
    title = "Each repetition alone"
    return title, "Odds ratios with their 95% intervals, clustered by case.", effects(tables), sorted(warned)


def _against(found: Replication) -> Shown:
    fits = {"as the paper": found.as_paper, found.own.fits[0].estimator: found.own}
    distinct = dict(list(fits.items())[: 1 if found.own is found.as_paper else 2])
    shown = {name: one.decision.figures for name, one in distinct.items() if one.decision is not None}
    caption = (
        "Odds ratio of the paper, and that of the mean over repetitions as a multiple of it, with its 90%"
        " interval: ✓ where that lies in 0.8 to 1.2 and repetitions agree (p of Q above 5%)."
    )
    notes = [f"The paper's are {CONVENTION}.", "As the paper: fitted and counted as its code does."]
    return "Against the paper's Table 1", caption, judged(shown), notes


def _rule(found: Replication) -> Shown:
    caption = "Of gamma_within, fitted as the paper does: a yes is a threat to its ranking of models."
    return "The review's rule", caption, rule(found.as_paper), []


def _falsifier(found: Replication) -> Shown:
    caption = (
        "Share of synchronous debates of the two in which each left its first verdict, Wilson's 95% interval"
        " below (the paper: claude 28.2%, gpt 3.1%). An overlap would refute the ranking."
    )
    return "Does gpt keep its verdict where claude does not?", caption, rates(found.falsifier), []
