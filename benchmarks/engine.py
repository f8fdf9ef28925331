"""Output tokens a second of a real engine in a run, over the engine's own offline mode with the same work."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.machine import machine
from benchmarks.run import play, replies, span
from benchmarks.study import SOME, write_synchronous

ENGINE = {"max_num_seqs": 256, "max_num_batched_tokens": 8192, "max_model_len": 8192}
MODELS = {  # debates, their rounds, and tokens of a reply, of each model
    "tiny": (300, 3, 32),
    "smollm2": (32, 2, 24),
}


def compare(name: str, debates: int, rounds: int, max_tokens: int) -> str:
    """In words: tokens a second of both, and their ratio."""
    model = {"backend": "vllm", "model": name, "max_tokens": max_tokens, "engine": ENGINE}
    limit = min(SOME, debates) if debates % SOME == 0 else debates
    with tempfile.TemporaryDirectory() as folder:
        file = write_synchronous(Path(folder), model, debates // limit, rounds, limit=limit)
        out = play(file)
        rows = replies(out, "completion_tokens")
        tokens = sum(row["completion_tokens"] for row in rows)
        ours = tokens / span(rows)
        offline = subprocess.run(
            [sys.executable, "-m", "benchmarks.offline", str(file), str(out)], capture_output=True, text=True
        )
    if offline.returncode != 0:
        raise SystemExit(f"the offline engine failed:\n{offline.stderr[-3000:]}")
    written, seconds = offline.stdout.split()[-2:]
    if int(written) != tokens:
        raise SystemExit(f"expected {tokens} tokens from the offline engine too; found {written}")
    theirs = tokens / float(seconds)
    return (
        f"{name}, {debates} synchronous debates, {len(rows):,} replies, {tokens:,} tokens: {ours:,.0f}"
        f" tokens/s from first ask to last reply; the engine's own `LLM.chat`, given the same prompts, seeds"
        f" and output lengths at once, {theirs:,.0f} tokens/s: **{ours / theirs:.2f}**"
    )


def main(*chosen: str) -> None:
    """Prints the ratio for each model, or for MODEL DEBATES ROUNDS TOKENS."""
    print(f"## Real engines\n\n{machine()}", flush=True)
    if chosen:
        print(f"\n{compare(chosen[0], *map(int, chosen[1:]))}.")
        return
    print(f"\n{compare('tiny', *MODELS['tiny'])} (goal 0.95).", flush=True)
    print(f"\n{compare('smollm2', *MODELS['smollm2'])} (reported).", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
