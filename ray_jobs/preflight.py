"""What can be known before anything expensive starts: whether models are there and cases fit into them."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from protocols.dialogue import Ask
from ray_jobs.case_checks import check_cases, check_known
from ray_jobs.cases import CaseRow
from ray_jobs.debate import Debate
from ray_jobs.design import Cell
from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError, Problem
from ray_jobs.plan import Plan
from ray_jobs.published_models import refuse_published
from ray_jobs.rehearsal import characters, rehearse
from ray_jobs.room import Hosting, Room
from ray_jobs.stage_warnings import stage_warnings
from serving.catalogue import HUB_NAME
from serving.context import context_limit
from serving.engine_block import EngineBlock
from serving.errors import ModelError
from serving.prices import price_of
from serving.remote_block import RemoteBlock

TOLD = 5  # cases that do not fit, of however many there are
SEAMS = 8  # tokens by which the count of a whole may exceed those of its parts


def preflight(
    experiment: Experiment,
    cases: Sequence[CaseRow],
    models: Collection[str] | None = None,
    elsewhere: bool = False,
) -> list[str]:
    """Warnings: prompts that may outgrow a model's context in a long debate, stages that keep nothing.

    `cases` holds at least one; `models` are those that are to be asked anything, None all of the plan.
    With `elsewhere`, engines run on a cluster, and a model that is not on this machine may be there.
    Raises `ExperimentError` for models that cannot be had or asked, for models of unknown price where a
    budget in dollars is to hold, and for cases that do not fit into a model even in its shortest debate.
    """
    asked = Plan(experiment, ()).models if models is None else models
    refuse_published(experiment, asked)
    check_cases(experiment, cases)
    check_known(experiment, cases, asked)
    seated = _seated(experiment, asked)
    _refuse_unpriced(experiment, seated)
    rooms = _rooms(experiment, seated, elsewhere)
    here = {room.model for room in rooms}
    unknown = [
        _not_here(name, block, elsewhere)
        for name, block in seated.items()
        if name not in here and isinstance(block, EngineBlock)
    ]
    plan = Plan(experiment, [cases[0].id])
    sizes = {
        _size(cell): debate
        for cell, debate in reversed(list(zip(plan.cells, plan.one_of_each(), strict=True)))
    }
    rehearsals = [_Rehearsal(experiment, plan, list(sizes.values()), room, cases[0]) for room in rooms]
    too_long = [text for each in rehearsals for case in cases for text in each.too_long(case)]
    if too_long:
        more = [f"and {len(too_long) - TOLD:,} more"] if len(too_long) > TOLD else []
        raise ExperimentError("\n".join([*too_long[:TOLD], *more]))
    longest = max(cases, key=lambda case: len(case.text))
    outgrown = [text for each in rehearsals for text in each.may_outgrow(longest)]
    return [*stage_warnings(plan, cases), *unknown, *outgrown]


def _refuse_unpriced(experiment: Experiment, seated: Mapping[str, Hosting]) -> None:
    if experiment.budget is None or experiment.budget.usd is None:
        return
    raised = [
        Problem(
            ("models", name),
            f"no price for '{block.model}' at {urlsplit(block.base_url).hostname}, under budget.usd",
            "price: {input: USD, output: USD} per million tokens, or no budget.usd",
        )
        for name, block in seated.items()
        if isinstance(block, RemoteBlock) and price_of(block) is None
    ]
    if raised:
        raise experiment.error(raised)


def _seated(experiment: Experiment, names: Collection[str]) -> dict[str, Hosting]:
    """The models of these names that have a context."""
    return {
        name: block
        for name, block in experiment.models.items()
        if name in names and isinstance(block, Hosting)
    }


def _rooms(experiment: Experiment, seated: Mapping[str, Hosting], elsewhere: bool) -> list[Room]:
    """The room in each model, where it is known."""
    rooms: list[Room] = []
    wrong: list[Problem] = []
    for name, block in seated.items():
        try:
            limit = context_limit(block)
        except ModelError as error:
            if elsewhere:
                continue
            wrong.append(
                Problem(("models", name, "model"), f"'{block.model}'", f"a model that is there; {error}")
            )
            continue
        if limit is not None and limit <= block.max_tokens:
            wrong.append(
                Problem(
                    ("models", name, "max_tokens"),
                    f"{block.max_tokens:,}, where prompt and reply together may have {limit:,}",
                    "fewer, so that prompts have room; or a higher engine: max_model_len",
                )
            )
        elif limit is not None:
            rooms.append(Room(name, block, limit))
    if wrong:
        raise experiment.error(wrong)
    return rooms


class _Rehearsal:
    """One model's longest prompts, in whichever cell they are longest: that is the same for every case."""

    def __init__(
        self, experiment: Experiment, plan: Plan, debates: Sequence[Debate], room: Room, case: CaseRow
    ) -> None:
        self.experiment, self.plan, self.room = experiment, plan, room
        asking = [debate for debate in debates if self._asks(debate, case, full=False)]
        self.shortest = max(asking, key=lambda debate: characters(self._largest(debate, case, full=False)))
        self.longest = max(asking, key=lambda debate: characters(self._largest(debate, case, full=True)))

        blank = replace(case, title="", text="")
        self.without_case = room.tokens(self._largest(self.shortest, blank, full=False))

    def too_long(self, case: CaseRow) -> Iterator[str]:
        """That the case does not fit, where it does not even in a debate of one round and a word each.

        Only a case that may not fit is counted: no token is shorter than a byte.
        """
        if self.without_case + len(f"{case.title}{case.text}".encode()) + SEAMS <= self.room.prompt:
            return
        tokens = self.room.tokens(self._largest(self.shortest, case, full=False))
        if tokens > self.room.prompt:
            yield (
                f"{case.place}: case '{case.id}': found {tokens} tokens{self.room.counted} in the shortest"
                f" prompts for the model '{self.room.model}'; allowed: {self.room.prompt}, its context of"
                f" {self.room.limit} less max_tokens; shorten the case, lower max_tokens, or"
                f" {self.room.way_out}"
            )

    def may_outgrow(self, case: CaseRow) -> Iterator[str]:
        """That the case may not fit by the last round, if every reply is as long as it may be."""
        ask = self._largest(self.longest, case, full=True)
        tokens = self.room.tokens(ask)
        if tokens > self.room.prompt:
            yield (
                f"{case.place}: case '{case.id}': by round {ask.round} of {self._protocol} a prompt"
                f" for the model '{self.room.model}' may have {tokens} tokens{self.room.counted}, if every"
                f" reply is as long as max_tokens allows; it may have {self.room.prompt}; such a debate would"
                f" fail; lower max_tokens or rounds, or {self.room.way_out}"
            )

    @property
    def _protocol(self) -> str:
        return self.plan.cell(self.longest).protocol

    def _largest(self, debate: Debate, case: CaseRow, full: bool) -> Ask:
        return max(self._asks(debate, case, full), key=characters)

    def _asks(self, debate: Debate, case: CaseRow, full: bool) -> list[Ask]:
        """What the model is asked: in the longest debate, or where all agree at once with a word each.

        A model that is only asked after debates without agreement is asked where all agree to none.
        """
        rehearsed = rehearse(self.experiment, self.plan, case, debate, agree=not full, full=full)
        asks = [ask for _, ask in rehearsed if ask.model == self.room.model]
        if asks or full:
            return asks
        rehearsed = rehearse(self.experiment, self.plan, case, debate, agree=False, full=False)
        return [ask for _, ask in rehearsed if ask.model == self.room.model]


def _size(cell: Cell) -> Hashable:
    """Cells of one size have the same longest prompts: beyond the panel, it matters who speaks last."""
    return cell.protocol, cell.variant, cell.panel, cell.steering, cell.answer_format, cell.order[-1]


def _not_here(name: str, block: EngineBlock, elsewhere: bool) -> str:
    where = "where" if elsewhere and not HUB_NAME.fullmatch(block.model) else "on the hub when"
    return (
        f"model '{name}': '{block.model}' is not on this machine; it is looked for {where} its engine"
        " starts, and whether the cases fit its context shows only then"
    )
