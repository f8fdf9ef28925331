"""The split of similarity by consensus goes by the consensus that the table of consensus tells of."""

from __future__ import annotations

from itertools import product

from analysis.measures import consensus
from analysis.values import likeness
from analysis.values.telling import Told
from tests.analysis.counting import coursed
from tests.analysis.values.labelled import Labelled, measured, talk

BY = ("protocol",)


def split(debates: list[Labelled]) -> tuple[Told, dict[str, int]]:
    """Similarity at both ends, and how many pairs of seats it counts by how their debates ended."""
    told, _ = likeness.estimate_change(measured(debates), BY)
    frame = told.frame[(told.frame["kind"] == "jaccard") & (told.frame["round"] == "last")]
    return told, dict(zip(frame["ended"], frame["denominator"], strict=True))


def test_a_consensus_that_a_debate_without_a_stop_leaves_again_is_one() -> None:
    debate = talk("N:ab Y:ab", "N:ab N:ab", "N:a Y:b")
    told, count = split([debate])
    assert count == {"no consensus": 0, "consensus": 1}
    ends = told.frame[(told.frame["kind"] == "jaccard") & (told.frame["ended"] == "consensus")]
    assert dict(zip(ends["round"], ends["estimate"], strict=True)) == {"first": 1, "last": 0}


def test_of_all_courses_as_many_end_in_consensus_as_the_table_of_consensus_says() -> None:
    """Every course of three rounds in which two seats say N, Y or what cannot be read, one debate each."""
    rows = [f"{one}:a {other}:a" for one, other in product("NY?", repeat=2)]
    debates = [
        talk(*course, id=f"d{number}", case=f"c{number}")
        for number, course in enumerate(product(rows, repeat=3))
        if course[0] in ("N:a Y:a", "Y:a N:a")
    ]
    found = consensus.derived(coursed([one.debate for one in debates]), by=BY)
    later, never = (found.loc[found["outcome"] == name, "numerator"].item() for name in ("later", "never"))
    assert 0 < later < len(debates)
    assert split(debates)[1] == {"consensus": later, "no consensus": never}
