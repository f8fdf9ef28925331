"""Simulated agents: pure, in the asked format, and moved by nothing but the ask's facts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from math import exp, log
from statistics import fmean, pstdev, stdev

import pytest

from protocols.answer_format import AnswerFormat
from protocols.critiqued import PROSE
from protocols.dialogue import Ask, Facts, Reply, Seen
from protocols.reading import read
from serving.blocks import Lognormal, SimulatedBlock
from serving.simulated import Simulated, seconds
from serving.simulated_chance import phi, shock
from serving.simulated_logit import choose, logits
from serving.simulated_text import QUESTIONS

WriteAsk = Callable[..., Ask]


def answer(ask: Ask, **block: object) -> Reply:
    model = SimulatedBlock.model_validate({"backend": "simulated"} | block)
    return asyncio.run(Simulated(model).answer(ask))


def test_the_same_ask_has_the_same_reply(write_ask: WriteAsk) -> None:
    first, second = (replace(answer(write_ask(seed=11)), time=0.0) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", ["text", "json"])
@pytest.mark.parametrize("labels", [("NTA", "YTA", "ESH", "NAH", "INFO"), ("A", "B", "C")])
def test_every_reply_reads_as_ok_in_the_asked_format(
    name: str, labels: tuple[str, ...], write_ask: WriteAsk
) -> None:
    form = AnswerFormat(name=name, field="verdict" if "NTA" in labels else "answer", labels=labels)  # type: ignore[arg-type]
    facts = Facts("c", 2, labels[0], (Seen(1, "b", labels[1]),))
    for seed in range(40):
        reply = answer(write_ask(answer_format=form, facts=facts, seed=seed))
        reading = read(reply.text, reply.finish_reason, form.field, form.labels, form.option_texts)
        assert reading.status == "ok"
        assert reading.label in labels


def test_logits_are_the_stated_sum(write_ask: WriteAsk) -> None:
    seen = (
        Seen(1, "b", "NTA"),
        Seen(2, "b", "YTA"),
        Seen(2, "c", None),
        Seen(3, "b", "YTA"),
        Seen(3, "c", "ESH"),
    )
    ask = write_ask(facts=Facts("case", 3, "ESH", seen))
    law = {"theta": {"NTA": 0.3}, "phi_sd": 0.0, "alpha": 1.0, "gamma_prev": 0.1, "gamma_within": 0.01}
    block = SimulatedBlock.model_validate({"backend": "simulated"} | law)
    assert logits(block, ask) == pytest.approx([0.3, 0.11, 1.01, 0.0, 0.0])


def test_the_last_unreadable_own_label_and_others_unreadable_labels_pull_nowhere(write_ask: WriteAsk) -> None:
    ask = write_ask(facts=Facts("case", 2, None, (Seen(1, "b", None),)))
    block = SimulatedBlock(backend="simulated", theta={}, phi_sd=0.0)
    assert logits(block, ask) == [0.0] * 5


def test_labels_are_drawn_with_softmax_probabilities() -> None:
    etas = [0.0, log(2), log(5)]
    draws = [choose("abc", etas, (i + 0.5) / 8000) for i in range(8000)]
    assert [draws.count(label) for label in "abc"] == [1000, 2000, 5000]


def test_leanings_of_cases_are_standard_normal_and_shared_by_phi_seed() -> None:
    values = [phi(0, f"case {number}", "NTA") for number in range(4000)]
    assert abs(fmean(values)) < 4 / 4000**0.5
    assert abs(stdev(values) - 1) < 4 / 8000**0.5
    assert phi(0, "case 1", "NTA") != phi(1, "case 1", "NTA")


def test_latency_is_fixed_or_lognormal() -> None:
    assert seconds(0.25, seed=1) == 0.25
    logs = [log(seconds(Lognormal(median=2.0, sigma=0.5), seed)) for seed in range(4000)]
    assert exp(fmean(logs)) == pytest.approx(2.0, rel=0.05)
    assert stdev(logs) == pytest.approx(0.5, rel=0.1)
    assert answer_takes(0.02) == 0.02


def answer_takes(latency: float) -> float:
    ask = Ask("s", "m", (), SimulatedBlock(backend="simulated").sampling(), AnswerFormat())
    return answer(ask, latency=latency).seconds


def test_a_shock_is_of_a_debate_and_of_nothing_else(write_ask: WriteAsk) -> None:
    """It shifts all turns of a debate alike, whoever speaks in whatever round; other debates otherwise."""
    plain, shocked = SimulatedBlock(backend="simulated"), SimulatedBlock(backend="simulated", shock_sd=2.0)

    def shift(ask: Ask) -> list[float]:
        pairs = zip(logits(shocked, ask), logits(plain, ask), strict=True)
        return [round(with_shock - without, 9) for with_shock, without in pairs]

    first = replace(write_ask(), conversation="one", seat="seat1")
    later = replace(first, seat="seat2", round=3, facts=replace(first.facts, round=3, own_last="YTA"), seed=9)
    assert shift(first) == shift(later) == shift(replace(first, seed=5))
    assert shift(first) != shift(replace(first, conversation="two"))
    assert len(set(shift(first))) == 5


def test_shocks_are_standard_normal() -> None:
    """Of 4,000 draws: mean 0 within five standard errors of 0.016, standard deviation 1 within 0.06."""
    drawn = [shock(3, f"debate {number}", "NTA") for number in range(4000)]
    assert abs(fmean(drawn)) < 0.08
    assert abs(pstdev(drawn) - 1) < 0.06


def test_a_model_without_shocks_is_what_it_was_before_there_were_any() -> None:
    law = SimulatedBlock(backend="simulated").identity()["model"]
    assert law is not None
    assert "shock_sd" not in law
    assert "shock_sd" in str(SimulatedBlock(backend="simulated", shock_sd=1.0).identity()["model"])


def test_a_judge_who_sits_in_asks(write_ask: WriteAsk) -> None:
    ask = replace(write_ask(), kind="judge", answer_format=PROSE)
    reply = asyncio.run(Simulated(SimulatedBlock(backend="simulated")).answer(ask))
    assert reply.text.removeprefix("Argument: ") in QUESTIONS
