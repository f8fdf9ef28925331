"""`moot plan`: what an experiment plays and takes, printed before anything starts."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from ray_jobs.cases import load_cases
from ray_jobs.estimate import Estimate, Range, estimate
from ray_jobs.experiment import load_experiment
from ray_jobs.plan import Plan
from ray_jobs.preflight import preflight


def print_plan(file: Path, console: Console) -> None:
    """Checks the experiment file as a run would, and prints its design."""
    experiment = load_experiment(file)
    cases = load_cases(experiment)
    for warning in preflight(experiment, cases):
        console.print(f"[yellow]warning:[/] {escape(warning)}", highlight=False, soft_wrap=True)
    plan = Plan(experiment, [case.id for case in cases])
    size = f"{len(cases):,} cases × {len(plan.cells):,} cells × {plan.repetitions:,} repetitions"
    console.print(Text.assemble((experiment.name, "bold"), f": {size} = {len(plan):,} debates"))
    console.print(plan_page(estimate(experiment, plan, cases)))


def plan_page(figures: Estimate) -> RenderableType:
    """The tables of cells and of models."""
    cells = _table("Cells of the design")
    for heading in ("protocol", "panel", "order", "steering", "answer", "labels", "parameters"):
        cells.add_column(heading, overflow="fold")
    for heading in ("debates", "calls"):
        cells.add_column(heading, justify="right")
    for each in figures.cells:
        cell = each.cell
        labels = cell.labels if isinstance(cell.labels, str) else "-".join(map(str, cell.labels))
        cells.add_row(
            cell.protocol,
            "+".join(cell.panel),
            "-".join(map(str, cell.order)),
            "+".join(dict.fromkeys(cell.steering)),
            cell.answer_format,
            labels,
            ", ".join(f"{name} {value}" for name, value in cell.params.items()),
            f"{each.debates:,}",
            _range(each.calls),
        )
    cells.add_section()
    cells.add_row("all", *[""] * 6, f"{figures.debates:,}", _range(figures.calls))
    return Group("", cells, "", _models(figures))


def _models(figures: Estimate) -> RenderableType:
    models = _table("Models")
    models.add_column("model")
    for heading in ("calls", "prompt tokens", "completion tokens, at most"):
        models.add_column(heading, justify="right")
    models.add_column("tokens")
    for model in figures.models:
        how = "counted by its tokenizer" if model.counted else "estimated, 4 characters each"
        completion = _range(model.completion_tokens)
        models.add_row(model.model, _range(model.calls), _range(model.prompt_tokens), completion, how)
    note = Text(
        "Ranges go from all seats agreeing in round 1 to never, with replies as long as max_tokens allows.",
        style="dim",
    )
    return Group(models, note)


def _range(figures: Range) -> str:
    least, most = f"{figures.least:,}", f"{figures.most:,}"
    return least if least == most else f"{least} to {most}"


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
