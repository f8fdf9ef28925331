"""What a run has cost so far, over all its starts."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from analysis.part import Part, load
from protocols.dialogue import Message
from ray_jobs.claims import earlier_claims
from ray_jobs.ended import debates_in
from ray_jobs.experiment import Experiment
from ray_jobs.ids import among, id_numbers
from ray_jobs.log import Row
from ray_jobs.open_log import batches, segments
from ray_jobs.store import Store
from serving.blocks import ModelBlock
from serving.prices import price_of
from serving.purse import NANOS, NOTHING, Amount, nanos
from serving.remote_block import RemoteBlock
from serving.worst_case import worst_case

COSTS = ["debate_id", "model", "claim", "time", "cost_usd", "prompt_tokens", "completion_tokens"]
QUESTION = ["messages", "sampling", "cached_tokens"]  # what the worst case of a reply is known by

Read = Callable[[list[str]], pa.Table]


def write_spending(store: Store, claim: str, charged: Amount) -> None:
    """Writes down what the calls of one claim may have cost, also those that no reply came of."""
    record = {"usd": charged.nanos / NANOS, "tokens": charged.tokens}
    store.write(f"spending/{claim}.json", json.dumps(record).encode())


def spent(store: Store) -> Amount:
    """What the run may have cost: claim by claim, its replies, or what its treasury has written if more.

    Of a remote model a reply without `cost_usd` counts by its usage at today's price, or as the worst case
    where the usage is unknown too. Replies that a fork has taken over from the other run cost nothing here.
    """
    charged: defaultdict[str, Amount] = defaultdict(Amount)
    blocks, begun = _blocks(store), _begun(store)
    for read in _replies(store):
        for claim, amount in _by_claim(read, blocks, begun):
            charged[claim] += amount
    for name in store.names("spending"):
        claim = name.removeprefix("spending/").removesuffix(".json")
        record, replies = json.loads(store.read(name)), charged[claim]
        written = Amount(nanos(record["usd"]), record["tokens"])
        charged[claim] = Amount(max(replies.nanos, written.nanos), max(replies.tokens, written.tokens))
    return sum(charged.values(), NOTHING)


def _blocks(store: Store) -> dict[str, ModelBlock]:
    """Every model that the run has ever had, as it was last declared."""
    claims = earlier_claims(store)
    return {name: block for claim in claims for name, block in Experiment.thawed(claim.frozen).models.items()}


def _begun(store: Store) -> datetime | None:
    """When a fork began; None for a run of its own, all of whose replies are its own."""
    first, *_ = earlier_claims(store)
    if first.fork is None:
        return None
    return datetime.strptime(first.id.split("-")[0], "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC)


def _replies(store: Store) -> Iterator[Read]:
    """Every part of the table, and every segment of the log with the debates that no part holds."""
    for name in store.names("tables/replies"):
        yield partial(_read_part, store, Part("replies", store.path(name)))
    in_tables = np.sort(debates_in(store, "debates"))
    for name in segments(store):
        whole, _ = batches(store, name)
        if whole:
            logged = pa.Table.from_batches(whole)
            there = among(id_numbers(logged["debate_id"].to_pylist()), in_tables)
            yield logged.filter(pa.array(~there)).select


def _read_part(store: Store, part: Part, columns: list[str]) -> pa.Table:
    return store.ask(part.path, partial(load, store.fs, part, columns))


def _by_claim(
    read: Read, blocks: Mapping[str, ModelBlock], begun: datetime | None
) -> Iterator[tuple[str, Amount]]:
    remote = pa.array([name for name, block in blocks.items() if isinstance(block, RemoteBlock)], pa.string())
    rows = read(COSTS)
    known = pc.and_(pc.is_valid(rows["prompt_tokens"]), pc.is_valid(rows["completion_tokens"]))
    priced = pc.or_(pc.is_valid(rows["cost_usd"]), pc.invert(pc.is_in(rows["model"], remote)))
    own = pa.scalar(True) if begun is None else pc.greater_equal(rows["time"], pa.scalar(begun))
    told = pc.and_(known, priced)
    clear, unclear = pc.and_(told, own), pc.and_(pc.invert(told), own)
    sums = ["cost_usd", "prompt_tokens", "completion_tokens"]
    grouped = rows.filter(clear).group_by("claim").aggregate([(name, "sum") for name in sums])
    for row in grouped.to_pylist():
        tokens = row["prompt_tokens_sum"] + row["completion_tokens_sum"]
        yield row["claim"], Amount(nanos(row["cost_usd_sum"] or 0.0), tokens)
    if pc.any(unclear).as_py():
        for row in read([*COSTS, *QUESTION]).filter(unclear).to_pylist():
            yield row["claim"], _at_most(row, blocks[row["model"]])


def _at_most(row: Row, block: ModelBlock) -> Amount:
    """What a reply may have cost whose cost or usage is not known."""
    price = price_of(block) if isinstance(block, RemoteBlock) else None
    messages = [Message(message["role"], message["content"]) for message in row["messages"]]
    worst = worst_case(messages, json.loads(row["sampling"])["max_tokens"], price)
    prompt, completion = row["prompt_tokens"], row["completion_tokens"]
    if prompt is None or completion is None:
        return worst if row["cost_usd"] is None else Amount(nanos(row["cost_usd"]), worst.tokens)
    usd = 0.0 if price is None else price.usd(prompt, completion, row["cached_tokens"] or 0)
    return Amount(nanos(usd), prompt + completion)
