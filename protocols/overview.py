"""The table of protocols in the documentation: `python -m protocols.overview` writes it into its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from inspect import Parameter, signature
from pathlib import Path

from protocols import PROTOCOLS

PAGE = Path(__file__).parents[1] / "docs" / "protocols.md"
BEGIN, END = "<!-- begin: python -m protocols.overview -->", "<!-- end -->"
HEADINGS = ("protocol", "what a seat sees before it writes", "ends", "parameters", "source")

STOPPING = (
    "after a round in which all verdicts are readable and equal (not with `stop: never`), or after `rounds`"
)
IP, DR = "arXiv 2510.10002", "arXiv 2607.01251"
KHAN, MICHAEL = "arXiv 2402.06782", "arXiv 2311.08702"


@dataclass(frozen=True, slots=True)
class Outline:
    """What a seat of a protocol `sees` before it writes, when the debate `ends`, and where it is from."""

    sees: str
    ends: str
    source: str


OUTLINES: dict[str, Outline] = {
    "solo": Outline("the case", "after one turn of each seat", "the baseline of all"),
    "synchronous": Outline("the case, and all turns of earlier rounds", STOPPING, f"{IP}; arXiv 2305.14325"),
    "round_robin": Outline(
        "the case, all turns of earlier rounds, and those of seats that spoke earlier in this round",
        STOPPING,
        IP,
    ),
    "hybrid": Outline(
        "in round 1 the case; later as in `round_robin`",
        STOPPING,
        "both of the above, so first verdicts are alone",
    ),
    "reask": Outline(
        "the case, and its own earlier turns", "after `rounds`", "the arm of inertia alone, without any other"
    ),
    "majority": Outline(
        "the case, each time anew",
        "after `rounds` answers of each seat; most readable answers decide, of several labels one is drawn",
        "self-consistency, arXiv 2203.11171",
    ),
    "consultancy": Outline(
        "the case, its opening if it argues for that, its own earlier arguments, the questions of a judge",
        "after `turns`",
        f"{KHAN}, {MICHAEL}",
    ),
    "double_consultancy": Outline("as in `consultancy`, each seat for itself", "after `turns`", DR),
    "debate": Outline(
        "the case, and all arguments of earlier turns; in the alternating form those of this turn too; the"
        " questions of a judge",
        "after `turns`",
        f"{KHAN}, arXiv 1805.00899",
    ),
    "disagreement_resolution": Outline(
        "the case, the last position of each seat, with `history: full` all that was said",
        "when all hold one label, or after `turns`",
        DR,
    ),
}


def table() -> str:
    """The table, in Markdown: a row for each of `PROTOCOLS`."""
    rows = [HEADINGS, ("---",) * len(HEADINGS), *map(_row, PROTOCOLS)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def written(page: str) -> str:
    """The page with its table as it is now. Raises `ValueError` where the marks of the table are missing."""
    before, begun, rest = page.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not (begun and ended):
        raise ValueError(f"found no table to write; allowed: a page with the lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def _row(protocol: str) -> tuple[str, ...]:
    outline = OUTLINES[protocol]
    parameters = ", ".join(_parameters(protocol)) or "none"
    return f"`{protocol}`", outline.sees, outline.ends, parameters, outline.source


def _parameters(protocol: str) -> Iterator[str]:
    """Its parameters with their defaults; one that is None is left out in the file."""
    for name, each in signature(PROTOCOLS[protocol]).parameters.items():
        if each.kind is Parameter.KEYWORD_ONLY and name != "transcript":
            yield f"`{name}`" if each.default is None else f"`{name}: {each.default}`"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
