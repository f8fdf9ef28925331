"""Values of dumps: every form in which they are written is read, and what is none of them has a name."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

ID = re.compile(r"(?:t[1-6]_)?([0-9a-z]{1,12})")
FALSE, TRUE = {"", "false", "none", "null"}, {"true"}
NO, YES = {"false", "0", "0.0"}, {"true", "1", "1.0"}
FIRST, LAST = 1_104_537_600, 4_102_444_800  # seconds: the years 2005 to 2099

Fields = Mapping[str, Any]


class Unusable(Exception):
    """A row that cannot be read. `reason` is what it is counted under, `found` says what stands there."""

    def __init__(self, reason: str, found: str = "") -> None:
        super().__init__(reason, found)
        self.reason = reason
        self.found = found


def column(row: Fields, name: str) -> Any:
    """What stands in a column, None included. Raises `Unusable` where there is no such column."""
    if name not in row:
        raise Unusable(f"missing column '{name}'")
    return row[name]


def identifier(row: Fields, name: str) -> str:
    """An id in base 36, without its prefix t1_ or t3_."""
    found = column(row, name)
    match = ID.fullmatch(found) if isinstance(found, str) else None
    if match is None:
        raise Unusable(f"'{name}' that is no id", _shown(found))
    return match[1]


def text(row: Fields, name: str) -> str:
    """A text; null is an empty one."""
    found = column(row, name)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise Unusable(f"'{name}' that is no text", f"found a {type(found).__name__}")
    return found


def optional_text(row: Fields, name: str) -> str:
    """A text; what is null, or in no column, is an empty one."""
    return text(row, name) if name in row else ""


def whole(row: Fields, name: str) -> int:
    """A whole number of at most 32 bits, also as text or as a float."""
    found = column(row, name)
    number = _number(found)
    if number is None or number != int(number) or abs(number) >= 2**31:
        raise Unusable(f"'{name}' that is no whole number", _shown(found))
    return int(number)


def seconds(row: Fields, name: str) -> int:
    """Seconds since 1970, also as text, as a float, or as a timestamp of Parquet, which is taken as UTC."""
    found = column(row, name)
    if isinstance(found, datetime):
        found = (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    number = _number(found)
    if number is None or not FIRST <= number < LAST:
        raise Unusable(f"'{name}' that is no time", _shown(found))
    return int(number)


def flag(row: Fields, name: str) -> bool | None:
    """Whether something holds, also as text or as 0 or 1; None where nobody says: no column, or null."""
    found = row.get(name)
    if found is None or isinstance(found, bool):
        return found
    said = str(found).strip().lower()
    if not isinstance(found, int | float | str) or said not in NO | YES:
        raise Unusable(f"'{name}' that is neither true nor false", _shown(found))
    return said in YES


def edited(row: Fields) -> bool:
    """Whether a text was edited: `edited` is false, or the time of it, in older dumps true, also as text."""
    found = row.get("edited")
    if found is None or isinstance(found, bool):
        return bool(found)
    if isinstance(found, datetime):
        return True
    if isinstance(found, str) and found.strip().lower() in FALSE | TRUE:
        return found.strip().lower() in TRUE
    number = _number(found)
    if number is None:
        raise Unusable("'edited' that is neither true, false nor a time", _shown(found))
    return number != 0


def _shown(found: object) -> str:
    return f"found {repr(found)[:60]}"


def _number(found: object) -> float | None:
    if isinstance(found, bool) or not isinstance(found, int | float | str | Decimal):
        return None
    try:
        number = float(found)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
