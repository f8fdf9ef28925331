"""The sittings of a run: one where all its models fit on the cluster, else one for each company of them.

A sitting plays what its company can, and gives back all that its engines held. What comes of its debates and
needs others is left to a later one, as it would be left by a run that is interrupted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from ray_jobs.claims import Claim, claim_id, claim_ids, claim_run
from ray_jobs.cluster.capacity import Capacity
from ray_jobs.cluster.preflight import check_cluster
from ray_jobs.company import company
from ray_jobs.connection import connected, joins_cluster
from ray_jobs.debate import Debate
from ray_jobs.ended import Ended, Extent, extents, how_far
from ray_jobs.experiment import Experiment
from ray_jobs.keys import refuse_missing_keys
from ray_jobs.ledger import Ledger
from ray_jobs.performance import play
from ray_jobs.plan import Plan
from ray_jobs.progress import Progress
from ray_jobs.spending import spent
from ray_jobs.status import Task
from ray_jobs.store import Store
from ray_jobs.treasury import Funds
from serving.blocks import ModelBlock

Models = Mapping[str, ModelBlock]


@dataclass(frozen=True, slots=True)
class Sittings:
    """A run that this process plays under the claim `begun`, and sittings after the first under others."""

    store: Store
    experiment: Experiment
    plan: Plan
    begun: Claim
    progress: Progress

    def play(self, address: str | None, retry_failed: bool) -> dict[str, str]:
        """Plays all that is left; debates that failed earlier only if `retry_failed`.

        Returns the models that stopped answering, and why. Raises `ExperimentError` where keys are missing or
        the models of one debate do not fit on the cluster together.
        """
        failed_by: list[str] | None = [] if retry_failed else None
        ended = Ended.of(self.store, failed_by)
        far = self._far(ended)
        forked = f", a fork of {self.begun.fork}" if self.begun.fork else ""
        self.progress.say(f"{self.store.uri}{forked}: {how_far(far, ended)}")
        if not any(len(extent.left) for extent in far):
            return {}
        refuse_missing_keys(self.experiment, self._needed(far), address)
        stopped: dict[str, str] = {}
        claims = self._claims()
        with connected(address):
            if joins_cluster(address):
                check_cluster(self.store, self._needed(far), self.progress.warn)
            while any(True for _ in self._asked(far, stopped)):
                needed = {name: block for name, block in self._needed(far).items() if name not in stopped}
                now = company(needed, self._in_turn(needed, far, stopped), Capacity.of_cluster())
                if now.keys() < needed.keys():
                    self._tell_later(needed, now, set().union(*self._asked(far, stopped)))
                claim = next(claims)
                self.progress.begin(far, self.plan.stages)
                stopped |= self._sit(claim, now, _playable(self.plan, far, now))
                if now.keys() == needed.keys():
                    break
                if failed_by is not None:
                    failed_by.append(claim.id)
                far = self._far(Ended.of(self.store, failed_by))
        return stopped

    def _claims(self) -> Iterator[Claim]:
        """The claim of each sitting."""
        yield self.begun
        while True:
            yield claim_run(self.store, self.experiment, claim_id(claim_ids(self.store)))

    def _sit(self, claim: Claim, models: Models, debates: Iterator[Debate]) -> dict[str, str]:
        """One sitting, with these models."""
        task = Task(self.store.place, claim, self.begun.id, frozenset(models))
        funds = None
        if self.experiment.budget is not None:
            funds = Funds(self.experiment.budget.cap, spent(self.store), self.store.uri, claim.id)
            self.progress.say(f"budget: {Ledger(funds.cap, funds.spent).told()}")
        return play(task, self.plan, models, debates, self.progress, funds)

    def _tell_later(self, needed: Models, now: Models, asked: set[str]) -> None:
        if later := [name for name in needed if name in asked and name not in now]:
            self.progress.say(f"the cluster has no room for all models at once; later: {', '.join(later)}")

    def _far(self, ended: Ended) -> list[Extent]:
        return list(extents(self.plan, self.plan.debates(), ended))

    def _needed(self, far: Sequence[Extent]) -> dict[str, ModelBlock]:
        """The models that what is left needs, and all that follows from it, in the experiment's order."""
        names = {model for extent in far if len(extent.left) for model in self.plan.models_from(extent.stage)}
        return {name: block for name, block in self.experiment.models.items() if name in names}

    def _asked(self, far: Sequence[Extent], stopped: Collection[str]) -> Iterator[set[str]]:
        """The models of each debate that is left, in order, but for those that a stopped one is among."""
        each = (self.plan.asked(debate) for debate in _left(far))
        return (models for models in each if not models & set(stopped))

    def _in_turn(self, needed: Models, far: Sequence[Extent], stopped: Collection[str]) -> Iterator[set[str]]:
        """What debates ask that are left, then the models that only what follows from them needs."""
        met: set[str] = set()
        for models in self._asked(far, stopped):
            met |= models
            yield models
        yield from ({name} for name in needed if name not in met)


def _left(far: Sequence[Extent]) -> Iterator[Debate]:
    """What is left, the oldest first."""
    return chain.from_iterable(extent.left for extent in reversed(far))


def _playable(plan: Plan, far: Sequence[Extent], models: Collection[str]) -> Iterator[Debate]:
    """What is left that these models can play."""
    return (debate for debate in _left(far) if plan.asked(debate) <= set(models))
