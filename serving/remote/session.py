"""Which requests belong together: those of one debate, whose prompts begin alike."""

from __future__ import annotations

SESSION = "x-session-id"
"""The header by which Ray Serve's consistent hashing chooses the replica.

A cluster may call it otherwise (RAY_SERVE_SESSION_ID_HEADER_KEY); then asks are spread without affinity.
"""
