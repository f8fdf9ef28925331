"""The record of a dialogue, and how a dialogue is rebuilt from it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar, get_args

from protocols.answer_format import FormatName
from protocols.dialogue import Ask, Message, Reply
from protocols.fingerprint import ModelBlock, fingerprint, plain
from protocols.play import Play

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Record:
    """One logged reply: its place in the dialogue, the question it answered, and the reply itself.

    `sampling` is canonical JSON as `sampling_text` writes it.
    """

    step: int
    slot: int
    seat: str
    fingerprint: str
    messages: tuple[Message, ...]
    sampling: str
    answer_format: str
    seed: int
    reply: Reply

    @classmethod
    def of(cls, step: int, slot: int, ask: Ask, block: ModelBlock, reply: Reply) -> Record:
        """The record of `ask`, put to the model of this `block` in that place, and of its reply."""
        return cls(
            step=step,
            slot=slot,
            seat=ask.seat,
            fingerprint=fingerprint(ask, block),
            messages=ask.messages,
            sampling=sampling_text(ask),
            answer_format=ask.answer_format.name,
            seed=ask.seed,
            reply=reply,
        )


class LogMismatch(ValueError):
    """A log that does not fit its dialogue: another question was asked then than would be asked now."""


def replay(play: Play[T], records: Iterable[Record], blocks: Mapping[str, ModelBlock]) -> None:
    """Feeds logged replies to a fresh `play`, which then stands where the log ends.

    `blocks` gives each model's declared block by its name. Raises `LogMismatch`, naming the seat and
    the difference, for a record whose question is not the one asked now, and for one that the
    dialogue asks nowhere.
    """
    logged = {(record.step, record.slot): record for record in records}
    while logged:
        index, step = play.index, play.step
        slots = [slot for slot in range(len(step)) if (index, slot) in logged]
        if not slots:
            first = logged[min(logged)]
            raise LogMismatch(
                f"{first.seat}: the log has a reply at step {first.step}, slot {first.slot}, which this"
                " dialogue does not ask after the replies before it"
            )
        for slot in slots:
            record = logged.pop((index, slot))
            check(record, step[slot], blocks[step[slot].model])
            play.answer(slot, record.reply)


def check(record: Record, ask: Ask, block: ModelBlock) -> None:
    """Raises `LogMismatch` unless `record` answered exactly this `ask` to the model of this `block`."""
    if record.fingerprint != fingerprint(ask, block):
        place = f"{record.seat}, step {record.step}, slot {record.slot}"
        raise LogMismatch(f"{place}: the log holds the reply to another question: {difference(record, ask)}")


def sampling_text(ask: Ask) -> str:
    """The sampling parameters as the record keeps them: canonical JSON."""
    return json.dumps(plain(ask.sampling), sort_keys=True)


def difference(record: Record, ask: Ask) -> str:
    """In words, the first thing that was asked otherwise then than it would be now."""
    for name, then, now in (
        ("seat", record.seat, ask.seat),
        ("answer format", _known(record.answer_format) or ask.answer_format.name, ask.answer_format.name),
        ("sampling", record.sampling, sampling_text(ask)),
        ("seed", str(record.seed), str(ask.seed)),
        ("number of messages", str(len(record.messages)), str(len(ask.messages))),
    ):
        if then != now:
            return f"{name} was {then}, is {now}"
    for number, (old, new) in enumerate(zip(record.messages, ask.messages, strict=True), start=1):
        if old != new:
            return f"message {number} ({new.role}) {_first_difference(old.content, new.content)}"
    return "the model's block (backend, model, revision or base_url) or the labels it may answer with"


def _known(answer_format: str) -> str | None:
    """The name of a format, where it is not one of somebody's own, of which the labels tell more."""
    return answer_format if answer_format in get_args(FormatName) else None


def _first_difference(then: str, now: str, width: int = 40) -> str:
    pairs = zip(then, now, strict=False)
    at = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(then), len(now)))
    start = max(0, at - width // 4)
    return f"was {then[start : at + width]!r}, is {now[start : at + width]!r} (from character {start})"
