"""Which models a server has, as it says itself."""

from __future__ import annotations

import asyncio
import json

import aiohttp

from serving.errors import Unreached
from serving.remote.answer import mapping, string

PATIENCE = 30.0  # seconds


async def names_served(base_url: str) -> list[str]:
    """The names under `models` of an OpenAI-compatible server without a key.

    Raises `Unreached` where nothing that can be read comes back.
    """
    try:
        async with (
            asyncio.timeout(PATIENCE),
            aiohttp.ClientSession(trust_env=True) as session,
            session.get(f"{base_url}/models") as response,
        ):
            body = mapping(json.loads(await response.text()))
    except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
        raise Unreached(
            f"no list of models comes from {base_url}/models ({str(error) or 'no answer'}); check that the"
            " server runs and that the address is the one before /chat/completions"
        ) from None
    models = body.get("data")
    return [string(mapping(each).get("id")) for each in models] if isinstance(models, list) else []
