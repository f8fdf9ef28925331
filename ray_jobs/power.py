"""`moot power`: what an experiment would find out, by its size, before money is spent on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from analysis.model.plan import plan
from analysis.model.population import Population
from analysis.power.expected import Expected, expected
from analysis.power.rates import contrasts
from analysis.power.size import Size, quotas
from analysis.power.trial import Study
from analysis.power.trials import trials
from ray_jobs.cases import CaseRow, load_cases
from ray_jobs.estimate import Range, estimate
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.forecast import forecasts, total_cost
from ray_jobs.located import ExperimentError
from ray_jobs.plan import Plan
from ray_jobs.power_cells import simulable
from ray_jobs.power_files import prepare, write
from ray_jobs.power_page import Cost, power_page
from ray_jobs.power_truth import like_run, paper_names, paper_truth, read_truth
from ray_jobs.power_wish import Wish, planned, tried

CPUS = 2
"""For which the number of draws is reckoned, so that it is the same on every machine."""

SHARE = 0.7
"""Of the time that draws are given; processes take the rest to begin."""

GAUGED_ON = 100
"""Dilemmas that are simulated to know how many verdicts each has."""

FEW_VERDICTS = 20
"""Verdicts of a dilemma below which pairs are less biased than `re`."""


def print_power(file: Path, wish: Wish, console: Console) -> None:
    """Simulates the experiment in every size, prints what it would find out, and writes files of it.

    Raises `ExperimentError` for what cannot be simulated, and `OutError`, before anything is.
    """
    experiment = load_experiment(file)
    cases = load_cases(experiment)
    whole = Plan(experiment, [case.id for case in cases])
    design = simulable(whole.cells, list(whole.stages.values()), wish.steering)
    agents, population = _agents(
        wish, list(dict.fromkeys(m for each in design.conditions for m in each.order))
    )
    study = Study(design.conditions, population, wish.estimator, wish.seed)
    found_sizes = tried(wish, len(cases), experiment.repetitions, len(design.conditions))
    folder = prepare(wish.out or Path("power") / experiment.name)
    quota = _quota(study, found_sizes, wish)
    found = expected(trials(study, quota, wish.processes, wish.seconds), contrasts(study.conditions))
    if found.parameters.empty:
        raise ExperimentError(
            "no draw tells any slope: the simulated seats agree at once or always say the same; allowed: more"
            " --dilemmas, or another --truth"
        )
    console.print(Text.assemble((experiment.name, "bold"), f": agents {agents}; {_how(wish)}"))
    for said in (*design.left_out, *_notes(found, quota, wish)):
        console.print(f"[yellow]note:[/] {escape(said)}", highlight=False, soft_wrap=True)
    costs = {size: _cost(experiment, cases, size) for size in found_sizes}
    console.print(power_page(found, costs, planned(found_sizes, len(cases), experiment.repetitions)))
    names = ", ".join(write(found, folder))
    console.print(f"{folder}: {names}", highlight=False, soft_wrap=True, markup=False)


def _agents(wish: Wish, models: Sequence[str]) -> tuple[str, Population]:
    """Who is simulated, in words and in numbers."""
    if wish.truth is not None:
        return f"of {wish.truth}", read_truth(wish.truth, models)
    if wish.like is not None:
        return f"as in {wish.like}", like_run(wish.like, models)
    return f"of the paper's Table 1, {paper_names(models)}", paper_truth(models)


def _verdicts(study: Study) -> float:
    """How many verdicts a dilemma has in one repetition, about."""
    gauged = study.population.draw(plan(study.conditions, GAUGED_ON), study.seed)
    return float((gauged >= 0).sum()) / GAUGED_ON


def _quota(study: Study, found: Sequence[Size], wish: Wish) -> Mapping[Size, int]:
    """How often each size is drawn, if there is time."""
    if wish.draws is not None:
        return dict.fromkeys(found, wish.draws)
    verdicts = _verdicts(study)
    each = {size: verdicts * size.repetitions for size in found}
    return quotas(each, study.estimator, wish.seconds * SHARE * CPUS)


def _how(wish: Wish) -> str:
    return f"estimator {wish.estimator}, seed {wish.seed}, every verdict readable"


def _notes(found: Expected, quota: Mapping[Size, int], wish: Wish) -> Iterator[str]:
    """What must be known of these figures."""
    sizes = found.sizes
    wanted = [quota[Size(r, d)] for r, d in zip(sizes["repetitions"], sizes["dilemmas"], strict=True)]
    if (sizes["draws"] < wanted).any():
        yield (
            f"after {wish.seconds:g} s there were {sizes['draws'].sum():,} of {sum(wanted):,} draws; more"
            " are drawn with more --seconds"
        )
    if (lost := int((sizes["draws"] - sizes["converged"]).sum())) > 0:
        yield f"{lost:,} of {sizes['draws'].sum():,} fits did not converge; their figures count as they are"
    few = sizes["per_dilemma"].min()
    if wish.estimator == "re" and few < FEW_VERDICTS:
        yield (
            f"a dilemma has {few:.0f} verdicts in the smallest size; below {FEW_VERDICTS} the estimator re is"
            " a little biased: compare with --estimator pairwise"
        )


def _cost(experiment: Experiment, cases: Sequence[CaseRow], size: Size) -> Cost:
    """Calls and dollars of the whole experiment on so many cases like these, as `moot plan` has them."""
    resized = experiment.model_copy(update={"repetitions": size.repetitions})
    figures = estimate(resized, Plan(resized, [f"{number}" for number in range(size.dilemmas)]), cases)
    calls = sum((each.calls for each in figures.models), Range())
    return calls, total_cost(forecasts(experiment, figures))
