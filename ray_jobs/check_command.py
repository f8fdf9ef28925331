"""`moot check`: what somebody wrote in a file of their own, tried before any model is asked.

What a function is shows in its first parameter: a protocol takes a `case`, a measure `turns`, an answer
format the usual `form`.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from rich.console import Console

from protocols.laws.forms import USUAL, form_problems
from protocols.own.form import own_form
from protocols.own.module import function, imported
from protocols.own.signature import refuse_no_protocol
from protocols.own.source import SEP, Source, SourceError
from ray_jobs.located import ExperimentError
from ray_jobs.own_in_experiment import Use, truth_problems, uses
from ray_jobs.own_sources import OWN, read_source
from ray_jobs.own_trial import tried

Kind = Literal["protocol", "measure", "answer format"]
KINDS: dict[str, Kind] = {"case": "protocol", "turns": "measure", "form": "answer format"}
SIZES = (2, 3, 5)
Checked: TypeAlias = tuple[str, Sequence[str], str]
"""A golden script, what was found, and what it was tried on."""

ROUNDS = 4
ALLOWED = (
    "a protocol, def NAME(case, *, rounds=4), an answer format, def NAME(form), or a measure, def NAME(turns)"
)


def check_file(given: str, sizes: Sequence[int], experiment: Path | None, console: Console) -> bool:
    """Checks all that a file holds, or `FILE:NAME` of it; whether nothing was found wrong.

    Protocols are tried on panels of these sizes, with their defaults; or as an `experiment` has them.
    Raises `SourceError` for a file that cannot be imported, `ExperimentError` for one that holds nothing.
    """
    named = OWN.fullmatch(given)
    path = Path(named["file"] if named else given)
    if not path.is_file():
        raise ExperimentError(f"found no file {path}; allowed: FILE.py, or FILE.py:NAME")
    source = read_source(path, str(path))
    there = kinds(source)
    wanted = [named["name"]] if named and named["name"] else list(there)
    if unknown := [name for name in wanted if name not in there]:
        raise ExperimentError(
            f"{path}: found no '{unknown[0]}' to check; it has: {_listed(there)}; {ALLOWED}"
        )
    if not wanted:
        told = "; ".join(source.at(line, what) for line, what in _no_kind(ast.parse(source.text)))
        raise ExperimentError(f"{told or path}: found nothing to check; allowed: {ALLOWED}")
    kept = [_check(source, name, there[name], sizes, experiment, console) for name in wanted]
    return all(kept)


def kinds(source: Source) -> dict[str, Kind]:
    """What each public function of a source is, by its name. Raises `SourceError` for a text of no Python."""
    try:
        tree = ast.parse(source.text)
    except SyntaxError as error:
        raise SourceError(source.at(error.lineno or 1, f"found no Python: {error.msg}")) from None
    plain = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [each for each in tree.body if isinstance(each, plain) and each.name[0] != "_"]
    first = [(each, arg.arg) for each in found for arg in (*each.args.posonlyargs, *each.args.args)[:1]]
    return {
        each.name: KINDS[arg]
        for each, arg in first
        if arg in ("turns", "form") or (arg == "case" and _is_protocol(each))
    }


def _no_kind(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The lines of functions of a file that are nothing of the kind, and why not."""
    for each in tree.body:
        if isinstance(each, ast.FunctionDef) and each.name[0] != "_":
            first = [arg.arg for arg in (*each.args.posonlyargs, *each.args.args)[:1]]
            why = f"first takes {first[0]}" if first else "takes nothing first"
            yield each.lineno, f"{each.name} {'has no yield in it' if first == ['case'] else why}"


def _is_protocol(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it is meant as one: it yields, or it is `async`, which neither it nor a helper may be."""
    return isinstance(function, ast.AsyncFunctionDef) or any(
        isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(function)
    )


def sizes_of(given: str | None) -> Sequence[int]:
    """The sizes of panels in a list such as 2,3,5."""
    if given is None:
        return SIZES
    if not re.fullmatch(r"[1-9]\d?(,[1-9]\d?)*", given):
        raise ExperimentError(f"--seats: found '{given}'; allowed: numbers of seats, as 2,3,5")
    return [int(size) for size in given.split(",")]


def _check(
    source: Source, name: str, kind: Kind, sizes: Sequence[int], experiment: Path | None, console: Console
) -> bool:
    match kind:
        case "measure":
            script, found, tried_on = _measure(source, name)
        case "answer format":
            script, found, tried_on = _form(source, name)
        case "protocol":
            script, found, tried_on = _protocol(source, name, sizes, experiment)
    article = "an" if kind == "answer format" else "a"
    for line in _told(f"{source.file}:{name} ({source.hash}), {article} {kind}", script, found, tried_on):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    return not found


def _measure(source: Source, name: str) -> Checked:
    from ray_jobs.measure_check import measure_found  # which needs pandas, that protocols do not

    return "", measure_found(source, name), "made-up debates in any order and spread"


def _form(source: Source, name: str) -> Checked:
    imported(source)
    made = own_form(f"{name}{SEP}{source.hash}")
    found = list(dict.fromkeys(each for usual in USUAL for each in form_problems(made(usual))))
    return "", found, f"replies with every label of {len(USUAL)} cases are read as they were written"


def _protocol(source: Source, name: str, sizes: Sequence[int], experiment: Path | None) -> Checked:
    imported(source)
    protocol = function(source, name)
    refuse_no_protocol(source, protocol)
    called = f"{name}{SEP}{source.hash}"
    told = {"rounds": ROUNDS} if "rounds" in inspect.signature(protocol).parameters else {}
    ways = uses(experiment, called) if experiment else [Use(told, ROUNDS, tuple(sizes))]
    verdicts = [tried(source, name, way.sizes, way.rounds, way.params) for way in ways]
    found = [each for verdict in verdicts for each in verdict.found]
    found += truth_problems(experiment, called) if experiment else []
    debates = sum(verdict.debates for verdict in verdicts)
    return verdicts[0].script, found, f"{debates} scripted debates"


def _told(title: str, script: str, found: Sequence[str], tried_on: str) -> Iterator[str]:
    if script:
        yield script
    if found:
        yield f"{title}, breaks {len(found)} of the laws:"
        yield from (f"- {each}" for each in found)
    else:
        yield f"{title}, keeps to the laws: {tried_on}"


def _listed(there: dict[str, Kind]) -> str:
    return ", ".join(f"{name} (a {kind})" for name, kind in there.items()) or "nothing of the kind"
