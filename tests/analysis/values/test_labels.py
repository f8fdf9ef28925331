"""Labels read back from tables of judgments, and joined to turns."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pyarrow as pa

from analysis.values.codes import hashed
from analysis.values.join import ABSENT, Origins, join
from analysis.values.labels import COLUMNS, STATES, gather
from analysis.values.names import named, shared_out
from analysis.values.said import said
from analysis.values.sets import Bools, Sets, listed, pack, size
from analysis.values.taxonomy import Taxonomy
from tests.analysis.values.labelled import TAXONOMY, judgments, labels_of, talk, turns


def has(sets: Sets, value: int) -> Bools:
    """Whether each set has the value."""
    owner, values = listed(sets)
    return np.isin(np.arange(len(sets)), owner[values == value])


def states(*labels: str) -> list[str]:
    """How labels of one seat, a round each, were read."""
    debate = talk(*(f"N:{label}" for label in labels), models=("alpha",))
    found = labels_of([debate]).labellings[0]
    own = join(said(turns([debate])), found)
    return ["absent" if state == ABSENT else STATES[state] for state in own.states]


def test_how_labels_are_read() -> None:
    assert states("ab", "", "-", "(missing)", "(unknown)", "(too_many)") == [
        *("labelled", "labelled", "absent", "unreadable", "unknown", "too many")
    ]


def test_a_value_that_the_list_does_not_have_is_an_error_whatever_the_status_says() -> None:
    assert states("az", "abcdef", "abcde") == ["unknown", "too many", "labelled"]


def test_rows_of_judges_are_no_labels() -> None:
    table = judgments([talk("N:a Y:b")])
    at = table.column_names.index("kind")
    other = table.set_column(at, table.schema.field("kind"), pa.array(["judge"] * len(table)))
    assert gather([other.select(COLUMNS)], TAXONOMY).labellings == ()


def test_labellings_stand_by_judge_and_pass_people_last() -> None:
    found = labels_of([talk("N:a Y:b")], ("human:ann", 1), ("zeta", 1), ("eta", 2), ("eta", 1))
    assert [one.name for one in found.labellings] == [
        "eta, pass 1",
        "eta, pass 2",
        "zeta, pass 1",
        "human:ann, pass 1",
    ]


def test_a_turn_with_several_labels_under_one_name_is_left_out_and_counted_in_any_order() -> None:
    one, other, third = (
        judgments([talk(f"N:{label} N:{rest}")]).select(COLUMNS)
        for label, rest in (("(missing)", "a"), ("b", "-"), ("", "-"))
    )
    for tables in permutations((one, other, third)):
        [found] = gather(tables, TAXONOMY).labellings
        assert (found.repeated, len(found.turns), size(found.sets).tolist()) == (1, 1, [1])


def test_pieces_under_one_name_are_one_labelling() -> None:
    pieces = [judgments([talk("N:a Y:b", id=id)], "human:ann").select(COLUMNS) for id in "xy"]
    [found] = gather(pieces, TAXONOMY).labellings
    assert (found.name, len(found.turns), found.repeated) == ("human:ann, pass 1", 4, 0)


def test_labels_of_one_judge_under_two_names_are_two_labellings() -> None:
    """Also where they are of the same turns, and whatever the order of the tables."""
    tables = [
        named(judgments([talk(f"N:{label} Y:b")], judge).select(COLUMNS), name)
        for judge, name, label in (("eta", "strict", ""), ("eta", "eta", "a"), ("zeta", "zeta", "c"))
    ]
    for given in permutations(tables):
        found = gather(given, TAXONOMY).labellings
        assert [one.name for one in found] == ["eta (eta), pass 1", "eta (strict), pass 1", "zeta, pass 1"]
        assert [one.judge for one in found] == ["eta", "eta", "zeta"]
        assert [int(size(one.sets).sum()) for one in found] == [2, 1, 2]
        assert not any(one.repeated for one in found)


def staged(stage: str, judge: str, *debates: str) -> pa.Table:
    """Labels of these debates by the judge, in a stage of the experiment."""
    return named(judgments([talk("N:a Y:b", id=id) for id in debates], judge).select(COLUMNS), stage)


def test_stages_that_share_out_the_debates_are_one_labelling_and_others_are_not() -> None:
    pieces = [staged("early", "eta", "x"), staged("late", "eta", "y"), staged("early", "zeta", "x", "y")]
    assert [one.name for one in gather(shared_out(pieces), TAXONOMY).labellings] == [
        *("eta, pass 1", "zeta, pass 1"),
    ]
    again = gather(shared_out([*pieces, staged("late", "zeta", "y")]), TAXONOMY).labellings
    assert [one.name for one in again] == ["eta, pass 1", "zeta (early), pass 1", "zeta (late), pass 1"]


def test_a_turn_of_an_opening_has_its_label_where_it_was_said() -> None:
    begun = talk("N:a Y:b", id="begun")
    longer = talk("N:- Y:-", "N:c Y:d", "N:e Y:f", id="longer", stage="longer", inherited=1)
    third = talk("N:- Y:-", "N:- Y:-", "N:g Y:h", id="third", stage="third", inherited=2)
    debates = [begun, longer, third]
    pairs = sorted(
        (int(hashed([one])[0]), int(hashed([other])[0]))
        for one, other in (("longer", "begun"), ("third", "longer"))
    )
    origins = Origins(*(np.array(own, np.uint64) for own in zip(*pairs, strict=True)))
    through = said(turns(debates))
    found = join(through, labels_of(debates).labellings[0], origins)
    at = {
        (through.debates[d], r): row
        for row, (d, r) in enumerate(zip(through.debate, through.round, strict=True))
    }
    assert has(found.sets[[at["third", 1]]], 1).all(), "b, the last seat of round 1 of the first debate"
    assert has(found.sets[[at["third", 2]]], 3).all(), "d, of the second"
    assert found.used == 8, "a label counts where the turn was said"


def test_a_taxonomy_of_more_than_64_values() -> None:
    many = Taxonomy(tuple(f"v{number:03}" for number in range(130)), ("",) * 130)
    sets = pack(np.array([0, 0, 0, 2]), np.array([0, 64, 129, 63]), 3, len(many))
    assert sets.shape == (3, 3)
    assert size(sets).tolist() == [3, 0, 1]
    assert [own.tolist() for own in listed(sets)] == [[0, 0, 0, 2], [0, 64, 129, 63]]
    assert has(sets, 129).tolist() == [True, False, False]
