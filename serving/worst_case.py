"""What one call may cost at most, known before it is sent and without any tokenizer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from protocols.dialogue import Message
from serving.price import Price
from serving.purse import Amount, nanos

MARGIN = 64  # tokens that a chat template may add to each message, and once to the whole


def worst_case(
    messages: Sequence[Message],
    max_tokens: int,
    price: Price | None = None,
    schema: Mapping[str, object] | None = None,
) -> Amount:
    """The cost of a call whose prompt has a token for every byte and whose reply is the longest.

    No tokenizer of a language model makes more tokens than bytes. A `schema` that is sent along counts as
    part of the prompt. Without a price the dollars are 0: nothing that is not priced has a budget in them.
    """
    prompt = MARGIN + sum(MARGIN + len(message.content.encode()) for message in messages)
    if schema is not None:
        prompt += len(json.dumps(schema).encode())
    usd = 0.0 if price is None else price.at_most(prompt, max_tokens)
    return Amount(nanos(usd), prompt + max_tokens)
