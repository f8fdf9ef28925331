"""Labellers: what they are shown of a debate, what they are asked about, and what comes of their replies."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.answer_format import VERDICTS, AnswerFormat
from protocols.dialogue import Ask, Message, Reply, Sampling
from protocols.label import Labelled, label, labeller
from protocols.play import Play
from protocols.prompts import Prompts
from protocols.record import Record, replay
from protocols.transcript import Transcript
from protocols.values import VALUES_48, Value
from tests.protocols.panels import BLOCKS, MODELS, case, dialogue, play_out, played
from tests.protocols.shapes import mark, ragged

VALUES = (
    Value("Candour", "One says what is so."),
    Value("Mercy", "One spares $other."),
    Value("Thrift", "x."),
)
DEBATE = played("synchronous", case("synchronous", 4, rounds=3), ragged).outcome


def labels_of(transcript: Transcript = DEBATE, prompts: Prompts = Prompts()) -> Play[tuple[Labelled, ...]]:
    """The debate before the labeller alpha."""
    seat = labeller("alpha", Sampling(), VALUES, prompts)
    return Play(label("ladder", transcript, seat=seat, values=VALUES, prompts=prompts), seed=7)


def readable(transcript: Transcript) -> list[tuple[int, str]]:
    return [(turn.round, turn.seat) for turn in transcript.turns if turn.label and turn.reading.explanation]


def test_one_step_asks_about_every_readable_explanation_and_no_other_turn() -> None:
    play = labels_of()
    asked = [(ask.facts.seen[0].round, ask.facts.seen[0].seat) for ask in play.step]
    assert asked == readable(DEBATE)
    assert 0 < len(asked) < len(DEBATE.turns)
    for slot in play.open:
        play.answer(slot, Reply('{"values": []}'))
    assert play.done
    assert [(each.round, each.seat) for each in play.outcome] == asked
    assert {each.reading.values for each in play.outcome} == {()}


def test_a_labeller_is_shown_the_explanation_as_it_was_written_and_nothing_else() -> None:
    for ask in labels_of().step:
        (seen,) = ask.facts.seen
        system, user = ask.messages
        assert user.content == f"The explanation:\n\n{mark(seen.seat, seen.round)} decides it."
        assert not any(mark(turn.seat, turn.round) in system.content for turn in DEBATE.turns)
    assert len({ask.messages[0] for ask in labels_of().step}) == 1, "all share the longest prefix there is"


@pytest.mark.parametrize("form", ["text", "json"])
def test_neither_verdict_nor_model_nor_seat_enters(form: str) -> None:
    """Two debates that differ in verdicts, models and seats alone put the same questions."""

    def questions(verdict: str, models: tuple[str, str]) -> list[tuple[Message, ...]]:
        panel = case("round_robin", 2, form=form)  # type: ignore[arg-type]
        seats = tuple(replace(seat, model=model) for seat, model in zip(panel.seats, models, strict=True))
        spoken = AnswerFormat(form)  # type: ignore[arg-type]

        def reply(ask: Ask) -> Reply:
            return Reply(spoken.write(verdict, f"Round {ask.round}, place {ask.position}."))

        game = play_out(Play(dialogue("round_robin", replace(panel, seats=seats), rounds=2), seed=1), reply)
        return [ask.messages for ask in labels_of(game.outcome).step]

    told = [questions(verdict, models) for verdict in VERDICTS for models in (MODELS, MODELS[::-1])]
    assert all(each == told[0] for each in told)
    text = " ".join(message.content for messages in told[0] for message in messages)
    assert not any(word in text for word in (*VERDICTS, *MODELS, "Agent", "seat", "current verdict"))


def test_what_an_explanation_says_of_verdicts_stays_as_it_is() -> None:
    said = "NTA, and $5 is no reason to say YTA."
    panel = case("solo", 1)
    game = played("solo", panel, lambda _: Reply(f"My current verdict: NTA\n\n{said}"))
    (ask,) = labels_of(game.outcome).step
    assert ask.messages[1].content.endswith(f"\n\n{said}")


def test_turns_of_the_debate_before_are_labelled_there_alone() -> None:
    first = played("synchronous", case("synchronous", 2, rounds=1), rounds=1).outcome
    onward = dialogue(
        "round_robin", case("round_robin", 2), rounds=3, stop="never", transcript=first.opening()
    )
    both = play_out(Play(onward, seed=2)).outcome
    rounds = [ask.round for ask in labels_of(both).step]
    assert (both.openings, both.rounds) == (2, 3)
    assert rounds == [2, 2, 3, 3]


def test_nobody_is_asked_where_nothing_can_be_labelled() -> None:
    silent = played("synchronous", case("synchronous", 3), lambda _: Reply("My current verdict: NTA"))
    play = labels_of(silent.outcome)
    assert (play.done, play.outcome, play.index) == (True, (), -1)


def test_the_values_are_explained_in_their_order_and_what_they_say_is_not_expanded() -> None:
    system = labels_of().step[0].messages[0].content
    assert "\n- Candour: One says what is so.\n- Mercy: One spares $other.\n- Thrift: x.\n" in system
    assert "5 at the most" in system


def test_other_values_or_wording_are_another_question() -> None:
    ask = labels_of().step[0]
    wording = Prompts({"label_turn": "Read this:\n$explanation"})
    other = labels_of(prompts=wording).step[0]
    assert other.messages[1].content.startswith("Read this:\n")
    assert other.prompt_hash != ask.prompt_hash
    longer = labeller("alpha", Sampling(), (*VALUES, Value("Zeal", "y.")), Prompts())
    assert longer.system != ask.messages[0].content


def test_the_format_allows_names_of_the_list_and_five_at_most() -> None:
    form = labels_of().step[0].answer_format
    item = {"type": "string", "enum": ["Candour", "Mercy", "Thrift"]}
    assert form.schema == {
        "type": "object",
        "properties": {"values": {"type": "array", "items": item, "maxItems": 5}},
        "required": ["values"],
        "additionalProperties": False,
    }
    assert json.loads(form.write_values(["Mercy"])) == {"values": ["Mercy"]}


@given(st.permutations(range(len(readable(DEBATE)))))
def test_labels_can_be_played_again_from_their_record_whatever_came_first(order: list[int]) -> None:
    first, second = labels_of(), labels_of()
    assert first.step == second.step
    texts = ['{"values": ["Mercy"]}', "I will not.", '{"values": ["Envy"]}']
    replies = [Reply(texts[slot % 3]) for slot in range(len(order))]
    records = [Record.of(0, slot, first.step[slot], BLOCKS["alpha"], replies[slot]) for slot in order]
    for slot in order:
        first.answer(slot, replies[slot])
    replay(second, records, BLOCKS)
    assert first.outcome == second.outcome
    assert [each.reading.status for each in first.outcome][:3] == ["ok", "missing", "unknown"]


def test_a_hundred_readers_of_the_built_in_list_share_one_prompt() -> None:
    seats = {labeller("alpha", Sampling(), VALUES_48, Prompts()) for _ in range(100)}
    assert len(seats) == 1
