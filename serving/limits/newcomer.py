"""A model that has not replied yet: what fails tells of the model rather than of the ask."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from serving.errors import AskRefused, ServingError, TransportError, Unreached, Unreadable, Unusable

REFUSED = 8  # asks that are refused before any reply, after which all will be


class Newcomer:
    """What becomes of failures until a model has answered, and until it has replied.

    Until anything has come back from `address`, an attempt that failed on the way costs no try, and
    `unreached` seconds after the first such attempt `give_up` is called: the model is not there. Until the
    first reply, refused asks are counted, and with the eighth the model has stopped. Made inside a running
    event loop.
    """

    def __init__(self, address: str, unreached: float, give_up: Callable[[], None]) -> None:
        self._address, self._unreached, self._give_up = address, unreached, give_up
        self._answered = self._replied = False
        self._refused = 0
        self._last = ""
        self._waiting: asyncio.TimerHandle | None = None

    def answered(self) -> None:
        """Something has come back, whatever it is."""
        self._answered = True
        self.close()

    def replied(self) -> None:
        """An ask has its reply."""
        self._replied = True

    def spares(self, error: ServingError) -> bool:
        """Whether an attempt that ended so costs no try."""
        lost = isinstance(error, TransportError) and not isinstance(error, Unreadable)
        return not self._answered and (error.unsent or lost)

    def judged(self, error: ServingError) -> ServingError:
        """What the failure of an attempt comes to: itself, or that the model has stopped."""
        if isinstance(error, Unreadable):
            self.answered()
        if self.spares(error):
            self._last = str(error)
            loop = asyncio.get_running_loop()
            self._waiting = self._waiting or loop.call_later(self._unreached, self._give_up)
        elif isinstance(error, AskRefused) and not self._replied:
            self._refused += 1
            if self._refused >= REFUSED:
                return Unusable(
                    f"it has refused its first {REFUSED} asks and given no reply, at last: {error}"
                )
        return error

    def unreached(self) -> Unreached:
        """The error of a model that was given up."""
        return Unreached(
            f"nothing has come back from {self._address} within {self._unreached:g} s, at last: {self._last}."
            " Check base_url, and that the server runs; where it needs longer to start, raise limits:"
            " unreached"
        )

    def close(self) -> None:
        """Waits for nothing any more."""
        if self._waiting is not None:
            self._waiting.cancel()
