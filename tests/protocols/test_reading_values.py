"""Replies of labellers, well formed, clumsy and hostile."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.reading.values import ValuesReading, read_values
from protocols.values import VALUES_48

NAMES = ["Candour", "Mercy and grace", "Thrift", "Zeal", "Wit", "Ease"]
GRACE = "Mercy and grace"

READABLE = [
    ('{"values": ["Thrift", "Candour"]}', "ok", ["Candour", "Thrift"]),
    ('{"values": []}', "ok", []),
    (' \n{"values":["Wit"]}\n', "ok", ["Wit"]),
    ('<think>["Zeal"] or {"values": ["Zeal"]}?</think>{"values": ["Wit"]}', "ok", ["Wit"]),
    ('{"values": ["Candour", "Thrift", "Zeal", "Wit", "Ease"]}', "ok", sorted(set(NAMES) - {GRACE})),
    ('{"values": ["thrift", "MERCY AND GRACE"]}', "repaired", [GRACE, "Thrift"]),
    ('{"values": ["mercy  and GRACE; ", " \'Wit’."]}', "repaired", [GRACE, "Wit"]),
    ('{"values": ["Mercy\\nand\\u00a0grace"]}', "repaired", [GRACE]),
    ('{"values": ["Ｗｉｔ"]}', "repaired", ["Wit"]),
    ('{"values": ["Wit", "Wit"]}', "repaired", ["Wit"]),
    (
        '{"values": ["Wit", "wit", "Zeal", "Ease", "Thrift", "Candour"]}',
        "repaired",
        sorted(set(NAMES) - {GRACE}),
    ),
    ('```json\n{"values": ["Wit"]}\n```', "repaired", ["Wit"]),
    ('Here you are: {"values": []} That is all.', "repaired", []),
    ('I see thrift. {"Values": ["Thrift"]}', "repaired", ["Thrift"]),
    ("{'values': ['Wit', 'Zeal',]}", "repaired", ["Wit", "Zeal"]),
    ("{values: [“Wit”]}", "repaired", ["Wit"]),
    ('{"values": "Wit"}', "repaired", ["Wit"]),
    ('["Wit", "Zeal"]', "repaired", ["Wit", "Zeal"]),
    ('```\n["Wit"]\n```', "repaired", ["Wit"]),
    ('{"answer": {"values": ["Wit"]}}', "repaired", ["Wit"]),
    ('{"values": ["Wit"], "why": "It is {witty}."}', "repaired", ["Wit"]),
    ('{"values": ["Wit"]} and once more {"values": ["Wit"]}', "repaired", ["Wit"]),
    ('> {"values": ["Zeal"]}\n{"values": ["Wit"]}', "repaired", ["Wit"]),
    ('{"values": ["Wit", "Zeal"]} so {"values": ["zeal", "WIT", "Wit"]}', "repaired", ["Wit", "Zeal"]),
    ('["Wit", "Zeal"]\n\n["zeal", "Wit"]', "repaired", ["Wit", "Zeal"]),
    ('["Wit"]\n> ["Zeal"]\n[so I say] ', "repaired", ["Wit"]),
]

UNREADABLE = [
    ("", "missing"),
    ("Wit and zeal.", "missing"),
    ("{}", "missing"),
    ('{"value": ["Wit"]}', "missing"),
    ('{"values": null}', "missing"),
    ('{"labels": []}', "missing"),
    ('<think>{"values": ["Wit"]}</think>', "missing"),
    ('> {"values": ["Zeal"]}', "missing"),
    ("I can't help with labelling people.", "refusal"),
    ('{"values": ["Envy"]}', "unknown"),
    ('{"values": ["Wit", "Envy", "Zeal", "Ease", "Thrift", "Candour"]}', "unknown"),
    ('{"values": ["none"]}', "unknown"),
    ('{"values": [""]}', "unknown"),
    ('{"values": ["Wit, Zeal"]}', "unknown"),
    ('{"values": ["Wit and grace"]}', "unknown"),
    (json.dumps({"values": NAMES}), "too_many"),
    ('{"values": 3}', "invalid"),
    ('{"values": {"Wit": true}}', "invalid"),
    ('{"values": [["Wit"]]}', "invalid"),
    ('{"values": [{"name": "Wit"}]}', "invalid"),
    ('{"values": ["Wit", 3]}', "invalid"),
    ('{"values": ["Wit", null]}', "invalid"),
    ('{"values": ["Wit"', "invalid"),
    ('{"values": ["Wit', "invalid"),
    ('{"values": [', "invalid"),
    ('{"values": ["Wit"]} or {"values": ["Zeal"]}', "invalid"),
    ('{"values": ["Wit"], "values": []}', "invalid"),
    ('{"values": ["Wit"]} {"values": ["Wit", "Zeal"]}', "invalid"),
    ('["Wit"]\n["Zeal"]', "invalid"),
    ('["Wit"] or rather ["Zeal"]', "invalid"),
    ('["Wit"] or []', "invalid"),
    ('["Wit"], ["Zeal"', "invalid"),
    ('{"values": ["mercy-and-grace"]}', "unknown"),
    ('{"values": [' * 20_000, "invalid"),
]


@pytest.mark.parametrize(("text", "status", "values"), READABLE)
def test_readable(text: str, status: str, values: list[str]) -> None:
    assert read_values(text, "stop", NAMES) == ValuesReading(status, tuple(values))  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "status"), UNREADABLE, ids=lambda text: text[:40])
def test_what_cannot_be_read_has_no_values_not_even_an_empty_set(text: str, status: str) -> None:
    assert read_values(text, "stop", NAMES) == ValuesReading(status, None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ['{"values": ["Wit", "Ze', '{"values": ["Wit"', '{"values": [', "I think", "", "{"]
)
def test_a_reply_that_was_cut_before_its_end_is_truncated(text: str) -> None:
    assert read_values(text, "length", NAMES) == ValuesReading("truncated", None)


def test_a_reply_that_was_cut_after_its_list_is_read() -> None:
    assert read_values('{"values": ["Wit"], "why": "It i', "length", NAMES).values == ("Wit",)
    assert read_values('{"values": []} Because', "length", NAMES).values == ()


@pytest.mark.parametrize("text", ["", "Sorry.", '{"values": 3}'])
def test_what_a_filter_took_is_a_refusal(text: str) -> None:
    assert read_values(text, "content_filter", NAMES) == ValuesReading("refusal", None)


SIGNS = ["C", "C++", "C#", "क", "कि", "🎉", "No-one", "No one", "Café", "Others’ good"]


@pytest.mark.parametrize("name", SIGNS)
def test_signs_marks_and_symbols_make_another_name(name: str) -> None:
    for said in (json.dumps({"values": [name]}), f"['{name}']", json.dumps([f" {name.upper()}. "])):
        assert read_values(said, "stop", SIGNS).values == (name,)
    others = [other for other in SIGNS if other != name]
    assert read_values(json.dumps([name]), "stop", others).status == "unknown"


def test_letters_that_are_composed_otherwise_make_the_same_name() -> None:
    assert read_values('["CAFE\u0301", "others\' good"]', "stop", SIGNS).values == ("Café", "Others’ good")


LONG = 40_000
MARKS = "a" + "\u0301\u0316" * LONG
HOSTILE = {
    "combining marks": (f'{{"values": ["{MARKS}"]}}', "unknown"),
    "combining marks in many names": (json.dumps({"values": [MARKS[:700]] * 100}), "unknown"),
    "long name": (json.dumps(["e" * LONG]), "unknown"),
    "brackets": ("[" * LONG, "invalid"),
    "brackets in objects": ("[{" * (LONG // 2), "invalid"),
    "objects that agree": ('{"values": ["Wit"]} ' * (LONG // 20), "repaired"),
    "lists that do not": ('["Wit"] ["Zeal"] ' * (LONG // 20), "invalid"),
    "lists that begin": ('["' * (LONG // 2), "invalid"),
    "members": ("{" + '"values": ["Wit"], ' * (LONG // 20), "repaired"),
    "backslashes": ('{"values": ["' + "\\" * LONG, "invalid"),
    "escapes": ('{"values": ["' + "\\u00" * (LONG // 4), "invalid"),
    "quotes": ('"' * LONG, "missing"),
    "quotes in a list": ('{"values": ["' + "' \"" * (LONG // 3), "invalid"),
    "think tags": ("<think>" * (LONG // 7), "missing"),
    "think tags that end": ("<think></think>" * (LONG // 15), "missing"),
    "a big integer": ('{"values": [' + "9" * LONG + "]}", "invalid"),
    "integers": ('{"values": [' + ("9" * 4_299 + ", ") * 40 + "]}", "invalid"),
    "spaces": ('{"values": ["' + " " * LONG + '"]}', "unknown"),
}


@pytest.mark.parametrize(("text", "status"), HOSTILE.values(), ids=HOSTILE)
def test_long_hostile_replies_are_read_in_linear_time(text: str, status: str) -> None:
    """What takes quadratic time takes seconds and more here."""
    assert read_values(text, "stop", NAMES).status == status


@given(st.lists(st.sampled_from([value.name for value in VALUES_48]), max_size=5, unique=True))
def test_every_set_of_the_built_in_list_is_read_as_it_was_written(names: list[str]) -> None:
    every = [value.name for value in VALUES_48]
    assert read_values(json.dumps({"values": names}), "stop", every) == ValuesReading(
        "ok", tuple(sorted(names))
    )


@given(st.text() | st.text('{}[]":,\\ \n>`valuesWitZeal', max_size=200), st.sampled_from(["stop", "length"]))
def test_nothing_raises_and_values_are_of_the_list(text: str, finish_reason: str) -> None:
    reading = read_values(text, finish_reason, NAMES)
    assert (reading.values is not None) == (reading.status in ("ok", "repaired"))
    assert set(reading.values or ()) <= set(NAMES)
