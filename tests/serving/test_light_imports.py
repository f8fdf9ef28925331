"""Checking an experiment and simulating agents loads neither torch nor an engine nor a client."""

from __future__ import annotations

import subprocess
import sys

MODULES = ["blocks", "catalogue", "context", "opening", "scripted", "simulated"]


def test_importing_loads_neither_torch_nor_vllm_nor_a_client() -> None:
    """All in one process: what none of them together has loaded, none has loaded alone."""
    heavy = {"aiohttp", "gguf", "openai", "torch", "transformers", "vllm"}
    modules = ", ".join(f"serving.{module}" for module in MODULES)
    program = f"import sys, {modules}; print({heavy} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
