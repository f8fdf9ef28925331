"""From a model block to a backend that answers."""

from __future__ import annotations

from serving.backend import Backend
from serving.blocks import ModelBlock, ScriptedBlock, SimulatedBlock, VllmBlock
from serving.errors import ModelError
from serving.metered import Metered
from serving.published_block import PublishedBlock
from serving.purse import FREE, Purse
from serving.remote_block import RemoteBlock
from serving.scripted import Scripted
from serving.serve_block import ServeBlock
from serving.simulated import Simulated


async def open_backend(block: ModelBlock, purse: Purse | None = None, replica: int = 0) -> Backend:
    """The replica of that number, ready to answer; every call is paid for by the purse, if any.

    Raises `ModelError` where the model cannot be had, `AuthError` where its key is not there.
    """
    if isinstance(block, RemoteBlock):
        from serving.remote.backend import Remote  # with clients that checking an experiment does not need

        return await Remote.start(block, purse or FREE, replica)
    if isinstance(block, PublishedBlock):
        raise ModelError(f"{block.model} has answered in a published study, and cannot be asked anything")
    backend = await _open_local(block)
    return Metered(backend, purse) if purse else backend


async def _open_local(block: VllmBlock | ServeBlock | SimulatedBlock | ScriptedBlock) -> Backend:
    match block:
        case VllmBlock():
            from serving.vllm_arguments import prepare_environment

            prepare_environment(block)  # before vllm is first imported
            from serving.vllm_engine import VllmEngine

            return await VllmEngine.start(block)
        case ServeBlock():
            from serving.served import Served

            return await Served.start(block)
        case SimulatedBlock():
            return Simulated(block)
        case ScriptedBlock():
            return Scripted(block)
