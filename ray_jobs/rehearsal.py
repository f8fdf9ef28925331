"""A debate played with made-up replies, to know what it will ask before any model is there."""

from __future__ import annotations

from collections.abc import Iterator

from protocols.dialogue import Ask, Reply
from protocols.play import Play
from protocols.transcript import Transcript
from protocols.values import MOST_VALUES
from ray_jobs.cases import CaseRow
from ray_jobs.debate import Debate, Debates
from ray_jobs.experiment import Experiment
from ray_jobs.plan import Plan
from ray_jobs.planting import planted_by
from ray_jobs.staging import NOTHING, stage

WORD = " any"  # one token of most tokenizers, and four characters


def rehearse(
    experiment: Experiment,
    plan: Plan,
    row: CaseRow,
    debate: Debate,
    agree: bool,
    full: bool = True,
    before: Transcript = NOTHING,
) -> Iterator[tuple[Debate, Ask]]:
    """Every ask of a debate in which all seats always agree, or never do, and of what follows from it.

    After a debate in which all agree that is what follows from every debate, otherwise what may follow
    from any. Replies are as long as max_tokens allows, or with `full=False` a single word.
    """
    scene = stage(experiment, plan, row, debate, before)
    play: Play[Transcript] = Play(scene.dialogue, debate.seed)
    planted = planted_by(plan.cell(debate).variant)
    while not play.done:
        step = play.step
        for slot, ask in enumerate(step):
            yield debate, ask
            labels = ask.answer_format.labels
            agreed = labels.index(planted.label(debate.seed, labels)) if planted and labels else 0
            verdict = agreed if agree else ask.position - 1
            play.answer(slot, _reply(ask, verdict, ask.sampling.max_tokens if full else 1))
    for following in plan.following(debate.stage):
        if following.keep == "all" or not agree:
            for child in plan.onward(following, Debates.of([debate])):
                yield from rehearse(experiment, plan, row, child, agree, full, play.outcome)


def characters(ask: Ask) -> int:
    """The length of what is sent, in characters."""
    return sum(len(message.content) for message in ask.messages)


def _reply(ask: Ask, verdict: int, words: int) -> Reply:
    form = ask.answer_format
    if form.field == "values":
        return Reply(form.write_values(form.labels[:MOST_VALUES]))
    label = form.labels[verdict % len(form.labels)] if form.labels else ""
    return Reply(form.write(label, WORD * words))
