"""Reading replies: the given cases, further ones of every kind, and the laws that hold on any text."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.answer_format import VERDICTS, AnswerFormat, Field, FormatName
from protocols.reading import Reading, read
from protocols.reading.answer_lines import _LINK
from protocols.reading.decision import _BEHIND_LABEL
from protocols.reading.marks import CLOSING, OPENING
from tests.protocols.reading_cases import (
    ANSWER_REPLIES,
    CUT_ANSWERS,
    CUT_REPLIES,
    OPTION_TEXT_REPLIES,
    VERDICT_REPLIES,
)

LETTERS = tuple(string.ascii_uppercase)
GIVEN = Path(__file__).parents[1] / "data" / "reading.jsonl"
LINES = [json.loads(line) for line in GIVEN.read_text(encoding="utf-8").splitlines()]
FINISH_REASONS = ("stop", "length", "content_filter")
READABLE = ("ok", "repaired")
STATUSES = (*READABLE, "missing", "invalid", "refusal", "truncated")

FRAGMENTS = [
    *(
        "My current verdict",
        "Answer",
        "The answer is",
        "verdict",
        ":",
        " is ",
        "\n",
        "\n\n",
        " ",
        ". ",
        ", ",
        "/",
    ),
    *(
        " or ",
        " and ",
        "→",
        "not ",
        "**",
        "_",
        "`",
        "```",
        "```json\n",
        "> ",
        '"',
        "'",
        "“",
        "”",
        "(",
        ")",
        "|",
    ),
    *(
        "{",
        "}",
        "[",
        "]",
        '{"verdict": "',
        '{"answer": ',
        '", "explanation": "',
        '"}',
        "null",
        "\\",
        "\\boxed{",
    ),
    *(
        "NTA",
        "yta",
        "ESH",
        "nah",
        "INFO",
        "YWBTA",
        "A",
        "b",
        "I",
        "a ",
        "not the asshole",
        "you're the a**hole",
    ),
    *(
        "<think>",
        "</think>",
        "<answer>",
        "</answer>",
        "I can't help",
        "\u200b",
        "\ud83d",
        "\0",
        "ＮＴＡ",
        "é\u0301",
    ),
]
TEXTS = st.one_of(
    st.text(st.characters(codec=None), max_size=60),
    st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join),
)
PROSE = st.text(st.characters(codec="utf-8", exclude_characters="<>"), max_size=80)

HOSTILE = [
    *(
        "[",
        "{",
        "{ ",
        '{"a":',
        "{a:[",
        '{"verdict": "',
        '{"verdict": "NTA"} ',
        '{"a":"b"c',
        '"',
        '" ',
        '"a ',
        "'a ",
    ),
    *(
        "“",
        "\\",
        "\\\\(",
        "\\boxed{",
        "*",
        "_ ",
        "|",
        ".",
        ". ",
        "> ",
        ">\n",
        "\n",
        " \n",
        "\r\n",
        " ",
        "#",
        "- ",
    ),
    *("answer", "answer:", "answer: ", "answer\n\n", "**answer**\n", "answer (", "the answer is ", "my  "),
    *(
        "NTA ",
        "NTA, ",
        "NTA/",
        "not the ",
        "not the a**",
        "you are ",
        "a*",
        "A ",
        "(b) ",
        "option a ",
        "is not ",
    ),
    *("i can't ", "i don't ", "as an ai ", "<think>", "</think>", "<b ", "</", "<answer>B</answer>\n", "```"),
    *("\ufdfa", "\u0301\u0316", "\ud800", "\0", "\u200b", "\u2028", "İ", "漢"),
]


def read_verdict(text: str, finish_reason: str = "stop") -> Reading:
    return read(text, finish_reason, "verdict", VERDICTS)


def outcome(reading: Reading) -> tuple[str, str | None]:
    return reading.status, reading.label


def check_laws(text: str, reading: Reading, labels: tuple[str, ...]) -> None:
    """A status of the six; a label, one of those asked for, if and only if it is readable; storable texts."""
    assert reading.status in STATUSES
    assert (reading.label is not None) == (reading.status in READABLE)
    assert reading.label is None or reading.label in labels
    assert len((reading.explanation + reading.reasoning).encode("utf-8")) <= 4 * len(text)


@pytest.mark.parametrize(
    "line", [pytest.param(line, id=f"{n}: {line['why']}") for n, line in enumerate(LINES, start=1)]
)
def test_given_case(line: dict[str, Any]) -> None:
    labels = line.get("options") or VERDICTS
    reading = read(line["text"], line["finish_reason"], line["kind"], labels, line.get("option_texts"))
    assert outcome(reading) == (line["expect"]["status"], line["expect"]["label"])


@pytest.mark.parametrize(("text", "status", "label"), VERDICT_REPLIES)
def test_verdict(text: str, status: str, label: str | None) -> None:
    assert outcome(read_verdict(text)) == (status, label)


@pytest.mark.parametrize(("text", "status", "label"), ANSWER_REPLIES)
def test_answer(text: str, status: str, label: str | None) -> None:
    assert outcome(read(text, "stop", "answer", LETTERS)) == (status, label)


@pytest.mark.parametrize(("text", "texts", "status", "label"), OPTION_TEXT_REPLIES)
def test_option_text(text: str, texts: tuple[str, ...], status: str, label: str | None) -> None:
    assert outcome(read(text, "stop", "answer", LETTERS[:5], texts)) == (status, label)


@pytest.mark.parametrize(("text", "finish_reason", "status", "label"), CUT_REPLIES)
def test_cut_or_filtered_verdict(text: str, finish_reason: str, status: str, label: str | None) -> None:
    assert outcome(read_verdict(text, finish_reason)) == (status, label)


@pytest.mark.parametrize(("text", "texts", "status", "label"), CUT_ANSWERS)
def test_cut_answer(text: str, texts: tuple[str, ...], status: str, label: str | None) -> None:
    assert outcome(read(text, "length", "answer", LETTERS, texts)) == (status, label)


@pytest.mark.parametrize(
    ("text", "explanation"),
    [
        ("My current verdict: NTA\n\nHe paid.", "He paid."),
        ("**My current verdict: NTA**\n\nHe *paid*.", "He *paid*."),
        ("**My current verdict:** NTA.\nHe paid.", "He paid."),
        ("He paid.\n\nMy current verdict: NTA", "He paid."),
        ("He paid.\n\nMy current verdict: NTA\n\nAnd he asked.", "He paid.\n\nAnd he asked."),
        ("My current verdict: NTA\nHe paid.\n\n## Verdict: NTA", "He paid."),
        ("My current verdict: NTA, because he paid.\nTwice.", "because he paid.\nTwice."),
        ("My current verdict: NTA — he paid.", "he paid."),
        ("**My current verdict: NTA, because he paid.** *Twice*.", "because he paid. *Twice*."),
        ("He paid. So my verdict is NTA.", "He paid."),
        ("### Verdict\n\n**NTA**\n\n### Reasons\nHe paid.", "### Reasons\nHe paid."),
        ("| Verdict | NTA |\n\nHe paid.", "He paid."),
        ("```\nMy current verdict: NTA\n```\nHe paid.", "He paid."),
        ("<verdict>NTA</verdict>\nHe paid.", "He paid."),
        ("My current verdict: $\\boxed{\\text{NTA}}$.\nHe paid.", "He paid."),
        ("NTA\n\nHe paid.", "He paid."),
        ("NTA. He paid.", "NTA. He paid."),
        ("My current verdict: NTA\nＨｅ paid ½ — “all” of it… ﬁne.", "Ｈｅ paid ½ — “all” of it… ﬁne."),
        ("My current verdict: NTA\n👩‍👧 paid.", "👩‍👧 paid."),
        ("<think>YTA?</think>\nMy current verdict: NTA\nHe paid.", "He paid."),
        (
            '{"verdict": "NTA", "explanation": "He \\"paid\\".\\nTwice \\ud83d\\ude00."}',
            'He "paid".\nTwice 😀.',
        ),
        ('{"verdict": "NTA", "argument": "He paid."}', "He paid."),
        ('{"reasoning": "Long.", "explanation": "He paid.", "verdict": "NTA"}', "He paid."),
        ('{"verdict": "NTA", "explanation": ["He paid."]}', ""),
        ('{"verdict": "NTA"}', ""),
        ('He paid.\n```json\n{"verdict": "NTA"}\n```', "He paid."),
        ('{"verdict": "NTA", "explanation": "He "paid", she said."}', 'He "paid", she said.'),
        ("{'verdict': 'NTA', 'explanation': 'It's his.'}", "It's his."),
    ],
)
def test_explanation_is_the_reply_without_its_verdict(text: str, explanation: str) -> None:
    reading = read_verdict(text)
    assert outcome(reading)[1] == "NTA"
    assert reading.explanation == explanation


@pytest.mark.parametrize(
    ("written", "explanation"),
    [
        ('He was \\"rig', 'He was "rig'),
        ("He paid.\\nAnd th\\", "He paid.\nAnd th"),
        ("He paid \\u20", "He paid"),
        ("He paid \\u20ac", "He paid €"),
        ("He paid \\ud83d", "He paid \ufffd"),
        ("", ""),
    ],
)
def test_structured_reply_cut_in_its_explanation_keeps_both(written: str, explanation: str) -> None:
    reading = read_verdict(f'{{"verdict": "NTA", "explanation": "{written}', "length")
    assert reading == Reading("ok", "NTA", explanation, "")


@pytest.mark.parametrize(
    ("text", "reasoning"),
    [
        ("<think>One.</think>Two.", "One."),
        ("One.</think>Two.", "One."),
        ("Two.<think>One.", "One."),
        ("<think>One.</think>Two.<THINK>\nThree.\n</THINK>", "One.\n\nThree."),
        ("<think>One <think> more.</think>Two.", "One\n\nmore."),
        ("Two.", ""),
    ],
)
def test_reasoning_is_kept_apart(text: str, reasoning: str) -> None:
    reading = read_verdict(text)
    assert (reading.reasoning, reading.explanation) == (reasoning, "Two.")


def test_unreadable_reply_is_explained_as_written() -> None:
    text = '{"verdict": "NTA/ESH", "explanation": "Hard."}'
    assert read_verdict(f"<think>x</think>\n{text}\n") == Reading("invalid", None, text, "x")


def test_verdict_names_are_no_answers_and_letters_no_verdicts() -> None:
    assert read("I say you are not the asshole.", "stop", "answer", LETTERS).label is None
    assert read_verdict("My current verdict: B").label is None


@pytest.mark.parametrize("n", range(1, 27))
def test_every_letter_is_read_from_its_own_line_and_none_beyond_the_last(n: int) -> None:
    labels = LETTERS[:n]
    assert outcome(read(f"Answer: {labels[-1]}\nIt fits.", "stop", "answer", labels)) == ("ok", labels[-1])
    if n < 26:
        assert outcome(read(f"Answer: {LETTERS[n]}\nIt fits.", "stop", "answer", labels)) == ("invalid", None)


def test_no_labels_at_all_are_never_read() -> None:
    assert outcome(read("Answer: A", "stop", "answer", ())) == ("invalid", None)


@settings(max_examples=200)
@given(TEXTS, st.sampled_from(FINISH_REASONS), st.integers(0, 5))
def test_laws_hold_on_any_verdict(text: str, finish_reason: str, n: int) -> None:
    labels = VERDICTS[:n]
    check_laws(text, read(text, finish_reason, "verdict", labels), labels)


@settings(max_examples=200)
@given(TEXTS, st.sampled_from(FINISH_REASONS), st.integers(0, 26), st.lists(TEXTS, max_size=5))
def test_laws_hold_on_any_answer(text: str, finish_reason: str, n: int, texts: list[str]) -> None:
    labels = LETTERS[:n]
    check_laws(text, read(text, finish_reason, "answer", labels, texts), labels)


@settings(max_examples=150)
@given(PROSE, st.sampled_from(VERDICTS), st.sampled_from(["text", "json"]))
def test_what_a_format_writes_is_read_back(prose: str, label: str, name: FormatName) -> None:
    """A reply in the asked form gives its label and explanation."""
    explanation = prose.strip().replace("{", "(").replace("`", "'")
    written = AnswerFormat(name).write(label, f"He said: {explanation}")
    reading = read_verdict(written)
    assert outcome(reading) == ("ok", label)
    assert reading.explanation == f"He said: {explanation}".strip()


@settings(max_examples=150)
@given(PROSE, st.integers(0, 200))
def test_a_cut_never_turns_one_label_into_another(prose: str, length: int) -> None:
    """However short a reply is cut, it gives its own label or none."""
    for name in ("text", "json"):
        written = AnswerFormat(name).write("YTA", f"He said: {prose}".replace("{", "("))
        assert read_verdict(written[:length], "length").label in (None, "YTA")


@settings(max_examples=100)
@given(TEXTS)
def test_content_filter_without_a_label_is_a_refusal(text: str) -> None:
    reading = read_verdict(text, "content_filter")
    assert reading.label is not None or reading.status == "refusal"


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
@pytest.mark.parametrize("field", ["verdict", "answer"])
def test_repetition_of_any_piece_is_read(piece: str, field: Field) -> None:
    """Long enough that an exponential reading would run into the time limit of the suite."""
    labels = VERDICTS if field == "verdict" else LETTERS
    text = piece * (1_000 // len(piece))
    for before in ("", "Answer: ", '{"verdict": "NTA", "explanation": "'):
        reading = read(before + text, "stop", field, labels, ["a text"])
        check_laws(before + text, reading, labels)


@pytest.mark.parametrize(
    "bomb",
    [
        "[",
        "{",
        '{"a":',
        "{a:[",
        '"',
        "answer: ",
        "<think>",
        " \n",
        "\u0301\u0316",
        "</verdict>",
        "<b. verdict>",
    ],
)
def test_bombs_neither_recurse_nor_hang(bomb: str) -> None:
    text = "My current verdict: NTA\nHe paid.\n" + bomb * (100_000 // len(bomb))
    reading = read_verdict(text)
    check_laws(text, reading, VERDICTS)
    assert reading.label == (None if bomb == "answer: " else "NTA")


@pytest.mark.parametrize("bomb", ["=", "-", "=-", ", ", "<b verdict: NTA>", "<b. verdict->", "</verdict>"])
def test_bombs_behind_a_label_leave_it_what_it_is(bomb: str) -> None:
    reading = read_verdict("My current verdict: NTA " + bomb * (100_000 // len(bomb)))
    assert outcome(reading) == ("ok", "NTA")


@pytest.mark.parametrize("pattern", [OPENING, CLOSING, _LINK.pattern, _BEHIND_LABEL.pattern])
@pytest.mark.parametrize("tag", ["<b>", "<b> * ", "<b verdict: NTA>"])
def test_a_run_of_marks_ends_after_so_many_tags(pattern: str, tag: str) -> None:
    """Else each verdict line that stands in a tag would go through all tags that follow."""
    found = re.match(pattern, tag * 10_000)
    assert found is not None
    assert found.end() <= 50 * len(tag)
