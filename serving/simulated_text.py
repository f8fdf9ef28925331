"""What simulated agents write: a few sentences that fit any case, chosen by the ask's seed."""

from __future__ import annotations

from collections.abc import Sequence

from protocols.dialogue import Ask
from protocols.seeds import draw
from serving.simulated_said import Said

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
STEPS = (
    "I go by what the terms mean and by what follows from them, step by step.",
    "I look for the step at which the options part, and check it twice.",
    "Most of the options rest on a premise that the question does not grant.",
    "A small example that can be worked out in full shows which way this goes.",
)
WEIGHED = "I set what can be checked against what is merely likely."
CRUXES = (
    "Whether the premise on which the answers part is granted by the question.",
    "Which of the two readings of the central term the question has in mind.",
)
CONCESSIONS = (
    "The steps before the last one are sound.",
    "The premise is plausible, and I see why it is made.",
)
CRITIQUES = (
    "The draft states its main premise without showing where it comes from; say why it holds.",
    "The last step is taken too quickly; name the case that would speak against it and answer it.",
)
QUESTIONS = (
    "Which of the steps would you still stand by if the premise fell?",
    "What, in the words of the question itself, speaks against the other answer?",
)
KEPT = "Having read the others, I stay with the {} I gave before."
MOVED = "Having read the others, I give more weight than before to the point they raised."
JOINED = "I have read what was said before me and take it into account."


def reply(ask: Ask, said: Said) -> str:
    """What was said, in the form that was asked for."""
    form = ask.answer_format
    if form.field == "argument":
        return form.write("", _reasons(said.label, ask), {"reasoning": WEIGHED})
    return form.write(
        said.label,
        explanation(said.label, ask),
        {
            "crux": _drawn(CRUXES, ask, "crux"),
            "concession": _drawn(CONCESSIONS, ask, "concession"),
            "confidence": said.confidence,
            "action": said.action,
        },
    )


def critique(ask: Ask) -> str:
    """What a critic says of a draft, in the form that was asked for."""
    return ask.answer_format.write("", _drawn(CRITIQUES, ask, "critique"))


def inquiry(ask: Ask) -> str:
    """What a judge who sits in asks, in the form that was asked for."""
    return ask.answer_format.write("", _drawn(QUESTIONS, ask, "question"))


def explanation(label: str, ask: Ask) -> str:
    """Two or three sentences for `label`; where others were heard, the last one answers them."""
    return " ".join(filter(None, (_reasons(label, ask), _answer(label, ask))))


def _reasons(label: str, ask: Ask) -> str:
    openings = OPENINGS if label in REASONS else STEPS
    return f"{_drawn(openings, ask, 'opening')} {REASONS.get(label, f'On balance this speaks for {label}.')}"


def _answer(label: str, ask: Ask) -> str:
    if not ask.facts.seen:
        return ""
    if ask.facts.own_last is None:
        return JOINED
    return KEPT.format(ask.answer_format.field) if label == ask.facts.own_last else MOVED


def _drawn(sentences: Sequence[str], ask: Ask, name: str) -> str:
    return sentences[draw(ask.seed, name) % len(sentences)]
