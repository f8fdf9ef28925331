"""An oversight study at a glance: counts by hand."""

from __future__ import annotations

from rich.console import Console

from analysis.oversight.glance import accuracy, actions, exits, glance
from tests.analysis.oversight.played import Played


def small() -> Played:
    """Two questions: a debate in both ways, and resolutions, one of which nobody can resolve."""
    made = Played()
    opened = made.openings("c")
    for swap, decision in ((False, "A"), (True, "B")):
        made.judged(made.debate(opened, "debate", stance_swap=swap), decision)
    made.judged(made.resolution(opened, "A A"), "A")
    made.resolution(made.openings("d", "??"), final="??", exit_mode=None)
    return made


def page(made: Played) -> str:
    console = Console(width=120)
    with console.capture() as shown:
        console.print(glance(made.study))
    return shown.get()


def test_an_instance_counts_with_the_mean_over_its_transcripts() -> None:
    told = accuracy(small().study).set_index("protocol")
    assert told["numerator"].to_dict() == {"debate": 0.5, "disagreement_resolution": 1}
    assert told["denominator"].tolist() == [1, 1]


def test_exits_and_actions_are_counted() -> None:
    made = small()
    ends = exits(made.study).set_index("exit_mode")
    assert ends["numerator"].to_dict() == {"consensus": 1, "unanswered": 1}
    assert set(ends["denominator"]) == {2}
    did = actions(made.study).set_index(["model", "kind"])["numerator"]
    assert did[did > 0].to_dict() == {("alpha", "persistence"): 1, ("beta", "recovery"): 1}


def test_counts_stand_with_their_denominators() -> None:
    said = " ".join(page(small()).split())
    assert "debate · steering vanilla ×2" not in said
    assert "judge 0.50 1 50.0%" in said
    assert "consensus 1 2 50.0%" in said
    assert "unanswered 1 2 50.0%" in said


def test_a_run_without_questions_shows_nothing() -> None:
    assert page(Played()) == ""
