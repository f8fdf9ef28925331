"""What the README's figures come from: `python -m benchmarks` runs all and writes `benchmarks/results.md`.

Each is also a command of its own, `python -m benchmarks.NAME`, which prints its part.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RESULTS = Path("benchmarks/results.md")
NAMES = (
    *("size", "continuing", "overlap", "tail", "scale", "remote", "peers", "prefix", "engine", "measures"),
    *("model", "oversight", "dilemmas", "viewer"),
)


def main() -> None:
    """Runs the benchmarks one after another. What was measured is written also when a later one fails."""
    parts = ["# Results of `make bench`"]
    for name in NAMES:
        done = subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], stdout=subprocess.PIPE, text=True)
        parts.append(done.stdout.strip())
        print(f"{parts[-1]}\n", flush=True)
        RESULTS.write_text("\n\n".join(parts) + "\n", "utf-8")
        if done.returncode != 0:
            raise SystemExit(f"benchmarks.{name} failed; what it says stands above")


if __name__ == "__main__":
    main()
