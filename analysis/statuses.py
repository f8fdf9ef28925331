"""How a turn could be read."""

from __future__ import annotations

STATUSES = ("ok", "repaired", "missing", "invalid", "refusal", "truncated")
"""The statuses of a turn."""

READABLE = STATUSES[:2]
"""Those of a turn that carries a verdict."""
