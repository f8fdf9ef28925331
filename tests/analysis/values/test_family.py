"""The tests of one family are those of all values of the list, whichever of them anybody used."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.values import inherited, likeness, use
from tests.analysis.values.labelled import TAXONOMY, Labelled, measured, talk

BY = ("protocol",)


def adjusted(frame: pd.DataFrame, value: str) -> tuple[float, float]:
    """The p of the value, and the adjusted one."""
    [row] = frame[frame["value"] == value].to_dict("records")
    return row["p"], row["p_adjusted"]


def differing(b: str) -> pd.DataFrame:
    """Alpha names a in three of four cases, beta never; in the last case one of them may name b too."""
    said = ["N:a N:c", "N:a N:c", f"N:a{b} N:c", "N: N:c"]
    debates = [talk(turns, id=f"d{case}", case=f"c{case}") for case, turns in enumerate(said)]
    return use.estimate(measured(debates), BY)[1].frame


def test_differences_are_adjusted_over_the_whole_list() -> None:
    p, corrected = adjusted(differing(""), "a")
    assert corrected == pytest.approx(p * len(TAXONOMY))
    unused = differing("").set_index("value").loc["b"]
    assert pd.isna(unused["p"])
    assert pd.isna(unused["p_adjusted"])


def test_what_nobody_used_and_one_alone_used_once_make_the_same_family() -> None:
    assert adjusted(differing(""), "a") == pytest.approx(adjusted(differing("b"), "a"))


def test_inheritance_is_adjusted_over_the_whole_list() -> None:
    """Alpha takes over a wherever beta had it, in two of four cases; no other value is ever new."""
    debates: list[Labelled] = [
        talk(f"N: Y:{own}", f"Y:{own} Y:", id=f"d{case}", case=f"c{case}")
        for case, own in enumerate(("a", "a", "", ""))
    ]
    frame = inherited.estimate(measured(debates), BY)[0].frame
    p, corrected = adjusted(frame[(frame["model"] == "alpha") & (frame["seats"] == "changed")], "a")
    assert p == pytest.approx(1 / 6)
    assert corrected == pytest.approx(min(1, p * len(TAXONOMY)))


def test_differences_of_similarity_are_one_family_over_conditions() -> None:
    """Each condition has one difference of a kind: by itself it would be adjusted by nothing."""
    debates: list[Labelled] = []
    for protocol, last in (("synchronous", "a a a a"), ("round_robin", "a b a a")):
        for case, value in enumerate(last.split()):
            debates.append(
                talk(
                    f"N:{'ab'[case % 2]} Y:b",
                    f"N:a N:{value}",
                    id=f"{protocol}{case}",
                    case=f"c{case}",
                    protocol=protocol,
                )
            )
    frame = likeness.estimate(measured(debates), BY)[1].frame
    some = frame[(frame["kind"] == "jaccard") & frame["p"].notna()].sort_values("p")
    assert len(some) == 2
    assert some["p"].iloc[0] < some["p"].iloc[1]
    assert some["p_adjusted"].iloc[0] == pytest.approx(min(2 * some["p"].iloc[0], some["p"].iloc[1]))
