"""`python -m ray_jobs.run FILE`: the entry point of a Ray job; the same as `moot run FILE`."""

from __future__ import annotations

import typer

from ray_jobs.cli import run

if __name__ == "__main__":
    typer.run(run)
