"""How far ahead of its calls a treasury writes down what they may cost."""

from __future__ import annotations

from dataclasses import dataclass

from ray_jobs.ledger import Cap
from serving.purse import Amount

SHARE = 20  # a block is this part of what is left of the cap
CALLS = 4  # and at least so many of the dearest calls


@dataclass(frozen=True, slots=True)
class Headroom:
    """The blocks of a budget under `cap`, once a call has asked for as much as `dearest`.

    A block is a twentieth of what is left, at least four of the dearest calls and never more than all: many
    calls share the writing of one, and near the cap little is lost with it. Of what has no cap it is a
    twentieth of what is charged already.
    """

    cap: Cap
    dearest: Amount

    def allowance(self, charged: Amount, written: Amount) -> Amount:
        """What is to stand written before anything is granted: `written` where that will do.

        It covers what is `charged`, and exceeds it by at most two blocks; where it does not, by one.
        """
        block = Amount(
            _block(self.cap.nanos, charged.nanos, self.dearest.nanos),
            _block(self.cap.tokens, charged.tokens, self.dearest.tokens),
        )
        covered, close = _within(charged, written), _within(written, charged + block + block)
        return written if covered and close else charged + block


def most(one: Amount, other: Amount) -> Amount:
    """What covers both."""
    return Amount(max(one.nanos, other.nanos), max(one.tokens, other.tokens))


def least(one: Amount, other: Amount) -> Amount:
    """What both allow."""
    return Amount(min(one.nanos, other.nanos), min(one.tokens, other.tokens))


def _block(cap: int | None, charged: int, dearest: int) -> int:
    if cap is None:
        return max(charged // SHARE, CALLS * dearest)
    left = max(0, cap - charged)
    return min(left, max(left // SHARE, CALLS * dearest))


def _within(amount: Amount, limit: Amount) -> bool:
    return Cap(limit.nanos, limit.tokens).holds(amount)
