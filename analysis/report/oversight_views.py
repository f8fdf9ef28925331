"""How the measures of oversight studies are shown."""

from __future__ import annotations

import pandas as pd

from analysis.report.units import INDEX, PERCENT, POINTS
from analysis.report.view import View

LINES = "Lines are 95% intervals."
BY_SEAT = {"level": ("seat",)}

VIEWS = {
    "accuracy": View(
        "forest",
        "judge",
        "judge",
        caption=f"Percent of instances that judges decide rightly. {LINES}",
        unit=PERCENT,
    ),
    "accuracy_sources": View(
        "forest",
        "judge",
        "judge",
        headed="source",
        caption=f"Percent of instances that judges decide rightly, by data set. {LINES}",
        unit=PERCENT,
    ),
    "accuracy_consultancies": View(
        "forest",
        "judge",
        "judge",
        caption=f"Percent of instances that judges decide rightly, by who argues for what. {LINES}",
        unit=PERCENT,
    ),
    "consultants": View(
        "forest",
        "among",
        "among",
        caption=f"Percent of openings that are right: of all, and of those that disagree. {LINES}",
        unit=PERCENT,
    ),
    "protocols": View(
        "forest",
        "judge",
        "judge",
        caption=f"Difference in accuracy of the same judge on the same instances, in points. {LINES}",
    ),
    "protocols_sources": View(
        "forest",
        "judge",
        "judge",
        headed="source",
        caption=f"Difference in accuracy on the same instances, by data set, in points. {LINES}",
    ),
    "protocols_sweep": View(
        "forest",
        "judge",
        "judge",
        caption=f"Difference in accuracy by judge, the mean over data sets, in points. {LINES}",
        unit=POINTS,
    ),
    "protocols_pooled": View(
        "forest",
        "summary",
        "summary",
        caption=f"Difference in accuracy over all conditions, in points. {LINES}",
        unit=POINTS,
    ),
    "balanced": View(
        "forest",
        "judge",
        "judge",
        caption=f"Difference in accuracy with both strata weighing the same, in points. {LINES}",
        unit=POINTS,
    ),
    "adoption": View(
        "forest",
        "what",
        "what",
        caption=f"Percent of judgments that follow an agreement, take a side, take the right one. {LINES}",
    ),
    "ways": View(
        "stack",
        "part",
        "part",
        caption="Percent of instances by the way in which they are decided rightly; what is left is wrong.",
        unit=PERCENT,
    ),
    "exits": View(
        "stack",
        "exit_mode",
        "exit_mode",
        caption="Disagreement resolutions by how they end, in percent.",
    ),
    "exits_right": View(
        "stack",
        "exit_mode",
        "exit_mode",
        caption="Percent of instances decided rightly, by how they ended; what is left is wrong.",
        unit=PERCENT,
    ),
    "agreement": View(
        "forest",
        "",
        "turn",
        caption=f"Percent of disagreement resolutions with one answer by each turn. {LINES}",
    ),
    "actions": View(
        "stack",
        "action",
        "action",
        only=BY_SEAT,
        caption="What consultants did while they differed, in percent of their turns.",
    ),
    "calibration": View(
        "forest",
        "score",
        "score",
        only=BY_SEAT,
        caption=f"Mean squared distance of confidence from what came of it, from 0 to 1. {LINES}",
        unit=INDEX,
    ),
    "beliefs": View(
        "forest",
        "among",
        "among",
        only=BY_SEAT,
        caption=f"beta_C in the last turn, from 0 to 1. {LINES}",
        unit=INDEX,
    ),
    "ablations": View(
        "forest",
        "judge",
        "judge",
        caption=f"Difference in accuracy to the usual form of the protocol, in points. {LINES}",
    ),
    "lost": View("none", columns="what"),
    "violations": View("none", columns="kind"),
}
"""By the name of the measure."""


ANSWERS = "answers_with"
"""What `answers` is called on a page."""


def shown(name: str, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame of a measure as it is laid out: turns in words, both summaries below each other."""
    frame = frame.rename(columns={"answers": ANSWERS})
    if name == "agreement":
        return frame.assign(turn="by turn " + frame["turn"].astype("str"))
    if name == "protocols_pooled":
        return _both(frame)
    return frame


def _both(frame: pd.DataFrame) -> pd.DataFrame:
    """The plain mean and that under random effects as rows of their own."""
    random = dict(zip(("random", "random_low", "random_high"), ("estimate", "low", "high"), strict=True))
    mean = frame.assign(summary="mean")
    effects = frame.drop(columns=list(random.values())).rename(columns=random)
    lacks = frame["reason"].where(frame["random"].notna(), "fewer than two conditions that vary")
    effects = effects.assign(
        summary="random effects", numerator=float("nan"), denominator=frame["in_random"], reason=lacks
    )
    both = pd.concat([mean, effects], ignore_index=True)[list(mean.columns)]
    at = list(frame.columns).index("value")
    both.insert(at, "summary", both.pop("summary"))
    return both.drop(columns=["random", "random_low", "random_high"])
