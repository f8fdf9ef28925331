"""How one dialogue is played to its end against agents, and what of it is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from protocols.dialogue import Ask, Reply, Step
from protocols.fingerprint import ModelBlock, fingerprint
from protocols.own.played import ProtocolError
from protocols.play import Play
from protocols.record import Record, replay
from ray_jobs.line import AskFailed
from ray_jobs.log import Row
from ray_jobs.parts import Rows
from ray_jobs.rows import record, reply_row
from ray_jobs.whose import named

BROKEN = "protocol_error"
"""The class of error of a debate whose protocol, one of somebody's own, has failed."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all debates of a run have in common: the models' declared blocks, and the claim on the run."""

    blocks: Mapping[str, ModelBlock]
    claim: str

    def fingerprint(self, ask: Ask) -> str:
        """What identifies the question."""
        return fingerprint(ask, self.blocks[ask.model])


async def play_debate(
    setting: Setting,
    play: Play[Any],
    design: Row,
    logged: Sequence[Row],
    ask: Callable[[Ask], Awaitable[Reply]],
    keep: Callable[[Row], None],
) -> list[Row]:
    """Plays from where the `logged` rows end, and returns the rows of all replies.

    `keep` is given each new reply as soon as it is there, also while others of its step are waited for. A
    step settles completely before anything fails. Raises what `ask` raised first, and `LogMismatch` when
    `logged` does not fit.
    """
    rows = list(logged)
    replay(play, map(record, logged), setting.blocks)
    while not play.done:
        index, step, slots = play.index, play.step, list(play.open)

        async def answered(slot: int, index: int = index, step: Step = step) -> tuple[Reply, Row]:
            reply = await ask(step[slot])
            recorded = Record.of(index, slot, step[slot], setting.blocks[step[slot].model], reply)
            row = reply_row(design, step[slot], recorded, setting.claim)
            keep(row)
            return reply, row

        settled = await asyncio.gather(*map(answered, slots), return_exceptions=True)
        errors: list[BaseException] = []
        for slot, end in zip(slots, settled, strict=True):
            if isinstance(end, BaseException):
                errors.append(end)
                continue
            reply, row = end
            rows.append(row)
            play.answer(slot, reply)
        if errors:
            raise errors[0]
    return sorted(rows, key=lambda row: (row["step"], row["slot"]))


def failure_rows(design: Row, error: AskFailed | ProtocolError) -> Rows:
    """The row of `failures` for a debate that an ask, or its protocol itself, has failed in for good."""
    if isinstance(error, ProtocolError):
        failed = {"error_class": BROKEN, "message": str(error), "time": datetime.now(UTC)}
        return {"failures": [{**design, **failed}]}
    row = {
        **design,
        "error_class": error.error_class,
        "message": named(error.seat, error.model, error.message),
        "seat": error.seat,
        "attempts": error.attempts,
        "wait_seconds": error.wait_seconds,
        "time": datetime.now(UTC),
    }
    return {"failures": [row]}
