"""Protocols that each break one rule, as text: a good one with one line put in its place."""

from __future__ import annotations

from protocols.own.source import Source

TEXT = """\
import _thread
import os
import random
import time
import uuid
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from protocols.asking import also
from protocols.dialogue import Message
from protocols.seeds import draw
from protocols.transcript import Transcript
from protocols.view import ask_turn

BARE = (Message("system", "Hi."), Message("user", "Go."))
KEPT = []


def tried(case, *, rounds=3):
    transcript = Transcript()
    for round in range(1, rounds + 1):
        seats = range(1, len(case.seats) + 1)
        step = tuple(ask_turn(case, transcript, seat, round, rounds) for seat in seats)
        LINE
        replies = yield step
        transcript = transcript.then(step, replies)
    return transcript
"""
LINE = 1 + TEXT.splitlines().index("        LINE")
"""On which line of the text the rule is broken."""


def with_line(line: str) -> Source:
    """The protocol with this line in it."""
    return Source("tried.py", TEXT.replace("LINE", line))


def said(expression: str) -> str:
    """A line that shows every seat the value of an expression."""
    return f"step = tuple(also(ask, 'It is ' + str({expression}) + '.') for ask in step)"
