"""What simulated agents write: a few sentences that fit any case, chosen by the ask's seed."""

from __future__ import annotations

from protocols.dialogue import Ask
from protocols.seeds import draw

OPENINGS = (
    "What settles it for me is what each of them could fairly expect of the other.",
    "I weigh what was promised more heavily than how it was said afterwards.",
    "The order of events matters here, and so does who knew what at the time.",
    "Both had reasons, and the question is whose reasons carry the act.",
)
REASONS = {
    "NTA": "The narrator stayed within what was theirs to decide, and the other side overstepped.",
    "YTA": "The narrator put the cost of the decision on somebody who had no say in it.",
    "ESH": "Each of them answered one wrong with another, so neither comes out of it well.",
    "NAH": "Nobody acted in bad faith; two fair wishes simply could not both be met.",
    "INFO": "One fact that would decide the matter is missing, so I leave it open.",
}
KEPT = "Having read the others, I stay with the verdict I gave before."
MOVED = "Having read the others, I give more weight than before to the point they raised."
JOINED = "I have read what was said before me and take it into account."


def explanation(label: str, ask: Ask) -> str:
    """Two or three sentences for `label`; where others were heard, the last one answers them."""
    opening = OPENINGS[draw(ask.seed, "opening") % len(OPENINGS)]
    reason = REASONS.get(label, f"On balance this speaks for {label}.")
    return " ".join(filter(None, (opening, reason, _answer(label, ask))))


def _answer(label: str, ask: Ask) -> str:
    if not ask.facts.seen:
        return ""
    if ask.facts.own_last is None:
        return JOINED
    return KEPT if label == ask.facts.own_last else MOVED
