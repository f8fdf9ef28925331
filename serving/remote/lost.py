"""What both transports make of a connection that failed: whether the ask can have reached the server."""

from __future__ import annotations

import aiohttp

from serving.errors import DeadlinePassed, TransportError


def lost(cause: BaseException, message: str) -> TransportError:
    """The error of an exchange that broke off for this cause."""
    error = TransportError(message)
    error.unsent = isinstance(cause, aiohttp.ClientConnectorError)
    return error


def not_connected(model: str, seconds: float) -> DeadlinePassed:
    """The error of an exchange that never got a connection."""
    error = DeadlinePassed(f"{model}: no connection within {seconds:g} s")
    error.unsent = True
    return error
