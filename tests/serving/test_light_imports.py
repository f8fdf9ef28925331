"""Checking an experiment and simulating agents loads neither torch nor an engine nor a client."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["blocks", "catalogue", "context", "opening", "scripted", "simulated"])
def test_importing_loads_neither_torch_nor_vllm_nor_a_client(module: str) -> None:
    heavy = {"aiohttp", "gguf", "openai", "torch", "transformers", "vllm"}
    program = f"import sys, serving.{module}; print({heavy} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
