"""What can go wrong between an ask and its reply. Flat, picklable, each with its whole story in the message.

error            kind           retriable   what it means
ModelError       model          no          the model cannot be had: no such name; stops the model
PromptTooLong    too_long       no          this ask does not fit into the model's context; others may
AskRefused       bad_request    no          this ask cannot be answered as it stands; others may
AuthError        auth           no          the key is missing or wrong, or may not use it; stops the model
QuotaExhausted   quota          no          the account has nothing left to spend; stops the model
BudgetSpent      budget         no          the run's budget does not allow another call; stops the model
RateLimited      rate_limited   yes         too much at once, for too long; stops a model that answers nobody
Overloaded       overloaded     yes         the server is there and cannot answer now
TransportError   transient      yes         the way to the model failed; the same ask may succeed
Unreadable       transient      yes         what came back cannot be read, or is larger than allowed
DeadlinePassed   deadline       yes         the server took longer than it was given
EngineDead       engine_dead    yes         the engine is gone; another replica may answer the ask
Unreached        unreached      no          nothing ever came back from its address; stops the model
Unusable         unusable       no          it has refused all its first asks; stops the model

A model that is stopped answers nothing more in this run: its debates stay unplayed and are no failures.
"""

from __future__ import annotations

from typing import ClassVar, Literal

Kind = Literal[
    "model",
    "too_long",
    "bad_request",
    "auth",
    "quota",
    "rate_limited",
    "overloaded",
    "transient",
    "deadline",
    "engine_dead",
    "budget",
    "unreached",
    "unusable",
]


class ServingError(Exception):
    """Base of all errors of `serving`.

    `kind` names the class of the failure in the tables, `retriable` says whether the same ask may be
    sent again, `stops_model` whether the model can answer no ask at all until someone has mended it.
    Of an error that a backend gave up on, `attempts` says how often it asked, and `spent` that nobody
    should ask again. `unsent` says that the ask never left, so that nobody can have billed it.
    """

    kind: ClassVar[Kind]
    retriable: ClassVar[bool] = False
    stops_model: bool = False
    attempts: int = 1
    spent: bool = False
    unsent: bool = False


class ModelError(ServingError):
    """The model cannot be had, whatever is asked."""

    kind = "model"
    stops_model = True


class AskRefused(ServingError):
    """The backend cannot answer this ask as it stands, now or later."""

    kind = "bad_request"


class PromptTooLong(ServingError):
    """A prompt of `tokens` tokens with `max_tokens` for the reply does not fit into a context of `limit`.

    `said` is where the count comes from when it is not the model's own. Where a server has refused the
    prompt, `tokens` and `limit` are None and `said` is what it said.
    """

    kind = "too_long"

    def __init__(
        self, model: str, tokens: int | None, max_tokens: int, limit: int | None, said: str = ""
    ) -> None:
        super().__init__(model, tokens, max_tokens, limit, said)
        self.model, self.tokens, self.max_tokens, self.limit = model, tokens, max_tokens, limit
        self.said = said

    def __str__(self) -> str:
        shorter = "Shorten the case, lower max_tokens or rounds"
        return f"{self._found()}. {shorter}, or {self._way_out()}"

    def _found(self) -> str:
        if self.tokens is None or self.limit is None:
            return f"the server finds the prompt with max_tokens {self.max_tokens} too long: {self.said}"
        room = max(0, self.limit - self.max_tokens)
        counted = f" ({self.said})" if self.said else ""
        return (
            f"the prompt has {self.tokens} tokens{counted}; in a context of {self.limit} with max_tokens"
            f" {self.max_tokens} it may have at most {room}"
        )

    def _way_out(self) -> str:
        if self.said:
            return "take a model with a longer context"
        return "raise max_model_len where the model allows it"


class AuthError(ServingError):
    """The endpoint does not accept the key."""

    kind = "auth"
    stops_model = True


class QuotaExhausted(ServingError):
    """The account has no credit left, or has reached a limit that waiting does not lift."""

    kind = "quota"
    stops_model = True


class BudgetSpent(ServingError):
    """The next call might cost more than is left of the run's budget."""

    kind = "budget"
    stops_model = True


class Later(ServingError):
    """What a server refuses for now. `retry_after` is the wait that it asks for, in seconds, if any."""

    retriable = True

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message, retry_after)
        self.retry_after = retry_after

    def __str__(self) -> str:
        return str(self.args[0])


class RateLimited(Later):
    """Too much at once. One that a backend gives up on has lasted so long that the model answers nobody.

    Where it does answer others, the ask alone is refused, and `stops_model` is false.
    """

    kind = "rate_limited"
    stops_model = True


class Overloaded(Later):
    """The server is there and cannot answer now."""

    kind = "overloaded"


class TransportError(ServingError):
    """The ask or its reply was lost on the way."""

    kind = "transient"
    retriable = True


class Unreadable(TransportError):
    """Something came back that cannot be read, or is larger than is allowed."""


class DeadlinePassed(ServingError):
    """No connection, no first byte or no whole reply within the time that the block allows."""

    kind = "deadline"
    retriable = True


class EngineDead(ServingError):
    """The engine died; this backend answers nothing any more and is to be replaced."""

    kind = "engine_dead"
    retriable = True


class Unreached(ServingError):
    """Nothing has ever come back from the model's address."""

    kind = "unreached"
    stops_model = True


class Unusable(ServingError):
    """The model has refused all its first asks: what it refuses is not in the asks, but in all of them."""

    kind = "unusable"
    stops_model = True
