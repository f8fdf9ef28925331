"""What both transports make of a connection that failed: whether the ask can have reached the server."""

from __future__ import annotations

import os

import aiohttp

from serving.errors import DeadlinePassed, TransportError
from serving.remote.key import Key


def lost(cause: BaseException, key: Key) -> TransportError:
    """The error of an exchange that broke off for this cause."""
    if isinstance(cause, aiohttp.ClientConnectorError):
        error = TransportError(f"cannot connect to {cause.host}:{cause.port} ({_reason(cause)})")
        error.unsent = True
        return error
    return TransportError(key.scrub(f"{type(cause).__name__}: {cause}"))


def not_connected(seconds: float) -> DeadlinePassed:
    """The error of an exchange that never got a connection."""
    error = DeadlinePassed(f"no connection within {seconds:g} s")
    error.unsent = True
    return error


def _reason(cause: aiohttp.ClientConnectorError) -> str:
    """Why there was no connection, in the words of the system where it has some."""
    if isinstance(cause, aiohttp.ClientConnectorCertificateError):
        return str(cause.certificate_error)
    found = cause.os_error
    if isinstance(cause, aiohttp.ClientSSLError | aiohttp.ClientConnectorDNSError) or not found.errno:
        return found.strerror or str(found)
    return os.strerror(found.errno).lower()
