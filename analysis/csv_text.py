"""Tables as the text of CSV files."""

from __future__ import annotations

import pandas as pd

from protocols.spreadsheets import guarded


def csv(data: pd.DataFrame) -> str:
    """A table as CSV in which no word, such as the name of a model, is a formula to a spreadsheet.

    Rows end as in RFC 4180, since otherwise a word with a carriage return in it would not be quoted.
    """
    words = data.map(lambda cell: guarded(cell) if isinstance(cell, str) else cell)
    return words.to_csv(index=False, lineterminator="\r\n")
