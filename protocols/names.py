"""What a name is: of a model, a stage, labels or a person."""

from __future__ import annotations

import re

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""Names that may stand in columns, file names and messages without quotes."""
