"""Output tokens a second of a real engine in a run, over the engine's own offline mode with the same work."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.machine import machine
from benchmarks.run import play, replies, span
from benchmarks.study import SOME, write_synchronous

TIMES = 3  # one run of this machine and the next may differ by a tenth and more
ENGINE = {"max_num_seqs": 256, "max_num_batched_tokens": 8192, "max_model_len": 8192}
MODELS = {  # debates, their rounds, and tokens of a reply, of each model
    "tiny": (300, 3, 32),
    "smollm2": (32, 2, 24),
}


def compare(name: str, debates: int, rounds: int, max_tokens: int) -> str:
    """In words: tokens a second of both, in turn, and the median of their ratios."""
    model = {"backend": "vllm", "model": name, "max_tokens": max_tokens, "engine": ENGINE}
    limit = min(SOME, debates) if debates % SOME == 0 else debates
    pairs = []
    for _ in range(TIMES):
        with tempfile.TemporaryDirectory() as folder:
            file = write_synchronous(Path(folder), model, debates // limit, rounds, limit=limit)
            rows = replies(play(file), "completion_tokens")
            tokens = sum(row["completion_tokens"] for row in rows)
            pairs.append((tokens / span(rows), offline(file, tokens)))
    ratios = [ours / theirs for ours, theirs in pairs]
    return (
        f"{name}, {debates} synchronous debates, {len(rows):,} replies, {tokens:,} tokens, {TIMES} times in"
        f" turn: {_listed(pairs, 0)} tokens/s from first ask to last reply; the engine's own `LLM.chat`,"
        f" given the same prompts, seeds and output lengths at once, {_listed(pairs, 1)} tokens/s: ratios"
        f" {', '.join(f'{ratio:.2f}' for ratio in ratios)}, median **{median(ratios):.2f}**"
    )


def offline(file: Path, tokens: int) -> float:
    """Tokens a second of the engine's offline mode with the work of the run beside `file`."""
    command = [sys.executable, "-m", "benchmarks.offline", str(file), str(file.with_name("run"))]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"the offline engine failed:\n{done.stderr[-3000:]}")
    written, seconds = done.stdout.split()[-2:]
    if int(written) != tokens:
        raise SystemExit(f"expected {tokens} tokens from the offline engine too; found {written}")
    return tokens / float(seconds)


def main(*chosen: str) -> None:
    """Prints the ratio for each model, or for MODEL DEBATES ROUNDS TOKENS."""
    print(f"## Real engines\n\n{machine()}", flush=True)
    if chosen:
        print(f"\n{compare(chosen[0], *map(int, chosen[1:]))}.")
        return
    print(f"\n{compare('tiny', *MODELS['tiny'])} (goal 0.95).", flush=True)
    print(f"\n{compare('smollm2', *MODELS['smollm2'])} (reported).", flush=True)


def _listed(pairs: Sequence[tuple[float, float]], place: int) -> str:
    return ", ".join(f"{pair[place]:,.0f}" for pair in pairs)


if __name__ == "__main__":
    main(*sys.argv[1:])
