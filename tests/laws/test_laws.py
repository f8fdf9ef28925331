"""The laws of the dialogue, over every protocol, panel size and answer format.

1. A dialogue is a pure function of its case: played again it asks the same, in whatever order the
   replies of a step arrive, under every hash seed, and whatever stands outside the case.
2. Resume: stopped at any question, rebuilt, and fed its log, it asks what is missing, no more and no
   less, and comes to the same outcome.
3. A log that does not fit is refused, by an error that names the seat and the difference.
4. Asks, replies, turns, records and errors survive pickling.
5. What an ask is, is its question: facts are no part of it.

They hold for dialogues that are transformed, too. What each seat sees is in `test_views.py`.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from protocols.answer_format import FormatName
from protocols.best_of_n import best_of_n
from protocols.case import Case
from protocols.critiqued import critiqued
from protocols.dialogue import Dialogue, Reply, Sampling
from protocols.fingerprint import fingerprint
from protocols.laws.laws import LAWS
from protocols.planted import planted
from protocols.play import Play, PlayError
from protocols.record import LogMismatch, replay
from protocols.transcript import Transcript
from protocols.transformed import Assistant
from tests.laws.granted import STRUCTURES
from tests.protocols.panels import BLOCKS, Played, Replier, dialogue, orderly, play_out
from tests.protocols.shapes import disputed

ROOT = Path(__file__).parents[2]
TRANSFORMERS = ("best of 2", "critiqued", "best of 2, critiqued")
PLANTED = ("planted", "planted, best of 2")
TRANSFORMED = {
    f"{name}, {how}": (name, how)
    for name in ("round_robin", "debate", "disagreement_resolution")
    for how in TRANSFORMERS
} | {f"{name}, {how}": (name, how) for name in ("synchronous", "round_robin", "hybrid") for how in PLANTED}
"""Structures of which every seat but the second is transformed; or the second and third are confederates."""

PANELS = [*product(STRUCTURES, (1, 2, 3, 5), ("text", "json")), *product(TRANSFORMED, (2,), ("text",))]
PANELS += product(TRANSFORMED, (3,), ("json",))
every_panel = pytest.mark.parametrize(("name", "n", "form"), PANELS)


def told(name: str, on: Case) -> Dialogue[Transcript]:
    plain, how = TRANSFORMED.get(name, (name, ""))
    structure = STRUCTURES[plain]
    told = dialogue(structure.protocol, on, **{**structure.limits, "rounds": 3, "turns": 2})
    seats = {
        seat.name: Assistant("alpha", Sampling(temperature=0.2)) for seat in on.seats if seat.number != 2
    }
    if "planted" in how:
        told = planted(told, on)
    if "critiqued" in how:
        told = critiqued(told, on, seats)
    if "best of 2" in how:
        told = best_of_n(told, on, 2, seats)
    return told


def play(name: str, on: Case) -> Play[Transcript]:
    return Play(told(name, on), seed=7)


def made(name: str, n: int, form: FormatName) -> Case:
    """A question before two or five seats, a situation before others, so that there are both."""
    plain, how = TRANSFORMED.get(name, (name, ""))
    on = STRUCTURES[plain].case(n, "question" if n in (2, 5) else "situation", form)
    if "planted" not in how:
        return on
    first, defending, *scripted = on.seats
    label = on.answer_format.labels[0]
    confederates = [replace(seat, planted=label, script="I am sure.") for seat in scripted]
    return replace(on, seats=(first, replace(defending, planted=label), *confederates))


@cache
def whole(name: str, n: int, form: FormatName, reply_to: Replier = disputed) -> tuple[Case, Played]:
    """A case and how it is played from beginning to end, once for all the laws that look at it."""
    on = made(name, n, form)
    return on, play_out(play(name, on), reply_to)


@every_panel
@pytest.mark.parametrize("law", LAWS)
def test_laws_1_and_2_playing_again(law: str, name: str, n: int, form: FormatName) -> None:
    """A case built anew is played as it was, from the beginning and from any reply; see `protocols.laws`."""
    _, straight = whole(name, n, form)
    assert list(LAWS[law](lambda: play(name, made(name, n, form)), straight, disputed)) == []


def test_law_1_hash_seeds_do_not_matter() -> None:
    """The golden scripts come out of fresh processes with different hash seeds byte by byte equal."""
    printed = [
        subprocess.run(
            [sys.executable, "-m", "tests.golden.all_files"],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1] != b""


@every_panel
def test_law_2_the_order_of_records_and_blocks_does_not_matter(name: str, n: int, form: FormatName) -> None:
    on, straight = whole(name, n, form)
    again = play(name, on)
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
        (relabelled, r"(labels|message 2 \(user\) was )"),
    ],
)
def test_law_3_a_changed_case_is_refused(
    name: str, n: int, form: FormatName, change: Callable[[Case], Case], difference: str
) -> None:
    on, straight = whole(name, n, form)
    with pytest.raises(LogMismatch, match=f"^seat 1, step 0, slot 0: .*{difference}"):
        replay(play(name, change(on)), straight.records, BLOCKS)


@every_panel
def test_law_3_another_seed_or_model_is_refused(name: str, n: int, form: FormatName) -> None:
    on, straight = whole(name, n, form)
    with pytest.raises(LogMismatch, match=r"^seat 1, step 0, slot 0: .*seed was \d+, is \d+"):
        replay(Play(told(name, on), seed=8), straight.records, BLOCKS)
    for key in ("backend", "model", "revision", "base_url"):
        blocks = {name: {**block, key: "another"} for name, block in BLOCKS.items()}
        with pytest.raises(LogMismatch, match=r"^seat 1, step 0, slot 0: .*the model's block"):
            replay(play(name, on), straight.records, blocks)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("name", STRUCTURES)
def test_law_3_a_changed_reply_is_noticed_by_whoever_heard_it(name: str, n: int) -> None:
    """Any reply whose explanation is another makes a later question another one, if one showed it."""
    on, straight = whole(name, n, "text", orderly)
    for ask, record in zip(straight.asks, straight.records, strict=True):
        (turn,) = [turn for turn in straight.outcome.own(ask.seat) if turn.round == ask.round]
        text = record.reply.text
        other = text.replace("Reason of", "Forged reason of") if "Reason of" in text else f"Forged. {text}"
        forged = replace(record, reply=Reply(other))
        log = [forged if each == record else each for each in straight.records]
        if any(STRUCTURES[name].reads(straight, later, turn) for later in straight.asks):
            with pytest.raises(LogMismatch, match=r"message \d+ \((user|assistant)\) was .* is .*Forged"):
                replay(play(name, on), log, BLOCKS)
        else:
            replay(play(name, on), log, BLOCKS)


@every_panel
def test_law_3_records_that_are_asked_nowhere_are_refused(name: str, n: int, form: FormatName) -> None:
    """A reply after the end, in a slot too many, or after a gap."""
    on, straight = whole(name, n, form)
    last = straight.records[-1]
    after_the_end = [*straight.records, replace(last, step=last.step + 1, slot=0)]
    slot_too_many = [replace(straight.records[0], slot=8 * n)]
    after_a_gap = [record for record in straight.records if record.step > 0]
    for log in filter(None, (after_the_end, slot_too_many, after_a_gap)):
        with pytest.raises(LogMismatch, match=r"^seat \d: the log has a reply at step \d+, slot \d+, which"):
            replay(play(name, on), log, BLOCKS)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_law_3_replies_in_each_others_slots_are_refused(n: int) -> None:
    on, straight = whole("synchronous", n, "text")
    first, second, *rest = straight.records
    swapped = [replace(first, slot=1), replace(second, slot=0), *rest]
    with pytest.raises(LogMismatch, match=r"^seat 2, step 0, slot 0: .*seat was seat 2, is seat 1"):
        replay(play("synchronous", on), swapped, BLOCKS)


@every_panel
def test_law_4_everything_survives_pickling(name: str, n: int, form: FormatName) -> None:
    on, straight = whole(name, n, form)
    copy: tuple[Case, Played] = pickle.loads(pickle.dumps((on, straight)))
    assert copy == (on, straight)
    assert [ask.facts for ask in copy[1].asks] == [ask.facts for ask in straight.asks]
    again = play(name, copy[0])
    replay(again, copy[1].records, BLOCKS)
    assert again.outcome == straight.outcome


@pytest.mark.parametrize("error", [LogMismatch("seat 1: other"), PlayError("no such slot")])
def test_law_4_errors_survive_pickling(error: Exception) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.args) == (type(error), error.args)


@every_panel
def test_law_5_facts_are_no_part_of_the_question(name: str, n: int, form: FormatName) -> None:
    _, straight = whole(name, n, form)
    for ask in straight.asks:
        block = BLOCKS[ask.model]
        other = replace(ask, facts=replace(ask.facts, case_id="another", own_last="INFO", seen=()))
        assert fingerprint(other, block) == fingerprint(ask, block)


@every_panel
def test_law_5_no_two_asks_of_a_debate_are_the_same_question(name: str, n: int, form: FormatName) -> None:
    """Seeds differ by place, so even seats that are shown the same are told apart in the log."""
    _, straight = whole(name, n, form)
    prints: set[str] = {record.fingerprint for record in straight.records}
    assert len(prints) == len(straight.asks)


def test_the_record_names_its_question() -> None:
    """A record holds the question in full, so that a mismatch can be put into words."""
    _, straight = whole("round_robin", 3, "text")
    for ask, record in zip(straight.asks, straight.records, strict=True):
        assert (record.seat, record.messages, record.seed) == (ask.seat, ask.messages, ask.seed)
