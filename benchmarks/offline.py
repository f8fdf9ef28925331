"""The work of a run, given all at once to its engine's offline mode: `python -m benchmarks.offline FILE RUN`.

Prints the tokens that were written and the seconds that this took.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from benchmarks.machine import NICENESS
from benchmarks.run import replies
from ray_jobs.experiment import load_experiment
from serving.blocks import VllmBlock
from serving.vllm_arguments import engine_arguments, prepare_environment


def main(file: Path, out: Path) -> None:
    """Starts the engine as the run did and gives it every prompt, seed and length of the run's replies."""
    os.nice(NICENESS)
    block = load_experiment(file).models["m"]
    assert isinstance(block, VllmBlock)
    prepare_environment(block)
    from vllm import LLM, SamplingParams
    from vllm.platforms import current_platform

    rows = replies(out, "messages", "ask_seed", "completion_tokens")
    llm = LLM(**engine_arguments(block, on_cpu=current_platform.is_cpu()))
    wanted = [
        SamplingParams(
            temperature=block.temperature,
            top_p=block.top_p,
            seed=row["ask_seed"],
            max_tokens=row["completion_tokens"],
            ignore_eos=True,
        )
        for row in rows
    ]
    began = time.monotonic()
    outputs = llm.chat([row["messages"] for row in rows], wanted, use_tqdm=False)
    seconds = time.monotonic() - began
    print(sum(len(output.outputs[0].token_ids) for output in outputs), seconds)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
