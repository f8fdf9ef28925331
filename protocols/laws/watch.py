"""A watch over code of one's own: what it does beside its work, seen while it runs.

Files, sockets and processes are seen by Python's audit events; clocks, chance and addresses by the calls of
what gives them. Both count only with code of the watched source on the stack.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from protocols.own.module import code_name
from protocols.own.source import Source

NO_FILES = "a dialogue reads and writes nothing; what it needs comes with the case or as a parameter"
EVENTS = {
    "open": f"opens a file; {NO_FILES}",
    "socket": "goes to the network; whom it wants to ask something it asks with an Ask",
    "urllib": "goes to the network; whom it wants to ask something it asks with an Ask",
    "http": "goes to the network; whom it wants to ask something it asks with an Ask",
    "subprocess": "starts a process; a dialogue is played beside thousands of others in one process",
    "os": f"asks the operating system; {NO_FILES}",
    "shutil": f"handles files; {NO_FILES}",
    "glob": f"looks for files; {NO_FILES}",
    "tempfile": f"makes files; {NO_FILES}",
    "sqlite3": f"opens a data base; {NO_FILES}",
    "ctypes": "calls code outside Python, which nobody can check",
    "_thread": "starts a thread; whatever may be asked at the same time is one step",
}
"""Audit events by their first word, and what is said of them."""

CHANCE = (
    "draws chance that nobody has logged; use draw(case.seed, 'a name') or shuffled(items, case.seed,"
    " 'a name') of protocols.seeds, or random.Random(draw(case.seed, 'a name'))"
)
CLOCK = "reads a clock, which shows something else when the debate is resumed; count rounds or steps"
IMPORTING = "importlib._bootstrap"


class Watch:
    """What of a source has been seen: places (`file:line`) with what was done there, in order, once each."""

    def __init__(self, source: Source) -> None:
        self.seen: dict[str, None] = {}
        self._source = source
        self._code = code_name(source)
        self._on = False
        sys.addaudithook(self._audit)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watches the block."""
        self._on = True
        sys.setprofile(self._called)
        try:
            yield
        finally:
            sys.setprofile(None)
            self._on = False

    def _audit(self, event: str, _: tuple[Any, ...]) -> None:
        what = EVENTS.get(event.partition(".")[0]) if self._on else None
        if what is not None:
            self._see(sys._getframe(1), what)

    def _called(self, frame: FrameType, event: str, arg: Any) -> None:
        if event == "c_call":
            what = _of_builtin(arg, frame.f_code.co_filename == self._code)
        elif event == "call":
            what = _of_function(frame)
        else:
            return
        if what is not None:
            self._see(frame, what)

    def _see(self, frame: FrameType | None, what: str) -> None:
        """Notes it, if code of the source is on the stack and it is no import that is under way."""
        while frame is not None and frame.f_code.co_filename != self._code:
            if IMPORTING in frame.f_code.co_filename:
                return
            frame = frame.f_back
        if frame is not None:
            self.seen[self._source.at(frame.f_lineno, f"{frame.f_code.co_name} {what}")] = None


def _of_builtin(called: Any, direct: bool) -> str | None:
    """What a built-in function does that no dialogue may do; `direct` if the source itself calls it."""
    module, name = getattr(called, "__module__", None), getattr(called, "__name__", "")
    owner = getattr(called, "__self__", None)
    if module == "time" or (isinstance(owner, type) and name in ("now", "utcnow", "today")):
        return CLOCK
    if owner is random._inst or name == "urandom":
        return CHANCE
    if module == "_thread" and name.startswith("start_"):
        return EVENTS["_thread"]
    if direct and called is id:
        return "takes the address of an object with id(), another one in every process; compare by =="
    if direct and called is hash:
        return "takes hash(), which is another one in every process; use draw(seed, text) of protocols.seeds"
    return None


def _of_function(frame: FrameType) -> str | None:
    code = frame.f_code
    if code is random.Random.seed.__code__ and frame.f_locals.get("a") is None:
        return CHANCE
    if code is type(os.environ).__getitem__.__code__:
        return "reads the environment, which is not that of other machines; make it a parameter"
    return None
