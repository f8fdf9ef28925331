"""What the README's figures come from: `python -m benchmarks` measures and writes `benchmarks/results.md`."""
