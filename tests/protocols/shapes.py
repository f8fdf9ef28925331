"""Replies of every shape, for tests."""

from __future__ import annotations

from protocols.laws.shapes import ARGUED, RAGGED, STATED, disputed, mark, ragged, shaped

__all__ = ["ARGUED", "RAGGED", "STATED", "disputed", "mark", "ragged", "shaped"]
