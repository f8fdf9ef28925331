"""`moot plan`: what an experiment plays and takes, printed before anything starts."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from ray_jobs.cases import load_cases
from ray_jobs.endpoints import endpoint_lines
from ray_jobs.engine_rates import measured_rates
from ray_jobs.estimate import Estimate, Range, estimate
from ray_jobs.experiment import load_experiment
from ray_jobs.forecast import above_limits, forecasts, short_of
from ray_jobs.keys import missing_keys
from ray_jobs.plan import Plan
from ray_jobs.plan_cells import HEADINGS, cell_rows, parameters
from ray_jobs.plan_cost import cost_page
from ray_jobs.preflight import preflight
from ray_jobs.stages import Judging, Labelling, StageCell


def print_plan(file: Path, console: Console, like: str | None = None) -> None:
    """Checks the experiment file as a run would, and prints its design.

    `like` is a run in which it is measured how fast engines write.
    """
    measured = measured_rates(like) if like else {}
    experiment = load_experiment(file)
    cases = load_cases(experiment)
    for warning in (*cases.warnings, *preflight(experiment, cases)):
        console.print(f"[yellow]warning:[/] {escape(warning)}", highlight=False, soft_wrap=True)
    plan = Plan(experiment, [case.id for case in cases])
    factors = [(len(cases), "case"), (len(plan.cells), "cell"), (plan.repetitions, "repetition")]
    size = " × ".join(_counted(*factor) for factor in factors)
    console.print(Text.assemble((experiment.name, "bold"), f": {size} = {_counted(len(plan), 'debate')}"))
    figures = estimate(experiment, plan, cases)
    console.print(plan_page(figures))
    for line in endpoint_lines(experiment, [each.model for each in figures.models if each.calls.most]):
        console.print(Text(line), soft_wrap=True)
    console.print(cost_page(forecasts(experiment, figures, measured), experiment.budget))
    for model, key in missing_keys({each: experiment.models[each] for each in plan.models}):
        console.print(
            f"note: {key} is not set in this shell; it is to hold the key of {model}", highlight=False
        )
    for warning in (*short_of(experiment, figures), *above_limits(experiment, figures)):
        console.print(f"[yellow]warning:[/] {escape(warning)}", highlight=False, soft_wrap=True)


def plan_page(figures: Estimate) -> RenderableType:
    """The tables of cells and of models."""
    of_cells = _table("Cells of the design")
    for heading in HEADINGS[:-2]:
        of_cells.add_column(heading, overflow="fold")
    for heading in HEADINGS[-2:]:
        of_cells.add_column(heading, justify="right")
    for row in cell_rows(figures.cells):
        of_cells.add_row(*row)
    of_cells.add_section()
    of_cells.add_row("all", *[""] * 6, f"{figures.debates:,}", str(figures.calls))
    return Group("", of_cells, "", *_stages(figures), _models(figures))


def _stages(figures: Estimate) -> list[RenderableType]:
    if not figures.stages:
        return []
    table = _table("Stages")
    for heading in ("stage", "from", "keep", "makes"):
        table.add_column(heading, overflow="fold")
    for heading in ("times", "calls"):
        table.add_column(heading, justify="right")
    for each in figures.stages:
        stage = each.stage
        makes = ", ".join(dict.fromkeys(map(_made, stage.cells)))
        row = (stage.name, stage.source, stage.keep, makes)
        table.add_row(*row, str(each.debates), str(each.calls))
    return [table, ""]


def _made(cell: StageCell) -> str:
    if isinstance(cell, Judging):
        seen = "" if cell.sees == "transcript" else f", who sees {cell.sees}"
        return f"a judgment by {cell.model}{seen}"
    if isinstance(cell, Labelling):
        return f"labels by {cell.model}"
    told = parameters(cell.variant, "drawn", cell.stance_swap)
    steering = cell.steering if isinstance(cell.steering, str | None) else "+".join(cell.steering)
    return f"{cell.protocol} ({', '.join(filter(None, [told, steering and f'steering {steering}']))})"


def _models(figures: Estimate) -> RenderableType:
    models = _table("Models")
    models.add_column("model")
    for heading in ("calls", "prompt tokens", "completion tokens, at most"):
        models.add_column(heading, justify="right")
    models.add_column("tokens")
    for model in figures.models:
        how = "counted by its tokenizer" if model.counted else "estimated, 4 characters each"
        completion = str(model.completion_tokens)
        models.add_row(model.model, str(model.calls), str(model.prompt_tokens), completion, how)
    models.add_section()
    totals = [
        sum((getattr(model, of) for model in figures.models), Range())
        for of in ("calls", "prompt_tokens", "completion_tokens")
    ]
    models.add_row("all", *map(str, totals), "")
    note = "Ranges go from all seats agreeing in round 1 to never, with replies as long as max_tokens allows"
    of_stages = "; for stages that keep some debates, from none to all" if figures.stages else ""
    return Group(models, Text(f"{note}{of_stages}.", style="dim"))


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
