"""A study of simulated agents of any size, as an experiment file."""

from __future__ import annotations

from pathlib import Path

CASES = Path("experiments/data/dilemmas.jsonl")
CELLS = 3  # synchronous, and round-robin in both orders


def write_study(folder: Path, debates: int, latency: float = 0, judged: bool = False) -> Path:
    """Writes an experiment of about `debates` two-seat debates over 25 cases; returns its file.

    With `judged`, a third model judges every debate. Models take `latency` seconds for a reply.
    """
    repetitions = max(1, round(debates / (25 * CELLS)))
    file = folder / f"debates-{debates}.yaml"
    file.write_text(
        f"""\
name: bench
cases: {{file: {CASES.absolute()}, limit: 25}}
models:
  a: {{backend: simulated, latency: {latency}}}
  b: {{backend: simulated, latency: {latency}, alpha: 0.5}}
  judge: {{backend: simulated, latency: {latency}}}
panels: [[a, b]]
protocols: [synchronous, {{round_robin: {{orders: all}}}}]
rounds: 4
repetitions: {repetitions}
seed: 7
stages: {"[{name: judged, judges: [judge]}]" if judged else "[]"}
""",
        "utf-8",
    )
    return file
