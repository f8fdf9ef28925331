"""How the measures of verdicts are shown. One that is not named here is shown too, as a `View()` shows it."""

from __future__ import annotations

from analysis.measures.change import AMONG, EVENTS, LEVELS
from analysis.measures.distribution import WHEN
from analysis.report.units import POINTS
from analysis.report.view import View

CHANGED = {"event": EVENTS[:1], "among": AMONG[:2]}
ALL_CHANGED = {"event": EVENTS[:1], "among": AMONG[:1]}
ENDS = {"round": ("1", "<NA>")}
LINES = "Lines are 95% intervals."
SHADES = "The stronger the colour of a field, the farther its number is from 0; orange fields are below 0."


def _consensus() -> View:
    """Differences in consensus."""
    caption = f"Difference in consensus in round 1, and in never reaching one, in points. {LINES}"
    return View("forest", "round", "round", drawn=ENDS, caption=caption)


def _change(levels: tuple[str, ...]) -> View:
    """Differences in change of verdict."""
    caption = f"Difference in the rate of change of verdict, of all debates, in points. {LINES}"
    return View("forest", columns="among", only={"level": levels}, drawn=ALL_CHANGED, caption=caption)


VIEWS = {
    "consensus": View(
        "stack",
        "round",
        "round",
        caption="Debates by the first round in which all seats agreed. Numbers are percent of debates.",
    ),
    "consensus_when": View("none", columns="outcome"),
    "change": View(
        "forest",
        "among",
        "among",
        only={"level": LEVELS[:1]},
        drawn=CHANGED,
        caption="Percent of debates in which a seat left its first verdict: of all debates, and of those that"
        f" disagreed in round 1. {LINES}",
    ),
    "change_by_opponent": View(
        "forest",
        "among",
        "among",
        drawn=CHANGED,
        caption=f"Percent of debates in which a seat left its first verdict, by who sat with it. {LINES}",
    ),
    "positions": View(
        "matrix",
        "predecessor",
        "kind",
        drawn={"kind": ("first-round agreement",)},
        caption="How often the first verdict is the one just heard, in percent: by model and position, and by"
        f" the model that spoke before. {SHADES}",
    ),
    "verdicts": View(
        "stack",
        "verdict",
        "verdict",
        only={"when": WHEN[:2]},
        caption="Verdicts of each model in round 1 and in the last round. Numbers are percent.",
    ),
    "verdict_shift": View(
        "forest",
        "model",
        "verdict",
        caption=f"Share of each verdict in the last round less that in round 1, in points. {LINES}",
    ),
    "verdict_moves": View("none"),
    "agreed": View(
        "stack",
        "verdict",
        "verdict",
        caption="What panels agreed on. Numbers are percent of those with consensus.",
    ),
    "solo": View(
        "stack",
        "verdict",
        "verdict",
        caption="Verdicts of one answer alone, and of majorities. Numbers are percent.",
    ),
    "alone": View(
        caption=f"Consensus in round 1 less what solo answers would give, in points. {LINES}", unit=POINTS
    ),
    "matched_verdicts": View(
        "matrix",
        "verdict",
        "verdict",
        caption=f"Decisions of debates less those of a majority of solo answers, in points. {SHADES}",
        unit=POINTS,
    ),
    "matched_same": View(caption=f"Debates that decide as a majority would, in percent. {LINES}"),
    "order_consensus": _consensus(),
    "order_change": _change(LEVELS[:1]),
    "order_agreed": View(
        "matrix",
        "verdict",
        "verdict",
        caption=f"Difference in what panels agree on, in points. {SHADES}",
    ),
    "steering_consensus": _consensus(),
    "steering_change": _change(LEVELS[:1]),
    "panel_consensus": _consensus(),
    "panel_change": _change(LEVELS[-1:]),
}
"""By the name of the measure."""
