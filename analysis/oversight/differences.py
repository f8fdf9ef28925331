"""Differences between protocols, and between a protocol and its ablations, paired by instance.

Judges are set against judges that see the same of a debate: its transcript, or the last positions. What a
resolution comes to is its positions, while of arguments for a given stance there is only what was said; so
where judges saw these, resolutions judged by positions are set against them too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from analysis.courses import RESOLUTION
from analysis.oversight import arms
from analysis.oversight.paired import Drawn, Paired, all_against, compared, later, paired
from analysis.oversight.study import Study

KEYS = ("panel", "judge", "answers", "sees")
"""What is the same on both sides of a difference. A naive judge, which sees nothing, is set against judges of
whatever they see; for what else is set against what, see `ACROSS`."""

POSITIONS, TRANSCRIPT = "positions", "transcript"

ACROSS = f"{POSITIONS}, against {TRANSCRIPT}"
"""What judges see where resolutions, by positions, are set against other protocols, by transcript."""


def protocols(study: Study, also: Sequence[str] = (), drawn: Drawn = "case") -> pd.DataFrame:
    """The accuracy under one protocol less that under another, in the instances complete in both.

    Keys: those of `KEYS`; those of `also`, such as source; value; against. A protocol is played as its usual
    arm, see `arms`; the naive judge is one too. An instance is complete where it has a score, see `scores`.
    Intervals draw cases with all their instances, or with `drawn` "instance" each by itself.
    """
    return _compared(study, paired_protocols(study, also), _usual(study.judged), also, drawn)


def ablations(study: Study, also: Sequence[str] = (), drawn: Drawn = "case") -> pd.DataFrame:
    """The accuracy of each arm of a protocol less that of its usual arm, `arms.VANILLA`.

    Keys: protocol; those of `KEYS`; those of `also`; value; against. Paired by case and repetition, as seats
    that are steered have openings of their own; a case that has several is the mean over them.
    """
    keys = ("protocol", *KEYS, *also)
    found = paired(_departing(study.known), keys, all_against(arms.VANILLA))
    return _compared(study, found, _departing(study.judged), also, drawn)


def paired_protocols(study: Study, also: Sequence[str] = ()) -> Paired:
    """The scores of the usual arms of all protocols, in pairs."""
    return paired(_usual(study.known), (*KEYS, *also), _set_against)


def _set_against(key: Mapping[str, str], found: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each arm against each before it; across what judges see, resolutions against the others alone."""
    across = key["sees"] == ACROSS
    for value, against in later(arms.rank)(key, found):
        if not across or (value.startswith(RESOLUTION) and not against.startswith(RESOLUTION)):
            yield value, against


def _compared(
    study: Study, found: Paired, judged: pd.DataFrame, also: Sequence[str], drawn: Drawn
) -> pd.DataFrame:
    by = list(dict.fromkeys(["protocol", "variant", "steering", "panel", *also]))
    kinds = judged[list(dict.fromkeys([*by, *_OWN, *KEYS, "arm"]))].drop_duplicates()
    lost = study.lost(by).rename(columns=dict(zip(("sees", "answers"), _OWN, strict=True)))
    named = lost.merge(kinds, on=[*by, "judge", *_OWN])
    unreadable = judged[~judged["readable"]].assign(count=1)
    return compared(found, unreadable, named, drawn)


_OWN = ("own_sees", "own_answers")
"""What a judge itself sees and answers with."""


def _usual(judged: pd.DataFrame) -> pd.DataFrame:
    """The judgments of usual arms, those of naive judges once for each kind of judges of debates.

    Those that are set against each other across what judges see are there twice: also under `ACROSS`.
    """
    told = _with_own(arms.usual(judged))
    naive = told["arm"] == arms.NAIVE_ARM
    kinds = told.loc[~naive, ["sees", "answers"]].drop_duplicates()
    copied = told[naive].drop(columns=["sees", "answers"]).merge(kinds, how="cross")
    resolved = ~naive & (told["protocol"] == RESOLUTION) & (told["sees"] == POSITIONS)
    argued = ~naive & (told["protocol"] != RESOLUTION) & (told["sees"] == TRANSCRIPT)
    across = told[resolved | argued].assign(sees=ACROSS)
    return pd.concat([told[~naive], copied, across], ignore_index=True)


def _departing(judged: pd.DataFrame) -> pd.DataFrame:
    """The judgments of all arms but the naive judge, told by how they depart from the usual one."""
    told = _with_own(arms.ablations(judged))
    repetition = told["repetition"].astype("Int64").astype("str")
    return told.assign(instance=told["case_id"] + "\n" + repetition)


def _with_own(judged: pd.DataFrame) -> pd.DataFrame:
    return judged.assign(own_sees=judged["sees"], own_answers=judged["answers"])
