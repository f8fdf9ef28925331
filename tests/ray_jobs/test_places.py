"""The line for places: never too many inside, everyone served, by rank, and nothing lost by who gives up."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ray_jobs.places import Places

ALL = 3
VISITS = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from([1, 1, 1, ALL]), st.integers(0, 4), st.integers(0, 12)),
    max_size=20,
)
"""Of each visitor its rank, how many places it needs, for how many turns, and after how many it gives up."""


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 20))


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def takes_all(places: Places) -> None:
    """Comes to an end only if no place has been lost."""
    async with places.take(0.0, ALL):
        pass


@given(VISITS)
def test_places_never_exceed_what_there_is_and_none_is_lost(visits: list[tuple[int, int, int, int]]) -> None:
    """Some give up while they wait, at the very moment they are served, or inside."""

    async def work() -> None:
        places, inside, served = Places(ALL), 0, 0

        async def visit(rank: int, needed: int, stay: int) -> None:
            nonlocal inside, served
            async with places.take(rank, needed):
                inside += needed
                assert inside <= ALL
                try:
                    await turns(stay)
                    served += 1
                finally:
                    inside -= needed

        visitors = [asyncio.create_task(visit(rank, needed, stay)) for rank, needed, stay, _ in visits]

        async def give_up(visitor: asyncio.Task[None], patience: int) -> None:
            await turns(patience)
            if patience < 8:
                visitor.cancel()

        await asyncio.gather(
            *(give_up(visitor, each[3]) for visitor, each in zip(visitors, visits, strict=True))
        )
        await asyncio.wait([*visitors, asyncio.create_task(takes_all(places))])
        assert served == sum(not visitor.cancelled() for visitor in visitors)
        assert inside == 0
        await takes_all(places)

    run(work())


@given(
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from([1, 1, ALL])), max_size=20),
    st.sets(st.integers(0, 19)),
)
def test_who_waits_is_served_by_rank_and_then_by_arrival(
    waiting: list[tuple[int, int]], given_up: set[int]
) -> None:
    """Those who gave up stand in nobody's way, also where the first in line needs all places."""

    async def work() -> None:
        places, order = Places(ALL), list[int]()

        async def visit(number: int, rank: int, needed: int) -> None:
            async with places.take(rank, needed):
                order.append(number)
                await turns(3)

        async with places.take(-1.0, ALL):
            visitors = [asyncio.create_task(visit(number, *each)) for number, each in enumerate(waiting)]
            await turns(2)
            for number in given_up & set(range(len(waiting))):
                visitors[number].cancel()
            await turns(2)
            assert order == []
        await asyncio.gather(*visitors, return_exceptions=True)
        left = [number for number in range(len(waiting)) if number not in given_up]
        assert order == sorted(left, key=lambda number: waiting[number][0])

    run(work())


def test_many_that_need_one_place_do_not_starve_one_that_needs_all() -> None:
    async def work() -> None:
        places, served = Places(ALL), list[int]()

        async def visit(rank: int, needed: int) -> None:
            async with places.take(rank, needed):
                served.append(rank)
                await turns(rank % 3 + 1)

        visitors = []
        for rank in range(50):
            visitors.append(asyncio.create_task(visit(rank, ALL if rank == 10 else 1)))
            await turns(1)
        await asyncio.gather(*visitors)
        assert served == list(range(50))

    run(work())


def test_the_first_in_line_that_gives_up_lets_the_next_pass() -> None:
    async def work() -> None:
        places = Places(ALL)
        async with places.take(0.0):
            large = asyncio.create_task(takes_all(places))
            await turns(2)
            small = asyncio.ensure_future(places.take(1.0).__aenter__())
            await turns(2)
            assert not small.done()
            large.cancel()
            await small

    run(work())
