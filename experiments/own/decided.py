"""What a vote weighted by confidence decides, of any debate whose turns state a confidence."""

from __future__ import annotations

import pandas as pd


def decided(turns: pd.DataFrame) -> pd.DataFrame:
    """Verdicts of a vote weighted by confidence. In the last round; the first of the alphabet wins a tie."""
    last = turns[turns["round"] == turns.groupby("debate_id")["round"].transform("max")]
    votes = last.dropna(subset="label").assign(weight=last["confidence"].fillna(0.5))
    weights = votes.groupby(["debate_id", "label"], as_index=False)["weight"].sum()
    ranked = weights.sort_values(["weight", "label"], ascending=[False, True])
    return ranked.drop_duplicates("debate_id").assign(value=1).rename(columns={"label": "of"})
