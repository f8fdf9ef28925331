"""What a run has cost so far: its replies in tables and log, and what its treasury has written of more."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ray_jobs.claims import claim_run
from ray_jobs.ledger import Cap, Settlement
from ray_jobs.log import Log, Row
from ray_jobs.parts import write_part
from ray_jobs.spending import spent, write_spending
from ray_jobs.store import Store
from ray_jobs.treasury import Funds, Treasury
from serving.blocks import SimulatedBlock
from serving.price import Price
from serving.purse import NOTHING, Amount
from serving.remote_block import RemoteBlock
from serving.worst_case import worst_case
from tests.ray_jobs.studies import study

BEGUN = datetime(2026, 1, 2, tzinfo=UTC)
FIRST, SECOND = "20260102T000000000000-aaaaaaaa", "20260103T000000000000-bbbbbbbb"
PRICE = {"input": 1.0, "cached": 0.5, "output": 2.0}
REMOTE = {"backend": "openai", "model": "m", "base_url": "https://host.example/v1", "price": PRICE}
MODELS = {"r": REMOTE, "s": {"backend": "simulated"}}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A run that was started twice."""
    store = Store(str(tmp_path))
    for claim in (FIRST, SECOND):
        claim_run(store, study(models=MODELS, panels=[["r", "s"]], protocols=["solo"]), claim)
    return store


def reply(debate: int, model: str = "r", claim: str = FIRST, **values: Any) -> Row:
    """One that cost 0.002 USD for 1,010 tokens unless `values` say otherwise."""
    usual: Row = {"cost_usd": 0.002, "prompt_tokens": 1000, "completion_tokens": 10, "cached_tokens": 0}
    where = {"debate_id": f"{debate:016x}", "model": model, "claim": claim, "time": BEGUN.replace(day=3)}
    asked = {"messages": [{"role": "user", "content": "Who?"}], "sampling": json.dumps({"max_tokens": 50})}
    return {**usual, **where, **asked, **values}


def in_tables(store: Store, stem: str, *rows: Row) -> None:
    write_part(store, "replies", stem, list(rows))
    write_part(store, "debates", stem, [{"debate_id": row["debate_id"]} for row in rows])


def in_log(store: Store, *rows: Row) -> None:
    log = Log(store, "writer")
    for row in rows:
        log.append(row)
    log.close()


def test_tables_and_log_count_once(store: Store) -> None:
    """A debate in the tables may still stand in the log."""
    in_tables(store, "a", reply(1), reply(2, "s", cost_usd=None))
    in_log(store, reply(1), reply(3))
    assert spent(store) == Amount(4_000_000, 3 * 1010)


def test_a_run_that_has_asked_nothing_has_cost_nothing(store: Store) -> None:
    assert spent(store) == NOTHING


def test_of_each_start_the_larger_of_replies_and_treasury_counts(store: Store) -> None:
    """The treasury knows of calls that no reply came of; replies, of starts that had no budget."""
    in_tables(store, "a", reply(1), reply(2, claim=SECOND), reply(3, claim=SECOND))
    write_spending(store, FIRST, Amount(5_000_000, 900))
    write_spending(store, SECOND, Amount(3_000_000, 7000))
    assert spent(store) == Amount(5_000_000 + 4_000_000, 1010 + 7000)


def test_what_is_not_known_of_a_reply_counts_as_its_worst(store: Store) -> None:
    """A missing cost is that of its usage, a missing usage the longest prompt and reply."""
    worst = worst_case([], 50, None).tokens
    unknown = {"cost_usd": None, "prompt_tokens": None, "completion_tokens": None}
    in_tables(store, "a", reply(1, cost_usd=None, cached_tokens=500))
    assert spent(store) == Amount(500_000 + 250_000 + 20_000, 1010)
    in_tables(store, "b", reply(2, **unknown), reply(3, "s", **unknown))
    prompt = worst - 50 + 64 + len("Who?")
    usd = Price.model_validate(PRICE).at_most(prompt, 50)
    assert spent(store) == Amount(770_000 + round(usd * 1e9), 1010 + 2 * (prompt + 50))


def test_what_a_fork_has_taken_over_cost_the_other_run(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    claim_run(store, study(models=MODELS, panels=[["r"]], protocols=["solo"]), FIRST, fork="other")
    in_tables(store, "a", reply(1), reply(2, time=BEGUN.replace(day=1)))
    in_log(store, reply(3, time=BEGUN.replace(day=1), cost_usd=None))
    assert spent(store) == Amount(2_000_000, 1010)


def test_a_treasury_leaves_word_of_a_block_more_than_may_be_billed(store: Store) -> None:
    """Before it answers, and at a clean end of what was billed; the next start goes on from there."""

    async def play() -> None:
        keeper = Treasury(Funds(Cap(nanos=1030), Amount(30, 3), store.uri, SECOND))
        decisions, told = await keeper.transact("a", [], [Amount(40, 4), Amount(961, 4)])
        assert decisions == ["granted", "later"]
        assert told == "under $0.0001 of under $0.0001 are spent"
        assert spent(store) == Amount(1000, 4 + 4 * 4), "four of the dearest calls, but never more than all"
        await keeper.transact("a", [Settlement(Amount(40, 4), Amount(10, 1))], [Amount(20, 2)])
        await keeper.forfeit("a")
        await keeper.close()

    asyncio.run(play())
    assert spent(store) == Amount(30, 3)


def test_our_own_engines_are_paid_for_only_in_tokens() -> None:
    remote = RemoteBlock.model_validate(REMOTE)
    for cap, pays in ((Cap(nanos=1), False), (Cap(nanos=1, tokens=1), True)):
        funds = Funds(cap, NOTHING, "run", "claim")
        assert funds.pays(remote)
        assert funds.pays(SimulatedBlock(backend="simulated")) == pays
