"""A remote model as a backend: a transport, the model's limits, and patience."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

from protocols.dialogue import Ask, Reply
from serving.errors import EngineDead, ServingError, TransportError
from serving.limits.condition import Condition
from serving.limits.gate import Gate
from serving.limits.newcomer import Newcomer
from serving.limits.patience import patient
from serving.limits.share import Share
from serving.prices import priced
from serving.purse import FREE, Amount, Purse, charge, paying
from serving.remote.key import Key
from serving.remote.lean import Lean
from serving.remote.official import Official
from serving.remote.request import check_room, expected_tokens, not_sent, request_body
from serving.remote.response import read_reply
from serving.remote_block import RemoteBlock
from serving.worst_case import worst_case

TRANSPORTS: dict[str, type[Official] | type[Lean]] = {"official": Official, "lean": Lean}


class Remote:
    """One replica's share of a remote model. Opened by `start`.

    With `sessions` the server is told which asks are of one conversation.
    """

    def __init__(
        self,
        block: RemoteBlock,
        key: Key,
        sleep: Callable[[float], Awaitable[None]] | None = None,
        purse: Purse = FREE,
        replica: int = 0,
        sessions: bool = False,
    ) -> None:
        self._block, self._purse, self._sessions = priced(block), purse, sessions
        share = Share(replica, block.replicas, epoch=time.monotonic() - time.time())
        self._limits = block.limits.shared(share)
        self._in_flight = block.in_flight // block.replicas
        self._gate = Gate(self._limits, self._in_flight, share=share)
        self._sleep = sleep or self._gate.rest
        self._transport: Official | Lean = TRANSPORTS[block.transport](block, key)
        self._newcomer = Newcomer(block.address, self._limits.unreached, self._end_all)
        self._open: set[asyncio.Timeout] = set()
        self._key = key
        self._closed = self._given_up = False

    @classmethod
    async def start(cls, block: RemoteBlock, purse: Purse = FREE, replica: int = 0) -> Remote:
        """The client of that number, at once; nothing is sent.

        Raises `AuthError` where its key is not in the environment.
        """
        remote = cls(block, Key.read(block.key), purse=purse, replica=replica)
        dropped = not_sent(block)
        if dropped:
            logging.getLogger(__name__).warning("%s: not sent: %s", block.model, ", ".join(dropped))
        return remote

    @property
    def in_flight(self) -> int:
        """This replica's share of what is declared, rounded down."""
        return self._in_flight

    @property
    def condition(self) -> Condition:
        """How the model's limits stand."""
        return self._gate.condition

    async def answer(self, ask: Ask) -> Reply:
        """The model's reply, after as many attempts as it takes.

        `seconds` is the last attempt's work, `wait_seconds` all the time before it. Raises `PromptTooLong`
        for what certainly does not fit, before it is sent, `BudgetSpent` for what the purse does not pay;
        else the last attempt's `ServingError`, or that the model has stopped.
        """
        if self._closed:
            raise EngineDead("the client has been closed")
        if self._given_up:
            raise self._newcomer.unreached()
        check_room(self._block, ask)
        try:
            async with asyncio.timeout(None) as open_ask:
                self._open.add(open_ask)
                try:
                    return await self._unless_stopped(ask)
                finally:
                    self._open.discard(open_ask)
        except TimeoutError:
            raise self._ended() from None

    async def probe(self) -> None:
        """A client is always there. Whether its endpoint answers is the circuit's to find out."""

    async def close(self) -> None:
        """Gives up what is in flight, by `TransportError`, and closes every connection."""
        self._closed = True
        self._newcomer.close()
        self._end_asks()
        await self._transport.close()

    def _end_all(self) -> None:
        """The model is not there."""
        self._given_up = True
        self._end_asks()

    def _end_asks(self) -> None:
        for open_ask in self._open:
            open_ask.reschedule(asyncio.get_running_loop().time())

    def _ended(self) -> ServingError:
        if self._given_up:
            return self._newcomer.unreached()
        return TransportError("the client was closed meanwhile")

    async def _unless_stopped(self, ask: Ask) -> Reply:
        """Once an ask has met what stops the model, those that wait for anything are told the same."""
        try:
            return await self._insist(ask)
        except ServingError as error:
            if error.stops_model:
                self._gate.stop(error)
            raise

    async def _insist(self, ask: Ask) -> Reply:
        """Asks until there is a reply or an error that asking again does not mend."""
        body, tokens, worst = request_body(self._block, ask), expected_tokens(ask), self._worst(ask)
        began = time.monotonic()
        reply, attempts, _ = await patient(
            lambda: self._judged(ask, body, tokens, worst),
            tries=self._block.tries,
            patience=self._limits.patience,
            last_success=self._gate.last_success,
            spares=self._newcomer.spares,
            sleep=self._sleep,
        )
        waited = max(0.0, time.monotonic() - began - reply.seconds)
        text, reasoning = map(self._key.scrub, (reply.text, reply.reasoning))  # also what came in pieces
        return replace(reply, text=text, reasoning=reasoning, attempts=attempts, wait_seconds=waited)

    def _worst(self, ask: Ask) -> Amount:
        schema = ask.answer_format.schema if self._block.accepts.response_format else None
        return worst_case(ask.messages, ask.sampling.max_tokens, self._block.price, schema)

    async def _judged(self, ask: Ask, body: dict[str, object], tokens: int, worst: Amount) -> Reply:
        try:
            reply = await self._once(ask, body, tokens, worst)
        except ServingError as error:
            raise self._newcomer.judged(error) from None
        self._newcomer.replied()
        return reply

    async def _once(self, ask: Ask, body: dict[str, object], tokens: int, worst: Amount) -> Reply:
        async with self._gate.passage(tokens), paying(self._purse, worst) as bill:
            sent = time.monotonic()
            session = ask.conversation if self._sessions else ""
            answer = await self._transport.exchange(body, session)
            self._newcomer.answered()
            reply = read_reply(self._block, ask, answer, time.monotonic() - sent)
            bill.used = charge(reply, worst)
        if reply.prompt_tokens is not None and reply.completion_tokens is not None:
            self._gate.settle(tokens, reply.prompt_tokens + reply.completion_tokens)
        return reply
