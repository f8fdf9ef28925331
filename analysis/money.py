"""How money is written, wherever it is."""

from __future__ import annotations

SMALLEST = 0.0001  # of a dollar that is told


def dollars(usd: float) -> str:
    """US dollars with four digits after the point, as $1,234.5000; what is too little for them is told so."""
    return f"under ${SMALLEST:.4f}" if 0.0 < usd < SMALLEST else f"${usd:,.4f}"
