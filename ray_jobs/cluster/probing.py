"""Whether models that others serve answer: each is asked for one token, once, whatever it is called."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Message
from ray_jobs.cluster.findings import Finding
from serving.blocks import ModelBlock
from serving.errors import ServingError
from serving.opening import open_backend
from serving.remote_block import RemoteBlock
from serving.serve_block import ServeBlock

Elsewhere: TypeAlias = RemoteBlock | ServeBlock

PATIENCE_SECONDS = 60.0  # for one token, with all that is tried again on the way


def probe_findings(blocks: Mapping[str, ModelBlock]) -> Iterator[Finding]:
    """A finding for each model at an address; what the token costs is billed by its provider."""
    alike: dict[tuple[str, str | None, str], tuple[Elsewhere, list[str]]] = {}
    for name, block in blocks.items():
        if isinstance(block, RemoteBlock):
            alike.setdefault((block.base_url, block.key, block.model), (block, []))[1].append(f"'{name}'")
        elif isinstance(block, ServeBlock) and block.serve is not None and block.serve.url is not None:
            alike.setdefault((block.serve.url, None, block.served_name), (block, []))[1].append(f"'{name}'")
    for (url, _, _), (block, names) in alike.items():
        yield asyncio.run(_probed(f"model {' and '.join(names)}", block, url))


def _question(block: RemoteBlock) -> Ask:
    sampling = replace(block.sampling(), max_tokens=1)
    return Ask("probe", block.model, (Message("user", "Say yes."),), sampling, AnswerFormat())


async def _probed(what: str, block: Elsewhere, url: str) -> Finding:
    began = time.monotonic()
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            backend = await open_backend(block)
            try:
                if isinstance(block, RemoteBlock):  # a served model has written its token when it is open
                    await backend.answer(_question(block))
            finally:
                await backend.close()
    except ServingError as error:
        return Finding("fail", what, str(error), "mend this; docs/remote.md says what each failure means")
    except TimeoutError:
        found = f"no token from {url} within {PATIENCE_SECONDS:.0f} s"
        return Finding("fail", what, found, "check the address, and whether the model is up")
    return Finding("ok", what, f"wrote a token after {time.monotonic() - began:.1f} s at {url}")
