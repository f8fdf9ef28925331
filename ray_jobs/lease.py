"""The lease: one process writes to a run at a time.

Whoever wants to write puts a claim into `lease/`, named by time, waits until every other claim of that
moment must be visible, and holds the run if nobody does and its own is the oldest live one; the others
withdraw. The holder renews its claim; one that is not renewed is stale and is removed by the next who
comes. A writer looks for its claim before each part, so one that was thought dead writes nothing after
its successor. Clocks may differ: a claim that looks stale is watched before it is taken for dead.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass

import psutil

from ray_jobs.located import ExperimentError
from ray_jobs.store import Store

SETTLE_SECONDS = {True: 2.0, False: 10.0}  # by whether the store is local: when a claim is visible to all
PROMPT_SECONDS = {True: 1.5, False: 5.0}  # within which a claim must have been written, to be seen in time
BEAT_SECONDS = 5.0
STALE_SECONDS = 60.0
ELSEWHERE = "another run directory with --out"
WATCH_SECONDS = 12.0  # in which a holder renews its claim twice, whatever its clock says


class LeaseLost(RuntimeError):
    """The run is another process's now; nothing more may be written to it."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who wrote a claim, when it was last renewed (seconds since the epoch), whether it `holds` the run."""

    host: str
    process: int
    started: float
    renewed: float
    holds: bool = False

    @classmethod
    def me(cls, holds: bool) -> Holder:
        """This process, now."""
        return cls(socket.gethostname(), os.getpid(), psutil.Process().create_time(), time.time(), holds)

    @property
    def live(self) -> bool:
        """Whether the claim counts by this machine's clock: renewed of late, by a process that may live."""
        return not (self.silent or self.ended)

    @property
    def silent(self) -> bool:
        """Whether it has not been renewed for so long, or by a clock that is so far from this one."""
        return abs(time.time() - self.renewed) > STALE_SECONDS

    @property
    def ended(self) -> bool:
        """Whether it is by a process of this machine that has ended."""
        if self.host != socket.gethostname():
            return False
        try:
            return psutil.Process(self.process).create_time() != self.started
        except psutil.NoSuchProcess:
            return True


@contextmanager
def lease(store: Store, claim: str, instead: str = ELSEWHERE) -> Iterator[None]:
    """Holds the run under `claim` (its name begins with the time) until the block is left.

    Raises `ExperimentError` with the holder's name while another live process holds the run, and when the
    claim came so late that one who holds the run may not have seen it. `instead` is what the message says
    may be given then.
    """
    begun = time.monotonic()
    renew(store, claim)
    try:
        _refuse_late(store, time.monotonic() - begun)
        time.sleep(SETTLE_SECONDS[store.local])
        _refuse(store, claim, instead)
        renew(store, claim, holds=True)
        with _beating(store, claim):
            yield
    finally:
        with suppress(OSError):  # a claim that cannot be withdrawn grows stale
            store.delete(_name(claim))


def renew(store: Store, claim: str, holds: bool = False) -> None:
    """Writes the claim anew, as of now."""
    store.write(_name(claim), json.dumps(asdict(Holder.me(holds))).encode())


def check(store: Store, claim: str) -> None:
    """Raises `LeaseLost` when the claim has been removed by another process."""
    if not store.exists(_name(claim)):
        raise LeaseLost(
            f"{store.uri}: claim {claim} is gone, so another process has taken the run over, or its directory"
            " was moved or removed; nothing more is written"
        )


def holders(store: Store) -> list[Holder]:
    """All who have a claim on the run, the oldest first."""
    return [holder for _, holder in _claims(store)]


def live_holders(store: Store) -> list[Holder]:
    """Who plays the run now: nobody or one, and for a moment those who are being refused."""
    return [holder for holder in holders(store) if holder.live]


def _claims(store: Store) -> Iterator[tuple[str, Holder]]:
    """The claims by the names of their files, the oldest first, without any that is withdrawn meanwhile."""
    for name in store.names("lease"):
        try:
            holder = _holder(store, name)
        except FileNotFoundError:
            continue
        yield name, holder


def _refuse_late(store: Store, took: float) -> None:
    if took > PROMPT_SECONDS[store.local]:
        raise ExperimentError(
            f"{store.uri} took {took:.0f} s to take in a claim, and another process may have begun meanwhile;"
            " run the same command again"
        )


def _refuse(store: Store, claim: str, instead: str) -> None:
    """Removes claims that are dead; raises when one that is not holds the run, or is older than `claim`."""
    for name, holder in _claims(store):
        if name == _name(claim) or not (holder.holds or name < _name(claim)):
            continue
        if not _dead(store, name, holder):
            ago = time.time() - holder.renewed
            raise ExperimentError(
                f"{store.uri} is being played by process {holder.process} on {holder.host}, last heard of"
                f" {ago:.0f} s ago; wait for it or end it, or give {instead}. After"
                f" {STALE_SECONDS:.0f} s of silence the same command takes the run over"
            )
        store.delete(name)


def _dead(store: Store, name: str, holder: Holder) -> bool:
    """Whether nobody renews the claim any more; of one whose clock may differ, that is watched."""
    if holder.ended or not holder.silent:
        return holder.ended
    time.sleep(WATCH_SECONDS)
    return dict(_claims(store)).get(name, holder) == holder


@contextmanager
def _beating(store: Store, claim: str) -> Iterator[None]:
    """Renews the claim again and again until the block is left, and not once after that."""
    stop = threading.Event()
    beat = threading.Thread(target=_renew_until, args=(store, claim, stop), daemon=True)
    beat.start()
    try:
        yield
    finally:
        stop.set()
        beat.join()


def _renew_until(store: Store, claim: str, stop: threading.Event) -> None:
    while not stop.wait(BEAT_SECONDS):
        with suppress(OSError):  # a full disk or a lost connection may pass; until then the claim grows stale
            if not store.exists(_name(claim)):
                return
            renew(store, claim, holds=True)


def _holder(store: Store, name: str) -> Holder:
    try:
        return Holder(**json.loads(store.read(name)))
    except (ValueError, TypeError) as error:
        raise ExperimentError(
            f"{store.uri}/{name}: found no claim ({error}); moot writes these files whole, so remove this"
            " one if nobody plays the run"
        ) from None


def _name(claim: str) -> str:
    return f"lease/{claim}.json"
