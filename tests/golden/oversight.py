"""Who saw what in oversight studies, as text: a question before two seats, in every structure of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from protocols.answer_format import AnswerFormat
from protocols.best_of_n import best_of_n
from protocols.case import Case, Seat
from protocols.critiqued import critiqued
from protocols.dialogue import Dialogue, Sampling
from protocols.judge import JUDGE, Judgment, Sees, judge, winners
from protocols.laws.golden import heard, script
from protocols.play import Play
from protocols.sections import Place, prompt_hash
from protocols.system_prompt import system_prompt
from protocols.transcript import Transcript
from protocols.transformed import Assistant
from tests.protocols.panels import Played, dialogue, orderly, play_out, question

BETA = Assistant("beta", Sampling(temperature=0.0))
SWAPPED = {"stance_swap": True}
IN_TURN = {"form": "alternating"}


@dataclass(frozen=True)
class Study:
    """A structure on the question: its parameters, how the case is put, and what is put around it."""

    protocol: str
    options: Mapping[str, Any] = field(default_factory=dict)
    how: Mapping[str, Any] = field(default_factory=dict)
    place: str = ""
    around: str = ""

    def case(self) -> Case:
        """The question before the seats of this study."""
        return question(self.place or self.protocol, 2, **{"rounds": 2, **self.how})

    def played(self) -> Played:
        """The study from beginning to end, with replies that are in order."""
        on = self.case()
        told = dialogue(self.protocol, on, **{"rounds": 2, "turns": 2, **self.options})
        return play_out(Play(self._around(told, on), seed=7), orderly)

    def _around(self, told: Dialogue[Transcript], on: Case) -> Dialogue[Transcript]:
        match self.around:
            case "best of 2":
                return best_of_n(told, on, 2, {"seat 1": BETA})
            case "critiqued":
                return critiqued(told, on, {"seat 2": BETA})
        return told


RESOLVED = Study("disagreement_resolution", how={"steering": "vanilla"})
STUDIES = {
    "question_synchronous": Study("synchronous", how={"steering": "default"}),
    "consultancy": Study("consultancy"),
    "double_consultancy": Study("double_consultancy", how={"form": "json"}),
    "debate": Study("debate", {"words": 80}),
    "debate_alternating": Study("debate", IN_TURN, place="debate_alternating"),
    "debate_first_together": Study(
        "debate", IN_TURN | {"first": "simultaneous"}, {"form": "json"}, "debate_first_together"
    ),
    "debate_swapped": Study("debate", how=SWAPPED),
    "disagreement_resolution": RESOLVED,
    "disagreement_resolution_full": Study(
        "disagreement_resolution", {"history": "full"}, {"steering": "anti_sycophantic", "form": "json"}
    ),
    "best_of_n": Study("debate", around="best of 2"),
    "critiqued": Study("disagreement_resolution", how={"steering": "sycophantic"}, around="critiqued"),
}
JUDGED: dict[str, tuple[Study, Sees, bool]] = {
    "judge_consultancy": (Study("consultancy"), "transcript", False),
    "judge_double_consultancy": (Study("double_consultancy"), "transcript", False),
    "judge_winner": (Study("debate"), "transcript", True),
    "judge_resolved": (RESOLVED, "positions", False),
}
"""The debate judged, what the judge sees, and whether it is asked for a winner."""


def oversight_files() -> dict[str, str]:
    """Every golden file's name and its text."""
    files = {f"{name}.txt": written(name, study) for name, study in STUDIES.items()}
    return files | {f"{name}.txt": judged(*how) for name, how in JUDGED.items()}


def written(name: str, study: Study) -> str:
    """One scripted debate: system prompts, then every ask with what is new to its seat, then all turns."""
    game = study.played()
    heading = f"{name}, 2 seats. Each ask shows what its seat was not shown before."
    return script(heading, study.case(), game)


def judged(study: Study, sees: Sees, named: bool) -> str:
    """The whole question to a judge who is shown the second seat first."""
    on, game = study.case(), study.played()
    names = winners(on, game.outcome) if named else ()
    form = AnswerFormat("text", "winner", names) if named else on.answer_format
    place = Place(f"judge_{sees}", ["Judge"], 1, 1, winners=names)
    system = system_prompt(on.prompts, on.title, on.text, place, "none", on.answer_format)
    seat = Seat(
        JUDGE, "Judge", "alpha", system, prompt_hash=prompt_hash(on.prompts, place, "none", "answer", "text")
    )
    told = judge(on, game.outcome, seat=seat, answer_format=form, sees=sees, display=("seat 2", "seat 1"))
    play: Play[Judgment] = Play(told, seed=7)
    [ask] = play.step
    play.answer(0, orderly(ask))
    messages = "\n\n".join(f"[{message.role}]\n{message.content}" for message in ask.messages)
    end = f"=== {play.outcome.reading.label}, after round {play.outcome.round}; it has heard: {heard(ask)}"
    return f"A judge who sees {sees} of {study.protocol}, 2 seats.\n\n{messages}\n\n{end}\n"
