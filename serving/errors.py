"""What can go wrong between an ask and its reply. Flat, picklable, each with its whole story in the message.

error            retriable   what it means
ModelError       no          the model cannot be had: no such name or folder, or its engine does not start
PromptTooLong    no          this ask does not fit into the model's context; others may
AskRefused       no          this ask cannot be answered as it stands; others may
TransportError   yes         the way to the model failed; the same ask may succeed
EngineDead       yes         the engine is gone; another replica may answer the ask
"""

from __future__ import annotations


class ServingError(Exception):
    """Base of all errors of `serving`; `retriable` says whether the same ask may be sent again."""

    retriable: bool = False


class ModelError(ServingError):
    """The model cannot be had, whatever is asked."""


class AskRefused(ServingError):
    """The backend cannot answer this ask as it stands, now or later."""


class PromptTooLong(ServingError):
    """A prompt of `tokens` tokens with `max_tokens` for the reply does not fit into a context of `limit`."""

    def __init__(self, model: str, tokens: int, max_tokens: int, limit: int) -> None:
        super().__init__(model, tokens, max_tokens, limit)
        self.model, self.tokens, self.max_tokens, self.limit = model, tokens, max_tokens, limit

    def __str__(self) -> str:
        room = max(0, self.limit - self.max_tokens)
        return (
            f"{self.model}: the prompt has {self.tokens} tokens; in a context of {self.limit} with max_tokens"
            f" {self.max_tokens} it may have at most {room}. Shorten the case, lower max_tokens or rounds, or"
            " raise max_model_len where the model allows it"
        )


class TransportError(ServingError):
    """The ask or its reply was lost on the way."""

    retriable = True


class EngineDead(ServingError):
    """The engine died; this backend answers nothing any more and is to be replaced."""

    retriable = True
