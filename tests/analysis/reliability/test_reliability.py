"""Reliability of labels by hand, and who is compared with whom."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from analysis.estimates import COLUMNS, ONE_CASE
from analysis.reliability.kappa import kappas
from analysis.reliability.measure import (
    NEVER,
    NO_TURN,
    ONE_SIDED,
    PARTS,
    STATISTICS,
    Reliability,
    reliability,
)
from analysis.values.labels import COLUMNS as LABELS
from analysis.values.labels import Labels, gather
from analysis.values.names import named
from tests.analysis.values.labelled import TAXONOMY, judgments, talk


def labels(**judges: str) -> Labels:
    """Labels by judges, as ann_1 for the first pass of ann: of one turn in each of several cases."""
    tables = []
    for judge, given in judges.items():
        name, number = judge.rsplit("_", 1)
        debates = [
            talk(f"N:{label}", models=("alpha",), id=f"d{case}", case=f"case {case}")
            for case, label in enumerate(given.split())
        ]
        tables.append(judgments(debates, name.replace("human_", "human:"), int(number)).select(LABELS))
    return gather(tables, TAXONOMY)


def statistics(found: Reliability) -> dict[str, float]:
    """The statistics of the only two that are compared."""
    [pair] = {tuple(row) for row in found.agreement[["kind", "one", "other"]].to_numpy()}
    assert len(pair) == 3
    return dict(zip(found.agreement["statistic"], found.agreement["estimate"], strict=True))


def who(found: Reliability) -> list[tuple[str, str, str]]:
    return list(dict.fromkeys(map(tuple, found.agreement[["kind", "one", "other"]].to_numpy())))


def test_by_hand() -> None:
    found = statistics(reliability(labels(ann_1="ab a c ab", ann_2="ab b c a")))
    assert found["exact"] == 2 / 4
    assert found["jaccard"] == pytest.approx((1 + 0 + 1 + 1 / 2) / 4)
    a, b, c = (
        cohens_kappa(table, return_results=False)
        for table in ([[2, 1], [0, 1]], [[1, 1], [1, 1]], [[1, 0], [0, 3]])
    )
    assert found["macro kappa"] == pytest.approx((a + b + c) / 3), "values d to h have none"
    assert found["pooled kappa"] == pytest.approx(cohens_kappa([[4, 2], [1, 25]], return_results=False))


def test_columns_and_reasons_of_kappas() -> None:
    found = reliability(labels(ann_1="ab a c ab", ann_2="ab b c a")).kappas
    assert list(found.columns[-len(COLUMNS) - 2 :]) == [*COLUMNS, *PARTS]
    unused = found[found["value"] == "h"].iloc[0]
    assert (unused["neither"], unused["reason"]) == (4, NEVER)
    assert pd.isna(unused["estimate"])
    used = found[found["value"] == "a"].iloc[0]
    assert (used["both"], used["first"], used["second"], used["neither"]) == (2, 1, 0, 1)
    assert used["estimate"] == pytest.approx(used["above"] / used["below"])
    assert used["below"] == pytest.approx(1 - (3 * 2 + 1 * 2) / 16), "1 less the agreement by chance"
    assert used["denominator"] == 4, "turns"
    assert pd.isna(used["numerator"])
    assert used["low"] <= used["estimate"] <= used["high"]


def test_n_is_the_turns_in_both_labellings_for_every_statistic() -> None:
    found = reliability(labels(ann_1="ab a c ab (missing)", ann_2="ab b c a a"))
    assert found.agreement["denominator"].tolist() == [4] * len(STATISTICS)
    assert found.kappas["denominator"].eq(4).all()
    assert found.agreement["unreadable"].eq(1).all()
    counted = found.agreement["statistic"].isin(["exact", "jaccard"])
    assert (found.agreement["numerator"].notna() == counted).all()
    assert (found.agreement["above"].isna() == counted).all()
    rest = found.agreement[~counted]
    assert rest["estimate"].tolist() == pytest.approx((rest["above"] / rest["below"]).tolist())


def test_a_value_used_by_one_alone_has_kappa_0_which_is_marked_and_counted_in_the_macro() -> None:
    """Values a, b and d are named, b by the second labelling alone and d by the first alone."""
    found = reliability(labels(ann_1="ad a d", ann_2="a b a"))
    one = found.kappas.set_index("value")
    assert one.loc[["b", "d"], "estimate"].tolist() == [0, 0]
    assert one.loc[["a", "b", "d", "h"], "reason"].tolist() == ["", ONE_SIDED, ONE_SIDED, NEVER]
    macro = found.agreement.set_index("statistic").loc["macro kappa"]
    assert (macro["values"], macro["one_sided"]) == (3, 2)
    a = cohens_kappa([[1, 1], [1, 0]], return_results=False)
    assert macro["estimate"] == pytest.approx((a + 0 + 0) / 3)
    assert found.agreement["values"].notna().sum() == 1


def test_two_empty_sets_are_alike() -> None:
    empty = gather(
        [
            judgments(
                [talk("N: Y:", id=str(case), case=str(case)) for case in range(2)], "ann", number
            ).select(LABELS)
            for number in (1, 2)
        ],
        TAXONOMY,
    )
    found = statistics(reliability(empty))
    assert (found["exact"], found["jaccard"]) == (1, 1)
    assert np.isnan(found["alpha jaccard"]), "nothing is left to chance"


def test_passes_of_a_judge_stand_apart_from_judges_and_from_people() -> None:
    found = reliability(labels(ann_1="a b", ann_2="a b", bert_1="a c", human_eve_1="a b", human_max_1="b b"))
    assert who(found) == [
        ("repeated", "ann, pass 1", "ann, pass 2"),
        ("between", "ann, pass 1", "bert, pass 1"),
        ("people", "human:eve, pass 1", "human:max, pass 1"),
        ("human", "human:eve, pass 1", "ann, pass 1"),
        ("human", "human:eve, pass 1", "bert, pass 1"),
        ("human", "human:max, pass 1", "ann, pass 1"),
        ("human", "human:max, pass 1", "bert, pass 1"),
    ]


def test_a_second_sheet_of_a_person_under_another_name_is_that_person_again() -> None:
    sheets = (("ann", "ann", "a b"), ("human:eve", "second", "a c"), ("human:eve", "first", "b b"))
    tables = [
        named(
            judgments([talk(f"N:{own}", id=own, case=own) for own in given.split()], judge).select(LABELS),
            name,
        )
        for judge, name, given in sheets
    ]
    assert who(reliability(gather(tables, TAXONOMY))) == [
        ("repeated", "human:eve (first), pass 1", "human:eve (second), pass 1"),
        ("human", "human:eve (first), pass 1", "ann, pass 1"),
    ]


def test_turns_with_several_labels_are_left_out_and_counted() -> None:
    def given(*labels: str) -> pa.Table:
        return judgments([talk(*(f"N:{own}" for own in labels), models=("alpha",))], "ann").select(LABELS)

    [errors] = reliability(gather([given("a", "b", "(missing)"), given("a")], TAXONOMY)).errors.to_dict(
        "records"
    )
    assert (errors["labels"], errors["unreadable"], errors["repeated"]) == (2, 1, 1)


def test_three_judges_have_an_alpha_of_all_of_them() -> None:
    found = reliability(labels(ann_1="a b", bert_1="a c", carl_1="a b")).agreement
    everyone = found[found["other"] == "all"]
    assert everyone["statistic"].tolist() == ["alpha jaccard", "alpha masi"]
    assert everyone["one"].unique().tolist() == ["ann, pass 1, bert, pass 1, carl, pass 1"]


def test_what_only_one_could_be_read_of_is_counted_and_left_out() -> None:
    found = reliability(labels(ann_1="a b (unknown) a", bert_1="a c a (missing)"))
    exact = found.agreement[found.agreement["statistic"] == "exact"].iloc[0]
    assert (exact["numerator"], exact["denominator"], exact["unreadable"], exact["cases"]) == (1, 2, 2, 2)
    assert found.errors[["judge", "labels", "unknown", "errors"]].to_numpy().tolist() == [
        ["ann", 4, 1, 1],
        ["bert", 4, 0, 0],
    ]


def test_one_judge_has_nothing_to_be_compared_with() -> None:
    found = reliability(labels(ann_1="a b"))
    assert found.agreement.empty
    assert found.kappas.empty


@pytest.mark.parametrize(("one", "other", "reason"), [("a", "a", ONE_CASE), ("(missing) -", "- a", NO_TURN)])
def test_reasons(one: str, other: str, reason: str) -> None:
    found = reliability(labels(ann_1=one, bert_1=other)).agreement
    assert found[found["statistic"] == "jaccard"]["reason"].item() == reason
    assert found["low"].isna().all()


def draws(seed: int, judges: Sequence[str], n: int = 30) -> dict[str, str]:
    dice = np.random.default_rng(seed)
    return {
        judge: " ".join("".join(dice.choice(list("abcd"), 2, replace=False)) for _ in range(n))
        for judge in judges
    }


def test_kappa_elementwise_is_that_of_statsmodels() -> None:
    dice = np.random.default_rng(0)
    for table in dice.integers(1, 50, size=(20, 2, 2)):
        both, first, second, units = (
            np.array([float(n)]) for n in (table[0, 0], table[0, 1], table[1, 0], table.sum())
        )
        assert kappas(both, first, second, units)[0] == pytest.approx(
            cohens_kappa(table, return_results=False)
        )


def test_intervals_hold_the_estimates() -> None:
    found = reliability(labels(**draws(1, ("ann_1", "bert_1")))).agreement
    assert (found["low"] <= found["estimate"]).all()
    assert (found["estimate"] <= found["high"]).all()
