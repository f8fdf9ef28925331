"""What `moot dilemmas build` prints at its end."""

from __future__ import annotations

from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ray_jobs.dilemmas.files import UNREAD_FILE
from ray_jobs.dilemmas.report import Kind, Report


def report_page(report: Report, folder: Path) -> RenderableType:
    """Counts of posts and comments by reason, the places of what could not be read, and what was written."""
    parts: list[RenderableType] = []
    for name, kind in (("posts", report.submissions), ("comments", report.comments)):
        parts += ["", _counts(name, kind), *_unread(kind)]
    if report.asked["judged"] is not None:
        parts += ["", Text(f"verdicts that judges read: {report.judged:,}, in {report.asked['judged']}")]
    if report.contestation is not None:
        most, least = report.contestation
        bits = f"contestation from {most:.3f} to {least:.3f} bits"
        parts += ["", Text(f"cases: {report.cases:,}, {bits}, in {folder / 'cases.jsonl'}")]
    if report.unread is not None:
        parts.append(Text(f"comments for a judge: {report.unread:,}, in {folder / UNREAD_FILE}"))
    return Group(*parts)


def _counts(name: str, kind: Kind) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(justify="right")
    table.add_column(overflow="fold")
    table.add_row(f"{kind.lines:,}", f"lines of {name}", style="bold")
    for reason, count in kind.left_out.items():
        table.add_row(f"{count:,}", f"left out: {reason}")
    if kind.again:
        table.add_row(f"{kind.again:,}", "left out: copies of others")
    for outcome, count in kind.used.items():
        table.add_row(f"{count:,}", outcome)
    return table


def _unread(kind: Kind) -> list[Text]:
    """Where lines stand that could not be read, and files that could not be read to their end."""
    lines = [f"{reason}: {place}" for reason, places in kind.examples.items() for place in places]
    lines += [f"{file}: not read to its end: {why}" for file, why in kind.stopped.items()]
    return [Text(line, style="yellow") for line in lines]
