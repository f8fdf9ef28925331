"""What a plan will cost and how long it will take, model by model, from what it is estimated to ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from analysis.money import dollars
from ray_jobs.estimate import Estimate, ModelEstimate
from ray_jobs.experiment import Experiment
from serving.blocks import VllmBlock
from serving.limits.share import Share
from serving.prices import ListedPrice, price_of
from serving.remote_block import RemoteBlock
from serving.serve_block import ServeBlock

SPEEDS = (20.0, 100.0)  # tokens/s of one reply that remote models are assumed to write at
OFFICIAL_RATE = 250.0  # calls/s of one replica, at which the official client takes half of a CPU
MINUTES, SECONDS = 60.0, 3600.0  # of an hour


@dataclass(frozen=True, slots=True)
class Span:
    """From least to most."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """Of one model, US dollars, hours and GPU-hours, None where they are not known, and what else to know."""

    model: str
    cost: Span | None
    hours: Span | None
    gpu_hours: Span | None = None
    notes: tuple[str, ...] = ()


def forecasts(
    experiment: Experiment, figures: Estimate, measured: Mapping[str, float] | None = None
) -> list[Forecast]:
    """One for each model that is asked anything, in the order of the experiment.

    `measured` is how many tokens a second one replica of an engine writes, by the `model` of its block; it
    stands above what the block states.
    """
    found = []
    for each in figures.models:
        block = experiment.models[each.model]
        if not each.calls.most:
            continue
        if isinstance(block, RemoteBlock):
            notes = tuple(_notes(block))
            found.append(Forecast(each.model, _cost(block, each), _hours(block, each), notes=notes))
        elif isinstance(block, VllmBlock | ServeBlock):
            found.append(_of_engine(block, each, (measured or {}).get(block.model)))
        else:
            found.append(Forecast(each.model, Span(0.0, 0.0), None))
    return found


def total_cost(found: Iterable[Forecast]) -> Span | None:
    """Of all models together; None where one is not known."""
    costs = [each.cost for each in found]
    known = [cost for cost in costs if cost is not None]
    if len(known) < len(costs):
        return None
    return Span(sum(cost.least for cost in known), sum(cost.most for cost in known))


def total_hours(found: Iterable[Forecast]) -> Span | None:
    """Models work side by side, so as long as the slowest of them; None where one is not known."""
    hours = [each.hours for each in found]
    known = [span for span in hours if span is not None]
    if len(known) < len(hours) or not known:
        return None
    return Span(max(span.least for span in known), max(span.most for span in known))


def total_gpu_hours(found: Iterable[Forecast]) -> Span:
    """Of the models for which they are known."""
    known = [each.gpu_hours for each in found if each.gpu_hours is not None]
    return Span(sum(span.least for span in known), sum(span.most for span in known))


def short_of(experiment: Experiment, figures: Estimate) -> Iterator[str]:
    """Warnings that the budget does not even suffice for the least that the plan takes."""
    budget = experiment.budget
    if budget is None:
        return
    cost = total_cost(forecasts(experiment, figures))
    if budget.usd is not None and cost is not None and cost.least > budget.usd:
        yield (
            f"budget.usd is {dollars(budget.usd)}, and the plan is to cost at least {dollars(cost.least)},"
            " less what the providers' caches save; the run will stop before its end"
        )
    tokens = sum(each.prompt_tokens.least + each.calls.least for each in figures.models)
    if budget.tokens is not None and tokens > budget.tokens:
        yield (
            f"budget.tokens is {budget.tokens:,}, and the plan is to take at least {tokens:,}; the run will"
            " stop before its end"
        )


def above_limits(experiment: Experiment, figures: Estimate) -> Iterator[str]:
    """Warnings that one call of a model may take more tokens than a replica of it has in a minute."""
    for each in figures.models:
        block = experiment.models[each.model]
        limit = isinstance(block, RemoteBlock) and _least_share(block)
        if limit and each.longest_call > limit:
            shared = "" if block.replicas == 1 else f" for each of {block.replicas} replicas"
            yield (
                f"models.{each.model}.limits.tokens_per_minute is {limit:,.0f}{shared}, and one call may take"
                f" {each.longest_call:,} (its prompt, and a reply as long as max_tokens allows); the provider"
                " may refuse such a call for ever. Lower max_tokens or rounds"
            )


def _least_share(block: RemoteBlock) -> float | None:
    """The tokens per minute of one replica."""
    return block.limits.shared(Share(0, block.replicas)).tokens_per_minute


def _cost(block: RemoteBlock, figures: ModelEstimate) -> Span | None:
    price = price_of(block)
    if price is None:
        return None
    prompt, completion = figures.prompt_tokens, figures.completion_tokens
    return Span(price.usd(prompt.least, figures.calls.least), price.usd(prompt.most, completion.most))


def _hours(block: RemoteBlock, figures: ModelEstimate) -> Span:
    """The longest of what each limit takes: requests, tokens, and replies in flight."""
    calls, prompt, completion = figures.calls, figures.prompt_tokens, figures.completion_tokens
    slow, fast = SPEEDS
    least = [completion.least / fast / block.in_flight / SECONDS]
    most = [completion.most / slow / block.in_flight / SECONDS]
    if requests := block.limits.requests_per_minute:
        least.append(calls.least / requests / MINUTES)
        most.append(calls.most / requests / MINUTES)
    if tokens := block.limits.tokens_per_minute:
        least.append((prompt.least + calls.least) / tokens / MINUTES)
        most.append((prompt.most + completion.most) / tokens / MINUTES)
    return Span(max(least), max(most))


def _of_engine(block: VllmBlock | ServeBlock, figures: ModelEstimate, measured: float | None) -> Forecast:
    """Of a model with engines of its own: no dollars, and time where it is known how fast they write."""
    free, rate = Span(0.0, 0.0), measured or block.tokens_per_second
    if rate is None:
        note = "how fast one engine writes is not known: state tokens_per_second, or measure it: --like RUN"
        return Forecast(figures.model, free, None, notes=(note,))
    work = Span(figures.calls.least / rate / SECONDS, figures.completion_tokens.most / rate / SECONDS)
    whence = "as measured" if measured else "as stated"
    gpus = "1 GPU" if block.gpus == 1 else f"{block.gpus} GPUs"
    return Forecast(
        figures.model,
        free,
        Span(work.least / block.most, work.most / block.least),
        Span(work.least * block.gpus, work.most * block.gpus),
        (f"{rate:,.0f} tokens/s of one engine, {whence}; it takes {gpus} where there are any",),
    )


def _notes(block: RemoteBlock) -> Iterator[str]:
    price = price_of(block)
    if price is None:
        yield "price unknown, so cost_usd will be null; give price: {input, output} in the file"
    else:
        cached = "" if price.cached is None else f", {price.cached:g} of cached prompts"
        whence = "by the file"
        if isinstance(price, ListedPrice):
            whence = f"as of {price.date}, by {price.source}"
        paid = f"{price.input:g} of prompts{cached}, {price.output:g} of replies"
        yield f"USD per million tokens: {paid}; {whence}"
    if block.transport == "official" and (rate := _rate(block)) > OFFICIAL_RATE:
        yield (
            f"up to {rate:,.0f} calls/s of one replica; from {OFFICIAL_RATE:,.0f} on use transport: lean"
            " (0.65 ms of CPU a call where the official client takes 1.3 to 2.1) or more replicas"
        )


def _rate(block: RemoteBlock) -> float:
    """The most calls/s of one replica, at the faster of the assumed speeds."""
    together = block.in_flight * SPEEDS[1] / block.max_tokens
    if block.limits.requests_per_minute is not None:
        together = min(together, block.limits.requests_per_minute / MINUTES)
    return together / block.replicas
