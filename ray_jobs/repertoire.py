"""The repertoire: whatever debate of a run is named, ready to be played, or played again from its replies."""

from __future__ import annotations

from functools import lru_cache

from protocols.play import Play
from protocols.record import replay
from protocols.transcript import Transcript
from ray_jobs.archive import Archive
from ray_jobs.case_table import CaseTable
from ray_jobs.debate import Debate
from ray_jobs.experiment import Experiment
from ray_jobs.plan import Plan
from ray_jobs.published_models import published
from ray_jobs.rows import record
from ray_jobs.said import said
from ray_jobs.staging import NOTHING, Scene, stage
from ray_jobs.store import Store

AT_HAND = 256  # transcripts, for what follows from one debate comes one after another


class Repertoire:
    """The debates of a run by its experiment, its cases and its tables; `grows` as in `Archive`."""

    def __init__(self, store: Store, experiment: Experiment, grows: bool = False) -> None:
        self.plan = Plan(experiment, ())
        self._experiment = experiment
        self._cases = CaseTable(store)
        self._archive = Archive(store, grows)
        self._turns = Archive(store, grows, "turns")
        self._published = published(experiment)
        self._blocks = experiment.identities()
        self.transcript = lru_cache(AT_HAND)(self._transcript)

    def scene(self, debate: Debate, before: Transcript) -> Scene:
        """The debate, going on from what was said `before` in the one that it comes from."""
        return stage(self._experiment, self.plan, self._cases[debate.case_id], debate, before)

    def before(self, debate: Debate) -> Transcript:
        """What was said in the debate that this one comes from; nothing where it comes from none."""
        return self.transcript(debate.parent) if debate.parent else NOTHING

    def _transcript(self, debate: Debate) -> Transcript:
        """What was said in a finished debate, rebuilt from its replies; of an imported one from its turns.

        Raises `LogMismatch` when they do not fit the experiment, or `PlayError` when some are missing.
        """
        cell = self.plan.cell(debate)
        if self._published.issuperset(cell.panel):
            return said(self._turns.rows(debate.debate_id), cell.in_turn)
        play: Play[Transcript] = Play(self.scene(debate, self.before(debate)).dialogue, debate.seed)
        replay(play, map(record, self._archive.rows(debate.debate_id)), self._blocks)
        return play.outcome
