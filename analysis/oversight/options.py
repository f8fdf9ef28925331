"""Which option of a question a letter stands for, and which option is right.

Options are numbered from 1 in the order of the case file. A debate lists them in an order of its own:
`listing` "3-1-2" has option 3 under the letter A, option 1 under B, option 2 under C; without a listing they
stand as in the file.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

NONE = 0
"""The number of no option: nothing readable was said, or the truth is unknown."""


SUBJECT = " / "
"""What parts the data set from the subject in the column `source` of the cases: "GPQA / Physics"."""


class OptionError(ValueError):
    """A label that names no option of its question, or a truth that is none of them."""


def questions(cases: pd.DataFrame) -> pd.DataFrame:
    """The questions among the cases: columns case_id, options (how many), truth (a number), source, subject.

    A case is a question when it has options. `truth` is `NONE` where the case file has none. Here `source` is
    the data set, what the column of that name says before `SUBJECT`; `subject` is the rest, "" for none.
    Raises `OptionError` for a truth that is not the text of an option.
    """
    rows = cases[cases["options"].map(lambda one: one is not None and len(one) >= 2).astype(bool)]
    rows = rows.drop_duplicates("case_id")
    numbers = [
        _truth(case, list(options), truth)
        for case, options, truth in zip(rows["case_id"], rows["options"], rows["truth"], strict=True)
    ]
    named = [str(one or "").partition(SUBJECT) for one in rows["source"]]
    return pd.DataFrame(
        {
            "case_id": rows["case_id"].to_numpy(),
            "options": rows["options"].map(len).to_numpy(np.int64),
            "truth": np.array(numbers, np.int64),
            "source": pd.array([name for name, _, _ in named], "str"),
            "subject": pd.array([subject for _, _, subject in named], "str"),
        }
    )


def numbered(letters: pd.Series[str], listing: pd.Series[str]) -> Numbers:
    """The number of the option that each letter stands for in its listing; `NONE` for no letter.

    Raises `OptionError` for a letter past the end of its listing.
    """
    both = pd.MultiIndex.from_arrays([letters, listing])
    places, distinct = both.factorize()
    known = np.array([_number(letter, order) for letter, order in distinct], np.int64)
    return known[places] if len(places) else np.zeros(0, np.int64)


def _number(letter: str, listing: str) -> int:
    if not letter:
        return NONE
    place = ord(letter[0]) - ord("A") if len(letter) == 1 else -1
    shown = listing.split("-") if listing else [str(number + 1) for number in range(26)]
    if not 0 <= place < len(shown):
        raise OptionError(
            f"a label is {letter!r}, but the listing {listing!r} of its question has {len(shown)} places;"
            f" allowed: A to {chr(ord('A') + len(shown) - 1)}"
        )
    return int(shown[place])


def _truth(case: str, options: list[str], truth: str) -> int:
    if not truth:
        return NONE
    if truth not in options:
        raise OptionError(f"case {case!r}: the truth is {truth!r}, which is none of its options {options}")
    return options.index(truth) + 1
