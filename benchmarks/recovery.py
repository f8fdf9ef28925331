"""Do the estimators find what debates were drawn from? The full design, over fixed seeds."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import pandas as pd

from analysis.model.plan import full_design, plan
from analysis.model.recovery import recover, recovered
from analysis.model.truth import PAPER_TRUTH
from benchmarks.machine import machine

CASES = 1_000
DRAWS = 20
ESTIMATORS = ("re", "pairwise", "pairwise_same_model", "fe", "paper")

LARGEST_BIAS = 0.02
LARGEST_Z = 1.0
COVERAGE = (0.90, 0.97)


def draw(seed: int, estimators: tuple[str, ...] = ESTIMATORS) -> pd.DataFrame:
    """One draw of the full design, fitted by each estimator."""
    return recover(PAPER_TRUTH, plan(full_design(PAPER_TRUTH.models), CASES), seed, estimators)


def passes(row: pd.Series[float]) -> bool:
    """Whether an estimator recovers the truth: errors, coverage and bias are as they should be."""
    low, high = COVERAGE
    return bool(
        row["mean_z"] < LARGEST_Z and low <= row["coverage"] <= high and row["mean_bias"] <= LARGEST_BIAS
    )


def main() -> None:
    """Prints a table; fails unless `re` recovers the truth and `fe`, which is biased, is told not to."""
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else DRAWS
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        whole = pd.concat(pool.map(partial(draw, estimators=ESTIMATORS), range(1, draws + 1)))
    told = recovered(whole)
    verdict = {name: "yes" if passes(row) else "no" for name, row in told.iterrows()}
    print("## Recovery of the multinomial model's slopes\n")
    print(f"{machine()} {draws} draws of {CASES:,} cases, full design, parameters of the paper.\n")
    print("| estimator | mean abs. bias | worst bias | mean abs. z | coverage | sd | recovers |")
    print("|---|---|---|---|---|---|---|")
    for name, row in told.iterrows():
        figures = "mean_bias worst_bias mean_z coverage sd".split()
        print(f"| {name} | " + " | ".join(f"{row[one]:.3f}" for one in figures) + f" | {verdict[name]} |")
    each = recovered(whole[whole["estimator"] == "re"], ("estimator", "parameter"))
    print(
        "\nBias of `re`: " + ", ".join(f"{name[1]} {row['bias']:+.3f}" for name, row in each.iterrows()) + "."
    )
    if verdict["re"] == "no" or verdict["fe"] == "yes":
        raise SystemExit("`re` should recover the slopes and `fe` should not")


if __name__ == "__main__":
    main()
