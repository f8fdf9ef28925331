"""The dialogue: the one idea that everything else stands on.

A protocol is a pure function from a `Case` to a `Dialogue`. A dialogue is a generator that yields
*steps* (questions that may be answered at the same time), is sent the replies of that step, and
returns its outcome.

The laws:

1. A dialogue performs no I/O and reads no clock. Chance is a pure function of the case's seed and a
   name (`seeds.draw`).
2. An `Ask` holds all that is needed to answer it; agents may forget everything between asks.
   `Ask.facts` rides along for simulated and scripted agents, is never sent to a model and is no part
   of the fingerprint.
3. What can influence the conversation is a logged `Reply`: a refusal, a truncation, a content filter
   and an unreadable text included. A transport failure is an exception that suspends the debate; it
   never enters the dialogue.
4. A reply that cannot be read has a status and never becomes None, a random answer, a fresh sample,
   or consensus.
5. A step settles completely before anything fails: replies already paid for are kept.
6. A logged reply is keyed by (debate, step, slot) with a fingerprint of its question. A log that does
   not fit is refused by an error that names the seat and the difference.
7. The record is written by the player, never by a protocol.
8. A seat, not a model, is the identity: nothing is indexed by model name or dictionary order.
9. A `Case` has no truth in it.
10. No dialogue runs two dialogues on its own clock: `together` joins their steps.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from protocols.answer_format import AnswerFormat

T = TypeVar("T")

Role = Literal["system", "user", "assistant"]
Kind = Literal["turn", "candidate", "preference", "critique", "re-ask", "judge", "label"]
FinishReason = Literal["stop", "length", "content_filter"]


class Message(NamedTuple):
    """One chat message, as a model is to see it."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a reply is to be drawn from the model.

    `temperature` >= 0, `max_tokens` >= 1, `top_p` in (0, 1]; `extra` holds further parameters of the
    engine by name, sorted, passed through as they are.
    """

    temperature: float = 1.0
    max_tokens: int = 512
    top_p: float = 1.0
    extra: tuple[tuple[str, float | int | str | bool], ...] = ()


class Seen(NamedTuple):
    """One turn that a seat has seen: its round, who gave it, and the label read in it (None: unreadable)."""

    round: int
    seat: str
    label: str | None


@dataclass(frozen=True, slots=True)
class Facts:
    """What simulated and scripted agents may know of the question; never sent to a model.

    `own_last` is the label of the seat's own latest turn (None: no turn yet, or unreadable); `seen`
    holds the turns of other seats that its messages show, oldest first. `stance` is the label that the
    seat is to argue for, where it is. A judge, who may be asked for no option, is told the texts of the
    `options` in the order of their letters, and what each seat is `called` before it.
    """

    case_id: str = ""
    round: int = 1
    own_last: str | None = None
    seen: tuple[Seen, ...] = ()
    stance: str | None = None
    options: tuple[str, ...] = ()
    called: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """One self-contained question to a model.

    `seed` (31 bits) is stamped by the player from the debate's seed, the step and the slot; a
    protocol leaves it 0. `round` and `position` count from 1. `conversation` is the id of the debate
    to which it belongs, or of the one from which that follows: asks of one conversation begin alike and
    are best answered by the same engine. It is no part of the question.
    """

    seat: str
    model: str
    messages: tuple[Message, ...]
    sampling: Sampling
    answer_format: AnswerFormat
    seed: int = 0
    kind: Kind = "turn"
    round: int = 1
    position: int = 1
    prompt_hash: str = ""
    facts: Facts = field(default=Facts(), compare=False)
    conversation: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back for an `Ask`.

    Token counts, `cost_usd` and `logprobs` are None where the backend does not know them. `seconds` is
    the time the model worked on the reply, `wait_seconds` the time before that (queues, rate limits,
    retries), `time` the moment it was complete (seconds since the epoch, UTC). `seed_sent` says
    whether the backend could pass the ask's seed on. `logprobs` is JSON text.
    """

    text: str
    finish_reason: FinishReason = "stop"
    reasoning: str = ""
    model: str = ""
    provider: str = ""
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    logprobs: str | None = None
    seed_sent: bool = True
    seconds: float = 0.0
    wait_seconds: float = 0.0
    attempts: int = 1
    cost_usd: float | None = None
    time: float = 0.0


Step = tuple[Ask, ...]
Replies = tuple[Reply, ...]
Dialogue: TypeAlias = Generator[Step, Replies, T]
