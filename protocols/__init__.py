"""Debates as pure functions: who is asked what, who sees what, when it ends. Standard library only."""

from __future__ import annotations

from collections.abc import Callable

from protocols.consultancy import consultancy, double_consultancy
from protocols.debate import debate
from protocols.dialogue import Dialogue
from protocols.disagreement_resolution import disagreement_resolution
from protocols.hybrid import hybrid
from protocols.majority import majority
from protocols.reask import reask
from protocols.round_robin import round_robin
from protocols.solo import solo
from protocols.synchronous import synchronous
from protocols.transcript import Transcript

PROTOCOLS: dict[str, Callable[..., Dialogue[Transcript]]] = {
    "solo": solo,
    "synchronous": synchronous,
    "round_robin": round_robin,
    "hybrid": hybrid,
    "reask": reask,
    "majority": majority,
    "consultancy": consultancy,
    "double_consultancy": double_consultancy,
    "debate": debate,
    "disagreement_resolution": disagreement_resolution,
}
