"""Where a run lives, a folder here or an address of an object store, and what a storage complains of."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
from pyarrow import fs

HADOOP = ("hdfs://", "viewfs://")  # Arrow would look for a Hadoop client, and tell of that alone
SECRET = re.compile(r"^(\w+://).*:.*@", re.DOTALL)
OF_STORAGE = re.compile(r"AWS Error |google::cloud::Status|curlCode")
DENIED = re.compile(
    r"AWS Error (ACCESS_DENIED|INVALID_ACCESS_KEY_ID|INVALID_CLIENT_TOKEN_ID|INVALID_SIGNATURE"
    r"|MISSING_AUTHENTICATION_TOKEN|SIGNATURE_DOES_NOT_MATCH|UNRECOGNIZED_CLIENT)"
    r"|PERMISSION_DENIED|UNAUTHENTICATED"
)
NO_BUCKET = re.compile(r"AWS Error NO_SUCH_BUCKET|Bucket '.*' not found")


class AddressError(ValueError):
    """An address that names no place where a run can be; the message is meant for who gave it."""


class Unreachable(OSError):
    """An object store that does not answer, or refuses; the message says what to do."""


def opened(run: str | Path) -> tuple[fs.FileSystem, str]:
    """The file system that holds `run` (a folder here, or an address known to Arrow), and its path there.

    An object of S3 below 10 MB is written by one PUT. Raises `AddressError`, or `Unreachable` where the
    region of a bucket is asked for and cannot be had.
    """
    address = str(run)
    if not address.strip() or any(ord(sign) < ord(" ") for sign in address):
        raise _no_address(repr(address).strip("'"), "it is empty, or holds what cannot be printed")
    if "://" not in address:
        return fs.LocalFileSystem(), str(Path(run).absolute())
    refuse_secrets(address)
    if address.startswith(HADOOP):
        raise _no_address(address, "Hadoop is no object store")
    try:
        files, root = fs.FileSystem.from_uri(one_put(address))
    except pa.ArrowInvalid as error:
        raise _no_address(address, str(error)) from None
    except OSError as error:
        raise unreachable(address, error) from None
    if not root:
        raise AddressError(f"'{address}' names no bucket; expected {address.split('?')[0]}BUCKET/FOLDER")
    return files, str(root)


def _no_address(address: str, reason: str) -> AddressError:
    return AddressError(
        f"'{address}' is no address of a run: {reason}; allowed: a folder, s3://BUCKET/FOLDER or"
        " gs://BUCKET/FOLDER, after a ? with parameters such as region=... or, for a store that is not"
        " AWS, endpoint_override=HOST:PORT&scheme=http"
    )


def refuse_secrets(address: str) -> None:
    """Raises `AddressError` for an address with a password in it, which would stand in every message."""
    shown = SECRET.sub(r"\1***@", address)
    if shown != address:
        raise AddressError(
            f"'{shown}' holds a secret, which whoever sees this command or its messages could read; give the"
            " address without it, and the credentials in AWS_ACCESS_KEY_ID"
            " and AWS_SECRET_ACCESS_KEY, in a profile, or by the role of the machine"
        )


def one_put(address: str) -> str:
    """The address with the parameter that makes of a small object of S3 one PUT instead of three requests."""
    if not address.startswith("s3://") or "allow_delayed_open" in address:
        return address
    return f"{address}{'&' if '?' in address else '?'}allow_delayed_open=true"


def unreachable(place: str, error: OSError) -> Unreachable:
    """The error of an object store, naming the place and what to do."""
    reason = str(error)
    advice = (
        "check the network, and in the address endpoint_override, scheme and region; then run the same"
        " command again"
    )
    if NO_BUCKET.search(reason):
        advice = "create the bucket, or correct its name"
    elif DENIED.search(reason):
        advice = (
            "give credentials that may list, read, write and delete there: AWS_ACCESS_KEY_ID and"
            " AWS_SECRET_ACCESS_KEY, a profile, or the role of the machine"
        )
    return Unreachable(f"{place} cannot be reached: {reason}; {advice}")


def of_storage(error: BaseException) -> bool:
    """Whether an object store has failed, rather than that something is wrong with what it holds."""
    return isinstance(error, OSError) and bool(OF_STORAGE.search(str(error)))


def may_pass(error: BaseException) -> bool:
    """Whether what failed may succeed when it is tried again later."""
    certain = isinstance(error, FileNotFoundError | PermissionError)
    reason = str(error)
    return isinstance(error, OSError) and not (certain or DENIED.search(reason) or NO_BUCKET.search(reason))
