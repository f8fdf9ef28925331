"""The laws of the dialogue, over every protocol, panel size and answer format.

1. A dialogue is a pure function of its case: played again it asks the same, in whatever order the
   replies of a step arrive, under every hash seed, and whatever stands outside the case.
2. Resume: stopped at any question, rebuilt, and fed its log, it asks what is missing, no more and no
   less, and comes to the same outcome.
3. A log that does not fit is refused, by an error that names the seat and the difference.
4. Asks, replies, turns, records and errors survive pickling.
5. What an ask is, is its question: facts are no part of it.

What each seat sees is in `test_views.py`, random scripts are in `test_random_scripts.py`.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from protocols import PROTOCOLS
from protocols.answer_format import FormatName
from protocols.case import Case
from protocols.dialogue import Reply, Sampling
from protocols.fingerprint import fingerprint
from protocols.play import Play, PlayError
from protocols.record import LogMismatch, replay
from tests.protocols.panels import BLOCKS, Played, case, dialogue, play_out, ragged

ROOT = Path(__file__).parents[2]
PANELS = [
    pytest.param(protocol, n, form, id=f"{protocol}-{n}-{form}")
    for protocol, n, form in product(PROTOCOLS, (1, 2, 3, 5), ("text", "json"))
]
every_panel = pytest.mark.parametrize(("protocol", "n", "form"), PANELS)


def play(protocol: str, on: Case) -> Play[Any]:
    return Play(dialogue(protocol, on, rounds=3), seed=7)


def whole(protocol: str, n: int, form: FormatName) -> tuple[Case, Played]:
    on = case(protocol, n, form=form, rounds=3)
    return on, play_out(play(protocol, on), ragged)


@every_panel
def test_law_1_playing_again_asks_the_same(protocol: str, n: int, form: FormatName) -> None:
    """A case built twice is played twice with equal asks, facts included, and equal outcomes."""
    _, first = whole(protocol, n, form)
    _, second = whole(protocol, n, form)
    assert first == second
    assert [ask.facts for ask in first.asks] == [ask.facts for ask in second.asks]


@every_panel
def test_law_1_replies_of_a_step_may_come_in_any_order(protocol: str, n: int, form: FormatName) -> None:
    on, straight = whole(protocol, n, form)
    for order in (lambda slots: slots[::-1], lambda slots: slots[1::2] + slots[::2]):
        other = play_out(play(protocol, on), ragged, order)
        assert (other.asks, other.outcome) == (straight.asks, straight.outcome)


def test_law_1_hash_seeds_do_not_matter() -> None:
    """The golden scripts come out of fresh processes with different hash seeds byte by byte equal."""
    printed = [
        subprocess.run(
            [sys.executable, "-m", "tests.golden.who_saw_what"],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1] != b""


@every_panel
def test_law_2_resume_from_any_question(protocol: str, n: int, form: FormatName) -> None:
    """From every prefix of its log a dialogue goes on to the same outcome by the same questions."""
    on, straight = whole(protocol, n, form)
    for answered in range(len(straight.records) + 1):
        again = play(protocol, on)
        replay(again, straight.records[:answered], BLOCKS)
        rest = play_out(again, ragged)
        assert straight.records[:answered] + rest.records == straight.records
        assert rest.outcome == straight.outcome


@every_panel
def test_law_2_a_log_may_hold_any_part_of_its_last_step(protocol: str, n: int, form: FormatName) -> None:
    """Any one reply of the last step may be the one that is missing; only it is asked again."""
    on, straight = whole(protocol, n, form)
    last = [record for record in straight.records if record.step == straight.records[-1].step]
    for missing in last:
        again = play(protocol, on)
        replay(again, [record for record in straight.records if record != missing], BLOCKS)
        assert play_out(again, ragged).records == (missing,)


@every_panel
def test_law_2_the_order_of_records_and_blocks_does_not_matter(
    protocol: str, n: int, form: FormatName
) -> None:
    on, straight = whole(protocol, n, form)
    again = play(protocol, on)
    replay(again, reversed(straight.records), dict(reversed(BLOCKS.items())))
    assert again.outcome == straight.outcome


def resteered(on: Case) -> Case:
    """The same case with another word in every system prompt."""
    return replace(on, seats=tuple(replace(seat, system=f"{seat.system} Really.") for seat in on.seats))


def resampled(on: Case) -> Case:
    """The same case, replies drawn at another temperature."""
    cold = Sampling(temperature=0.0)
    return replace(on, seats=tuple(replace(seat, sampling=cold) for seat in on.seats))


def reformatted(on: Case) -> Case:
    """The same prompts under the other answer format."""
    other: FormatName = "json" if on.answer_format.name == "text" else "text"
    return replace(on, answer_format=replace(on.answer_format, name=other))


def relabelled(on: Case) -> Case:
    """The same case with a label less to choose from."""
    return replace(on, answer_format=replace(on.answer_format, labels=on.answer_format.labels[:-1]))


@every_panel
@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (resteered, r"message 1 \(system\) was .* is .*Really"),
        (resampled, r"sampling was .*1\.0.* is .*0\.0"),
        (reformatted, "answer format was (text, is json|json, is text)"),
        (relabelled, "labels"),
    ],
)
def test_law_3_a_changed_case_is_refused(
    protocol: str, n: int, form: FormatName, change: Callable[[Case], Case], difference: str
) -> None:
    on, straight = whole(protocol, n, form)
    with pytest.raises(LogMismatch, match=f"^seat 1, step 0, slot 0: .*{difference}"):
        replay(play(protocol, change(on)), straight.records, BLOCKS)


@every_panel
def test_law_3_another_seed_or_model_is_refused(protocol: str, n: int, form: FormatName) -> None:
    on, straight = whole(protocol, n, form)
    with pytest.raises(LogMismatch, match=r"^seat 1, step 0, slot 0: .*seed was \d+, is \d+"):
        replay(Play(dialogue(protocol, on, rounds=3), seed=8), straight.records, BLOCKS)
    for key in ("backend", "model", "revision", "base_url"):
        blocks = {name: {**block, key: "another"} for name, block in BLOCKS.items()}
        with pytest.raises(LogMismatch, match=r"^seat 1, step 0, slot 0: .*the model's block"):
            replay(play(protocol, on), straight.records, blocks)


@every_panel
def test_law_3_a_changed_reply_is_noticed_by_whoever_heard_it(
    protocol: str, n: int, form: FormatName
) -> None:
    """Another reply in the log makes a later question another one, unless nobody was shown it."""
    on, straight = whole(protocol, n, form)
    forged = (replace(straight.records[0], reply=Reply("forged")), *straight.records[1:])
    if straight.records[-1].step == 0:
        replay(play(protocol, on), forged, BLOCKS)
    else:
        with pytest.raises(LogMismatch, match=r"message \d \((user|assistant)\) was .* is .*forged"):
            replay(play(protocol, on), forged, BLOCKS)


@every_panel
def test_law_3_records_that_are_asked_nowhere_are_refused(protocol: str, n: int, form: FormatName) -> None:
    """A reply after the end, in a slot too many, or after a gap."""
    on, straight = whole(protocol, n, form)
    last = straight.records[-1]
    after_the_end = [*straight.records, replace(last, step=last.step + 1, slot=0)]
    slot_too_many = [replace(straight.records[0], slot=n)]
    after_a_gap = [record for record in straight.records if record.step > 0]
    for log in filter(None, (after_the_end, slot_too_many, after_a_gap)):
        with pytest.raises(LogMismatch, match=r"^seat \d: the log has a reply at step \d+, slot \d+, which"):
            replay(play(protocol, on), log, BLOCKS)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_law_3_replies_in_each_others_slots_are_refused(n: int) -> None:
    on, straight = whole("synchronous", n, "text")
    first, second, *rest = straight.records
    swapped = [replace(first, slot=1), replace(second, slot=0), *rest]
    with pytest.raises(LogMismatch, match=r"^seat 2, step 0, slot 0: .*seat was seat 2, is seat 1"):
        replay(play("synchronous", on), swapped, BLOCKS)


@every_panel
def test_law_4_everything_survives_pickling(protocol: str, n: int, form: FormatName) -> None:
    on, straight = whole(protocol, n, form)
    copy: tuple[Case, Played] = pickle.loads(pickle.dumps((on, straight)))
    assert copy == (on, straight)
    assert [ask.facts for ask in copy[1].asks] == [ask.facts for ask in straight.asks]
    again = play(protocol, copy[0])
    replay(again, copy[1].records, BLOCKS)
    assert again.outcome == straight.outcome


@pytest.mark.parametrize("error", [LogMismatch("seat 1: other"), PlayError("no such slot")])
def test_law_4_errors_survive_pickling(error: Exception) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.args) == (type(error), error.args)


@every_panel
def test_law_5_facts_are_no_part_of_the_question(protocol: str, n: int, form: FormatName) -> None:
    _, straight = whole(protocol, n, form)
    for ask in straight.asks:
        block = BLOCKS[ask.model]
        other = replace(ask, facts=replace(ask.facts, case_id="another", own_last="INFO", seen=()))
        assert fingerprint(other, block) == fingerprint(ask, block)


@every_panel
def test_law_5_no_two_asks_of_a_debate_are_the_same_question(protocol: str, n: int, form: FormatName) -> None:
    """Seeds differ by place, so even seats that are shown the same are told apart in the log."""
    _, straight = whole(protocol, n, form)
    prints: set[str] = {record.fingerprint for record in straight.records}
    assert len(prints) == len(straight.asks)


def test_the_record_names_its_question() -> None:
    """A record holds the question in full, so that a mismatch can be put into words."""
    _, straight = whole("round_robin", 3, "text")
    for ask, record in zip(straight.asks, straight.records, strict=True):
        assert (record.seat, record.messages, record.seed) == (ask.seat, ask.messages, ask.seed)
