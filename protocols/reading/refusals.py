"""Replies that decline to judge."""

import re

_VERB = (
    r"(?:help(?! but\b| feeling\b| thinking\b| wondering\b)|assist|judge|pass judge?ment|answer|comply"
    r"|provide|give|offer|render|issue|make|take sides|take part|participate|continue"
    r"|engage|choose|assign|respond|fulfil+)\b"
)
_WILL_NOT = (
    r"(?:can(?:no|')t|can not|could not|won't|will not|would (?:rather|prefer) not(?: to)?|'d rather not"
    r"|prefer not to|shouldn't|should not"
    r"|(?:am|'m) (?:not able|unable|not willing|unwilling|not going|not comfortable|not allowed) to"
    r"|(?:must|have to|will|would|'d) (?:respectfully |politely )?(?:decline|refuse)(?: to)?"
    r"|(?:do not|don't) (?:want|wish|think i should) to|do not|don't)"
)
_REFUSALS = re.compile(
    rf"\bi ?{_WILL_NOT} (?:\w+ ){{0,2}}{_VERB}"
    r"|\bi ?(?:must |have to |will |would |'ll |'d )?(?:respectfully |politely )?(?:decline|refuse)\b"
    r"|\bi(?:'m| am) not (?:comfortable|willing|going)\b[^.!?\n]{0,40}\b(?:judg|verdict|label|answer|help)"
    r"|\bi (?:do not|don't) feel comfortable\b"
    r"|\bnot (?:be )?(?:\w+ )?(?:right|appropriate|proper|ethical|fair|responsible|my place|my role|up to me)"
    r"(?: for me)? to (?:\w+ ){0,2}(?:judge|say who|label|decide|answer|give|offer|provide|take sides)\b"
    r"|\bas an? (?:ai|artificial intelligence|(?:large )?language model)\b[^.!?\n]{0,80}"
    r"\b(?:can(?:no|')t|can not|not able|unable|don't have|do not have|not appropriate|should(?:n't| not))\b"
    r"|\bagainst my (?:guidelines|policy|policies|programming|principles)\b",
    re.IGNORECASE,
)
_UNABLE_TO_KNOW = re.compile(
    r"\b(?:without|until|unless)\b|\b(?:more|enough|sufficient|insufficient|missing|further)\b[^.!?\n]{0,30}"
    r"\b(?:info|information|context|detail|details|facts)\b"
    r"|\b(?:can(?:no|')t|can not|don't|do not|unable to) (?:know|tell)\b",
    re.IGNORECASE,
)
_REST_OF_SENTENCE = re.compile(r"[^.!?\n]{0,300}")


def refuses(text: str) -> bool:
    """Whether `text` says that its writer will not, or as an AI cannot, judge or help.

    A sentence in which the writer lacks the knowledge ("I can't judge without knowing their ages") is none.
    """
    for refusal in _REFUSALS.finditer(text):
        rest = _REST_OF_SENTENCE.match(text, refusal.end())
        if not _UNABLE_TO_KNOW.search(refusal[0] + (rest[0] if rest else "")):
            return True
    return False
