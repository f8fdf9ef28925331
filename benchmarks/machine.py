"""The machine that figures come from."""

from __future__ import annotations

import platform
from pathlib import Path

import psutil

NICENESS = (
    15  # that Ray gives its workers; what they are compared with has it too, for the machine may be busy
)


def machine() -> str:
    """In words: its processor, cores and memory, and how busy it was already: figures mean little without."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    cores, memory = psutil.cpu_count() or 0, psutil.virtual_memory().total / 2**30
    name = names[0] if names else platform.machine()
    load = psutil.getloadavg()[0]
    return (
        f"{cores} cores of {name}, {memory:.0f} GiB, Python {platform.python_version()};"
        f" load {load:.1f} before this began."
    )
