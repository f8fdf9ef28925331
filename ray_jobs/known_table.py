"""The models that are known by name, printed."""

from __future__ import annotations

import yaml
from rich.console import Console
from rich.table import Table

from ray_jobs.located import ExperimentError
from serving.known_models import Known, known_model, known_models


def print_known(console: Console) -> None:
    """A table of all of them: where each runs, its context, and how it is spread over GPUs of 80 GB."""
    table = Table(box=None, pad_edge=False)
    for heading in ("name", "backend", "model"):
        table.add_column(heading, overflow="fold")
    for heading in ("context", "GPUs", "cache, tokens"):
        table.add_column(heading, justify="right")
    table.add_column("thinks")
    for name, known in known_models().items():
        table.add_row(name, known.block["backend"], known.block["model"], *_figures(known), _thinks(known))
    console.print(table)
    console.print(
        "models: {NAME: {from: NAME OF THIS TABLE, ...}}; keys beside 'from' stand above it. GPUs of 80 GB:"
        " those that share each layer × groups that share the layers; not tried on any.",
        highlight=False,
    )


def show_known(name: str, console: Console) -> None:
    """The block of one of them as YAML, and in comments what else is known.

    Raises `ExperimentError` for a name that is not known.
    """
    try:
        known = known_model(name)
    except ValueError as error:
        raise ExperimentError(f"found '{name}'; allowed: {error}") from None
    for what in ("context", "reasoning", "chat", "source"):
        _plain(console, f"# {what}: {getattr(known, what)}")
    if known.gated:
        _plain(console, "# gated: accept its terms on its page of the hub, and set HF_TOKEN on the nodes")
    if known.size is not None:
        _plain(console, f"# on GPUs of 80 GB: {known.cache:,} tokens of KV cache beside the weights")
    _plain(console, yaml.safe_dump({name: known.block}, sort_keys=False).rstrip())


def _figures(known: Known) -> tuple[str, str, str]:
    across, along = known.parallelism
    if known.size is None:
        return f"{known.context:,}", "–", "–"
    return f"{known.context:,}", f"{across} × {along}" if along > 1 else f"{across}", f"{known.cache:,}"


def _thinks(known: Known) -> str:
    return "no" if known.reasoning == "no" else "yes"


def _plain(console: Console, line: str) -> None:
    console.print(line, highlight=False, soft_wrap=True, markup=False)
