"""A debate as a file of Markdown, in which what models and cases say is nothing but text.

Every text stands in a fenced block or a code span whose marks are longer than any run of them in the text:
nothing in it can end the block, be markup, or be a link (CommonMark 0.31, sections 4.5 and 6.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from starlette.responses import Response

from analysis.viewer.debate import find, read
from analysis.viewer.index import Row
from analysis.viewer.pages import Page, Visit, missing
from analysis.viewer.text import UNSEEN
from analysis.viewer.transcript import Spoken, Transcript

DESIGN = ("stage", "protocol", "variant", "panel", "order", "steering", "answer_format", "repetition", "seed")

_RUNS = re.compile("`+")


def export(visit: Visit) -> Response:
    """The file of a debate, to be kept."""
    row = find(visit.here.index, visit.parameters["debate"])
    if row is None:
        return missing(visit, f"no debate that has ended is called {visit.parameters['debate']}")
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{visit.here.key}-{row['debate_id']}")
    headers = {"Content-Disposition": f'attachment; filename="{name}.md"'}
    return Response(markdown(read(visit.here.index, row)), media_type="text/markdown", headers=headers)


def markdown(told: Transcript) -> str:
    """The debate: case, design, round by round what each seat said, how it ended, and what judges said."""
    case, debate = told.case, told.debate
    lines = [f"# {span(case['title'] or debate['case_id'])}", "", f"Debate {span(debate['debate_id'])}", ""]
    lines += [
        f"- {name.replace('_', ' ')}: {span(debate[name])}" for name in DESIGN if debate[name] is not None
    ]
    lines += ["", "## The case", "", block(case["text"])]
    options = [f"- {letter}: {span(said)}{' (right)' * right}" for letter, said, right in told.options]
    lines += ["", *options] if options else []
    for number, row in told.rounds:
        lines += ["", f"## Round {number}{', the openings' * (number in told.opening_rounds)}"]
        for seat, spoken in zip(told.seats, row, strict=True):
            if spoken:
                lines += ["", f"### {_called(seat.name, seat.number, seat.model)}", "", *_turn(spoken)]
    lines += ["", "## How it ended", "", *_ending(debate)]
    if told.judgments:
        lines += ["", "## Judges", "", *map(_judged, told.judgments)]
    return "\n".join(lines) + "\n"


def block(text: str | None) -> str:
    """A text of several lines as a fenced block."""
    said = _plain(text or "", keep="\n\t")
    fence = "`" * max(3, _longest(said) + 1)
    return f"{fence}text\n{said}\n{fence}"


def span(value: object) -> str:
    """A short text as a code span, in one line."""
    said = " ".join(_plain(str(value), keep="").split()) or " "
    marks = "`" * (_longest(said) + 1)
    pad = " " if said.startswith("`") or said.endswith("`") else ""
    return f"{marks}{pad}{said}{pad}{marks}"


def _plain(text: str, keep: str) -> str:
    """The text with what cannot be seen told by its code, as U+200B, and one kind of line end."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    spaced = lines if keep else " ".join(lines.split())
    return UNSEEN.sub(lambda found: found[0] if found[0] in keep else f"[U+{ord(found[0]):04X}]", spaced)


def _longest(text: str) -> int:
    return max((len(run) for run in _RUNS.findall(text)), default=0)


def _called(seat: str, number: str | None, model: str) -> str:
    agent = f"Agent {number}, " if number else ""
    return f"{agent}{span(seat)}, {span(model)}"


def _turn(spoken: Spoken) -> Iterator[str]:
    row = spoken.row
    said = span(row["label"]) if row["label"] else f"no label ({row['status']})"
    yield said + (f", changed from {span(spoken.changed_from)}" if spoken.changed_from else "")
    stated = {name: row[name] for name in ("stance", "confidence", "action", "violation", "crux")}
    yield from (f"- {name}: {span(value)}" for name, value in stated.items() if value is not None)
    for found in spoken.labelled:
        values = ", ".join(span(chip.value) for chip in found.values) or found.status or "none"
        yield f"- values by {span(found.labeller)}: {values}"
    yield from ("", block(spoken.text))


def _ending(debate: Row) -> Iterator[str]:
    agreed = f" on {span(debate['consensus_label'])}" if debate["consensus_label"] else ""
    outcome = (debate["outcome"] or "").replace("_", " ").capitalize()
    yield f"{outcome}{agreed} after {debate['rounds']} rounds"
    finals: Sequence[str | None] = debate["final_labels"] or ()
    yield f"- last labels: {', '.join(span(label) if label else 'unreadable' for label in finals)}"


def _judged(row: Row) -> str:
    decision = span(row["decision"]) if row["decision"] else f"no decision ({row['status']})"
    return f"- {span(row['judge'])}, shown {span(row['sees'])}: {decision}"


PAGES = (Page("/{run}/debates/{debate}/markdown", export),)
