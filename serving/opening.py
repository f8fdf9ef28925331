"""From a model block to a backend that answers."""

from __future__ import annotations

from serving.backend import Backend
from serving.blocks import ModelBlock, ScriptedBlock, SimulatedBlock, VllmBlock
from serving.scripted import Scripted
from serving.simulated import Simulated


async def open_backend(block: ModelBlock) -> Backend:
    """One replica of the block's model, ready to answer. Raises `ModelError` where it cannot be had."""
    match block:
        case VllmBlock():
            from serving.vllm_arguments import prepare_environment

            prepare_environment(block)  # before vllm is first imported
            from serving.vllm_engine import VllmEngine

            return await VllmEngine.start(block)
        case SimulatedBlock():
            return Simulated(block)
        case ScriptedBlock():
            return Scripted(block)
