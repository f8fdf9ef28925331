"""The reliability of the labels of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.estimates import COLUMNS, ONE_CASE
from analysis.reliability.agreement import Ratios, alphas, kappa, sets_alike
from analysis.reliability.raters import Rated, comparisons, rated
from analysis.values.frames import with_wilson
from analysis.values.labels import STATES, Labelling, Labels
from analysis.values.taxonomy import Taxonomy

STATISTICS = ("exact", "jaccard", "macro kappa", "pooled kappa", "alpha jaccard", "alpha masi")
"""Share of equal sets; mean Jaccard; mean kappa of values; kappa of all cells; Krippendorff's alpha."""

NO_TURN = "no turn that two of them have labelled"
NO_CHANCE = "the labels leave nothing to chance: no two differ, or none is used"
NEVER = "the value is used by neither, or always by both"
ONE_SIDED = "one labelling never names it: kappa is 0 whatever the labels"

COUNTED = ("exact", "jaccard")
"""Statistics whose numerator is a sum over turns."""

PARTS = ("above", "below")
"""What kappas and alphas are the ratio of: (p_o - p_e) / (1 - p_e), or (D_e - D_o) / D_e; of macro kappa, the
sum of the kappas and their number."""

OVER = ("values", "one_sided")
"""Over how many values macro kappa is the mean, and how many of them one labelling never names."""

PAIR = ("kind", "one", "other")
"""What is compared: see `raters.KINDS`; of all of a kind, `other` is `ALL`."""

ALL = "all"

ERRORS = ("judge", "pass", "labels", "unreadable", "unknown", "too_many", "errors", "share", "repeated")
"""What was left out of a labelling: of its labels those that could not be read and, as errors, those with a
value that is not in the list or more than five, with the share of errors; and turns with several labels."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far the labels of one taxonomy can be relied on; a row each by `PAIR`.

    `agreement`: further key statistic, one of `STATISTICS`; of more than two raters the alphas alone.
    `kappas`: further keys value, and the turns with the value by both, by the first or the second alone, by
    neither. Both go on with the columns of estimates: `denominator` are the turns that two labelled, whatever
    the statistic; `numerator` is null but for `COUNTED`; `unreadable` are turns that two have labelled and of
    which fewer than two labels could be read. Both end in `PARTS`, null for `COUNTED`, `agreement` in `OVER`
    too. A kappa that is 0 as one labelling never names the value has the reason `ONE_SIDED`, see `kappa`.
    `errors`: `ERRORS`, a row for each labelling.
    """

    taxonomy: Taxonomy
    agreement: pd.DataFrame
    kappas: pd.DataFrame
    errors: pd.DataFrame


def reliability(labels: Labels) -> Reliability:
    """How the labellings agree with each other."""
    agreement, by_value = [pd.DataFrame(columns=[*PAIR, "statistic", *COLUMNS, *PARTS, *OVER])], []
    for kind, raters in comparisons(labels.labellings):
        found = rated(raters)
        pair = dict(zip(PAIR, (kind, *_names(raters)), strict=True))
        cases = len(np.unique(found.cases))
        parts = [alphas(found, len(labels.cases))]
        statistics: tuple[str, ...] = STATISTICS[4:]
        over: tuple[object, object] = (pd.NA, pd.NA)
        if len(raters) == 2:
            kappas, tables = kappa(found, len(labels.cases), len(labels.taxonomy))
            by_value.append(_kappas(pair, labels.taxonomy, kappas, tables, found, cases))
            over = _over(by_value[-1])
            parts = [sets_alike(found, len(labels.cases)), _last(kappas), *parts]
            statistics = STATISTICS
        keys = pd.DataFrame({**pair, "statistic": statistics})
        told = _told(keys, _joined(parts), found, cases, NO_CHANCE)
        agreement.append(told.assign(**_beside(told["statistic"], over)))
    empty = pd.DataFrame(columns=[*PAIR, "value", "both", "first", "second", "neither", *COLUMNS, *PARTS])
    return Reliability(
        taxonomy=labels.taxonomy,
        agreement=_stacked(agreement),
        kappas=_stacked([empty, *by_value]),
        errors=_errors(labels.labellings),
    )


def _names(raters: Sequence[Labelling]) -> tuple[str, str]:
    if len(raters) == 2:
        return raters[0].name, raters[1].name
    return ", ".join(one.name for one in raters), ALL


def _kappas(
    pair: dict[str, str], taxonomy: Taxonomy, found: Ratios, tables: np.ndarray, two: Rated, cases: int
) -> pd.DataFrame:
    counts = dict(zip(("both", "first", "second", "neither"), tables.reshape(-1, 4).T, strict=True))
    keys = pd.DataFrame({"value": taxonomy.values, **counts}).assign(**pair)
    own = Ratios(found.numerator[:-2], found.denominator[:-2], found.low[:-2], found.high[:-2])
    told = _told(keys[[*PAIR, "value", *counts]], own, two, cases, NEVER)
    marked = told["estimate"].notna() & _one_sided(told) & (told["reason"] == "")
    return told.assign(reason=told["reason"].mask(marked, ONE_SIDED))


def _one_sided(kappas: pd.DataFrame) -> pd.Series[bool]:
    """Which values one of the two never names."""
    return (kappas["both"] == 0) & ((kappas["first"] == 0) | (kappas["second"] == 0))


def _over(kappas: pd.DataFrame) -> tuple[int, int]:
    """How many values have a kappa, and how many of them one of the two never names."""
    defined = kappas["estimate"].notna()
    return int(defined.sum()), int((defined & _one_sided(kappas)).sum())


def _beside(statistic: pd.Series[str], over: Sequence[object]) -> dict[str, pd.Series[int]]:
    """The columns `OVER`, null but for macro kappa."""
    macro = statistic == "macro kappa"
    return {
        name: pd.Series(pd.NA, statistic.index, "Int64").mask(macro, found)
        for name, found in zip(OVER, over, strict=True)
    }


def _last(found: Ratios) -> Ratios:
    """The mean and the pooled kappa, which stand last."""
    return Ratios(found.numerator[-2:], found.denominator[-2:], found.low[-2:], found.high[-2:])


def _joined(parts: Sequence[Ratios]) -> Ratios:
    return Ratios(*(np.concatenate([getattr(one, name) for one in parts]) for name in Ratios.__slots__))


def _told(keys: pd.DataFrame, found: Ratios, of: Rated, cases: int, empty: str) -> pd.DataFrame:
    none = found.denominator == 0
    estimate = np.where(none, np.nan, found.numerator / np.where(none, 1, found.denominator))
    shown = ~none & (cases > 1)
    reason = np.select([np.full(len(none), not len(of.cases)), none, ~shown], [NO_TURN, empty, ONE_CASE], "")
    counted = keys["statistic"].isin(COUNTED).to_numpy() if "statistic" in keys else np.zeros(len(none), bool)
    parts = dict(zip(PARTS, (found.numerator, found.denominator), strict=True))
    frame = keys.assign(
        numerator=np.where(counted, found.numerator, np.nan),
        denominator=len(of.cases),
        estimate=estimate,
        low=np.where(shown, found.low, np.nan),
        high=np.where(shown, found.high, np.nan),
        wilson_low=np.nan,
        wilson_high=np.nan,
        cases=cases,
        unreadable=of.unread,
        failed=0,
        reason=reason.astype(object),
        **{name: np.where(counted, np.nan, part) for name, part in parts.items()},
    )
    exact = frame["statistic"] == "exact" if "statistic" in frame else np.zeros(len(frame), np.bool_)
    return with_wilson(frame, np.asarray(exact & ~none))


def _stacked(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    some = [frame for frame in frames if len(frame)]
    return pd.concat(some, ignore_index=True) if some else frames[0]


def _errors(labellings: Sequence[Labelling]) -> pd.DataFrame:
    """What judges gave that is no label, with `ERRORS`."""
    rows = []
    for one in labellings:
        _, *left = np.bincount(one.states, minlength=len(STATES)).tolist()
        labels, errors = len(one.turns), sum(left[1:])
        share = errors / labels if labels else np.nan
        rows.append((one.called, one.number, labels, *left, errors, share, one.repeated))
    return pd.DataFrame(rows, columns=list(ERRORS))
