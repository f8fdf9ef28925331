"""A moderator in this process: it plays what it is given, and its tables hold what was said."""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from pathlib import Path
from shutil import rmtree
from typing import Any

import pyarrow.parquet as pq
import pytest

from analysis.schema import schema
from protocols.record import LogMismatch
from ray_jobs.agent import Agent
from ray_jobs.case_table import add_cases
from ray_jobs.cases import CaseRow
from ray_jobs.claims import claim_id, claim_run
from ray_jobs.debate import Debate
from ray_jobs.ended import Ended, extents
from ray_jobs.experiment import Experiment
from ray_jobs.failed import failed
from ray_jobs.lease import LeaseLost, renew
from ray_jobs.line import Replica
from ray_jobs.log import Log, Row
from ray_jobs.mail import Answers, Letter
from ray_jobs.moderator import Moderator
from ray_jobs.open_log import OpenLog
from ray_jobs.plan import Plan
from ray_jobs.recovery import clear_log, recover
from ray_jobs.status import Status, Task
from ray_jobs.store import Store
from tests.ray_jobs import moot_runs
from tests.ray_jobs.object_store import ObjectServer
from tests.ray_jobs.plays import Local, case_rows, played, steady
from tests.ray_jobs.studies import study

pytestmark = pytest.mark.long

CASES = case_rows(5)
EXPERIMENT = study(
    models={"a": {"backend": "simulated"}, "b": {"backend": "simulated", "alpha": 0.2}},
    designs=[
        {"panels": [["a", "b"], ["b", "a", "b"]], "protocols": ["synchronous", "round_robin"]},
        {"panels": [["a"], ["b"]], "protocols": ["solo"]},
    ],
    stages=[
        {"name": "judged", "judges": {"models": ["b"], "passes": 2}},
        {"name": "longer", "keep": "no_consensus", "protocols": ["synchronous", "round_robin"], "rounds": 6},
        {"name": "rejudged", "from": "longer", "judges": {"models": ["a"], "sees": "positions"}},
    ],
)
TABLES = ("replies", "turns", "judgments", "debates")


class Weak(Agent):
    """An agent that is gone once it was asked so many times; it counts how often each seed was asked."""

    def __init__(self, block: Any, strength: int = 10**9) -> None:
        super().__init__(block)
        self.strength = strength
        self.asked = Counter[int]()

    async def submit(self, moderator: str, letter: Letter) -> None:
        self.asked.update(posted.ask.seed for posted in letter)
        self._weaken()
        await super().submit(moderator, letter)

    async def collect(self, moderator: str) -> Answers:
        self._weaken()
        return await super().collect(moderator)

    def _weaken(self) -> None:
        if self.asked.total() > self.strength:
            raise ConnectionError("the actor died")


Crew = Mapping[str, list[Weak]]


def tables(run: Path) -> dict[str, list[Row]]:
    """All rows of a run."""
    return {
        table: [row for part in sorted(run.glob(f"tables/{table}/*.parquet")) for row in rows_of(part)]
        for table in ("cases", *TABLES, "failures")
    }


def rows_of(part: Path) -> list[Row]:
    found: list[Row] = pq.read_table(part).to_pylist()
    return found


def begun(run: Path | str, experiment: Experiment, cases: Sequence[CaseRow]) -> tuple[Task, list[Debate]]:
    """Begins a run, or goes on with one, as the driver would; what is left to play."""
    store = Store(str(run))
    claim = claim_run(store, experiment, claim_id())
    renew(store, claim.id)
    add_cases(store, cases, {"run_id": claim.run_id}, claim.id)
    list(recover(store))
    plan = Plan(experiment, [case.id for case in cases])
    left = (extent.left for extent in extents(plan, plan.debates(), Ended.of(store)))
    return Task(str(run), claim, claim.id, frozenset(experiment.models)), list(chain.from_iterable(left))


async def seated(task: Task, crew: Crew, open_debates: int = 7) -> Moderator:
    """A moderator with lines to its crew."""
    for agent in chain(*crew.values()):
        await agent.open()
    moderator = Moderator(f"{task.claim.id}-moderator0", task, open_debates)
    await moderator.open(
        [
            Replica(model, number, 0, Local(agent))
            for model, agents in crew.items()
            for number, agent in enumerate(agents)
        ]
    )
    return moderator


def moderate(
    run: Path | str,
    experiment: Experiment,
    cases: Sequence[CaseRow],
    crew: Crew,
    open_debates: int = 7,
    strengths: Iterator[int] | None = None,
) -> Status:
    """Goes on with a run in blocks of 10; agents of these `strengths` join `crew` for those that are lost."""
    task, debates = begun(run, experiment, cases)
    strengths = strengths or repeat(10**9)

    async def replace(moderator: Moderator) -> None:
        while True:
            for model, number, generation in (await moderator.status()).lost:
                crew[model].append(Weak(experiment.models[model], next(strengths)))
                await crew[model][-1].open()
                await moderator.connect(Replica(model, number, generation + 1, Local(crew[model][-1])))
            await asyncio.sleep(0.001)

    async def work() -> Status:
        moderator = await seated(task, crew, open_debates)
        replacing = asyncio.create_task(replace(moderator))
        try:
            await play_all(moderator, debates)
        finally:
            replacing.cancel()
            await moderator.close()
            for agent in chain(*crew.values()):
                await agent.close()
        return await moderator.status()

    status = asyncio.run(asyncio.wait_for(work(), 60))
    clear_log(Store(str(run)))
    return status


def kill(run: Path, experiment: Experiment, cases: Sequence[CaseRow], crew: Crew, asks: int) -> None:
    """Goes on with a run until so much has been asked; then the moderator is gone, without a last word."""
    task, debates = begun(run, experiment, cases)

    async def work() -> None:
        moderator = await seated(task, crew)
        playing = asyncio.create_task(play_all(moderator, debates))
        while sum(agent.asked.total() for agent in chain(*crew.values())) < asks or not logged(run):
            assert not playing.done()
            await asyncio.sleep(0.001)
        playing.cancel()
        moderator._keeper._closing.set()  # the last rows reach the log, no debate ends any more
        await asyncio.wait([playing, moderator._keeper.keeping])
        moderator._keeper.log._end_current()  # the operating system does this for a process that dies

    asyncio.run(asyncio.wait_for(work(), 60))


def logged(run: Path) -> bool:
    """Whether the log holds anything."""
    return any(segment.stat().st_size for segment in run.glob("log/*/*.arrow"))


async def play_all(moderator: Moderator, debates: list[Debate]) -> None:
    blocks = [debates[start : start + 10] for start in range(0, len(debates), 10)]
    ends = await asyncio.gather(*map(moderator.play, blocks), return_exceptions=True)
    for end in ends:
        if isinstance(end, BaseException):
            raise end


def crew_of(experiment: Experiment, replicas: int = 1, strength: int = 10**9) -> Crew:
    """So many replicas of every model."""
    return {
        name: [Weak(block, strength) for _ in range(replicas)] for name, block in experiment.models.items()
    }


def asked(crew: Crew) -> Counter[int]:
    """How often each seed was asked."""
    return sum((agent.asked for agent in chain(*crew.values())), Counter[int]())


@pytest.fixture(scope="module")
def expected() -> dict[str, list[Row]]:
    """The rows of the experiment, played one debate after the other."""
    rows = played(EXPERIMENT, CASES)
    return {
        table: steady(complete((row for each in rows for row in each.get(table, ())), table), table)
        for table in TABLES
    }


def complete(rows: Iterable[Row], table: str) -> list[Row]:
    return [{name: row.get(name) for name in schema(table).names} for row in rows]


def check(run: Path, expected: dict[str, list[Row]]) -> None:
    """The tables hold exactly the expected debates, and the log none."""
    found = tables(run)
    for table, rows in expected.items():
        assert steady(found[table], table) == rows
    assert found["failures"] == []
    assert Store(str(run)).names("log") == []


@pytest.mark.parametrize(("replicas", "open_debates"), [(1, 1), (3, 7), (2, 1000)])
def test_tables_hold_what_was_said_however_it_was_scheduled(
    tmp_path: Path, expected: dict[str, list[Row]], replicas: int, open_debates: int
) -> None:
    crew = crew_of(EXPERIMENT, replicas)
    status = moderate(tmp_path / "run", EXPERIMENT, CASES, crew, open_debates)
    check(tmp_path / "run", expected)
    assert (status.open, status.finished.total(), status.failed.total()) == (0, len(expected["debates"]), 0)
    assert asked(crew).total() == status.calls.total() == len(expected["replies"])
    assert {row["attempts"] for row in tables(tmp_path / "run")["replies"]} == {1}
    assert status.prompt_tokens.total() == sum(row["prompt_tokens"] for row in expected["replies"])


def test_scripted_debates_end_as_their_script_says(tmp_path: Path) -> None:
    """Fifty debates: seat2 comes over to seat1 in round 3 for odd cases, and never for even ones."""
    said = [{"seat": "seat1", "text": "My current verdict: NTA\n\nFirst."}]
    said += [{"seat": "seat2", "text": "My current verdict: YTA\n\nSecond."}]
    said += [
        {"case_id": f"case{n}", "seat": "seat2", "round": 3, "text": "My current verdict: NTA\n\nMoved."}
        for n in range(1, 26, 2)
    ]
    block = {"backend": "scripted", "replies": said}
    design = {"panels": [["s", "s"]], "protocols": ["synchronous"], "rounds": 4, "repetitions": 2}
    experiment = study(models={"s": block}, **design)
    moderate(tmp_path / "run", experiment, case_rows(25), crew_of(experiment))
    found = tables(tmp_path / "run")
    assert len(found["debates"]) == 50
    for debate in found["debates"]:
        odd = int(debate["case_id"].removeprefix("case")) % 2 == 1
        names = ("rounds", "outcome", "consensus_label", "consensus_round", "final_labels", "calls")
        assert [debate[name] for name in names] == (
            [3, "consensus", "NTA", 3, ["NTA", "NTA"], 6]
            if odd
            else [4, "no_consensus", None, None, ["NTA", "YTA"], 8]
        )
    assert len(found["replies"]) == len(found["turns"]) == 26 * 6 + 24 * 8
    moved = [turn for turn in found["turns"] if turn["explanation"] == "Moved."]
    assert {(turn["seat"], turn["round"], turn["label"]) for turn in moved} == {("seat2", 3, "NTA")}
    assert len(moved) == 26


@pytest.mark.parametrize("replicas", [1, 3])
def test_agents_that_die_cost_no_reply_that_was_kept(
    tmp_path: Path, expected: dict[str, list[Row]], replicas: int
) -> None:
    """Two of each place die; what was answered is not asked again, and attempts are counted."""
    crew = crew_of(EXPERIMENT, replicas, 5)
    strengths = chain(repeat(8, 2 * replicas), repeat(10**9))
    status = moderate(tmp_path / "run", EXPERIMENT, CASES, crew, strengths=strengths)
    check(tmp_path / "run", expected)
    assert status.calls.total() == len(expected["replies"])
    times, rows = asked(crew), tables(tmp_path / "run")["replies"]
    assert all(1 <= times[row["ask_seed"]] <= row["attempts"] for row in rows)
    assert any(times[row["ask_seed"]] > 1 for row in rows)


def test_a_moderator_that_dies_costs_no_reply_that_was_kept(
    tmp_path: Path, expected: dict[str, list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two moderators die; the third finishes, and asks only what is not in log or tables."""
    monkeypatch.setattr("ray_jobs.keeper.FLUSH_SECONDS", {True: 0.005})
    run = tmp_path / "run"
    before: set[int] = set()
    for asks in (10, 20):
        crew = crew_of(EXPERIMENT)
        kill(run, EXPERIMENT, CASES, crew, asks)
        assert not before & asked(crew).keys()
        assert before < kept(run), "each got something done"
        before = kept(run)
    last = crew_of(EXPERIMENT)
    moderate(run, EXPERIMENT, CASES, last)
    check(run, expected)
    assert asked(last).total() == len(expected["replies"]) - len(before)
    assert not before & asked(last).keys()


def kept(run: Path) -> set[int]:
    """The seeds of all replies in tables and log."""
    open_log = OpenLog(Store(str(run)))
    rows = tables(run)["replies"] + [row for each in open_log.replies for row in open_log.rows(each)]
    return {row["ask_seed"] for row in rows}


def test_a_debate_without_a_fitting_reply_fails_alone(tmp_path: Path) -> None:
    said = [{"case_id": f"case{n}", "text": "NTA"} for n in (1, 2, 3)]
    said += [{"case_id": "case4", "seat": "seat1", "text": "NTA"}]
    experiment = study(
        models={"s": {"backend": "scripted", "replies": said}},
        panels=[["s", "s"]],
        protocols=["synchronous"],
    )
    run = tmp_path / "run"
    status = moderate(run, experiment, case_rows(4), crew_of(experiment))
    assert (status.finished.total(), status.failed.total()) == (3, 1)
    [((model, kind), message)] = status.failures.items()
    assert (model, kind) == ("s", "bad_request")
    assert message.startswith("no scripted reply for case 'case4'")
    [failure] = tables(run)["failures"]
    assert (failure["case_id"], failure["seat"], failure["error_class"]) == ("case4", "seat2", "bad_request")
    assert "no scripted reply for case 'case4', seat 'seat2', round 1" in failure["message"]
    assert sorted(row["case_id"] for row in tables(run)["debates"]) == ["case1", "case2", "case3"]
    again = moderate(run, experiment, case_rows(4), crew_of(experiment))
    assert (again.finished.total(), again.failed.total()) == (0, 0), "a failed debate has ended"


@pytest.mark.parametrize("cases", [1, 20])
def test_debates_of_a_model_that_is_not_there_stay_unplayed_however_many_there_are(
    tmp_path: Path, cases: int
) -> None:
    far = {"backend": "openai", "model": "m", "base_url": "http://127.0.0.1:9/v1", "key": None}
    models = {"far": {**far, "limits": {"unreached": 0.3}}}
    experiment = study(models=models, panels=[["far", "far"]], protocols=["synchronous"])
    status = moderate(tmp_path / "run", experiment, case_rows(cases), crew_of(experiment), open_debates=30)
    assert status.stopped["far"].startswith("unreached: nothing has come back from http://127.0.0.1:9/v1/")
    assert (status.finished.total(), status.failed.total(), status.failures) == (0, 0, {})
    assert tables(tmp_path / "run")["failures"] == []


def test_a_judgment_that_fails_names_its_judge_and_leaves_the_debate(tmp_path: Path) -> None:
    """Of two judges one has nothing to say."""
    said: dict[str, list[Row]] = {"dumb": [{"case_id": "another", "text": "NTA"}]}
    said["talking"] = [{"text": "My current verdict: NTA\n\nWell."}]
    models: dict[str, object] = {"a": {"backend": "simulated"}}
    models |= {name: {"backend": "scripted", "replies": replies} for name, replies in said.items()}
    stages = [{"name": "judged", "judges": list(said)}]
    experiment = study(models=models, panels=[["a", "a"]], protocols=["synchronous"], stages=stages)
    run = tmp_path / "run"
    moderate(run, experiment, case_rows(1), crew_of(experiment))
    found = tables(run)
    [failure], [judgment] = found["failures"], found["judgments"]
    assert failure["seat"] == "judge"
    assert failure["message"].startswith("judge 'dumb': ")
    assert "no scripted reply" in failure["message"]
    assert (judgment["judge"], judgment["decision"]) == ("talking", "NTA")
    assert failed(Store(str(run)), set()) == "1 bad_request of judge dumb"


def test_a_log_of_other_questions_stops_the_run_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Someone changed a claim by hand: the run is refused by the debate itself."""
    run = tmp_path / "run"
    monkeypatch.setattr("ray_jobs.keeper.FLUSH_SECONDS", {True: 0.005})
    kill(run, EXPERIMENT, CASES, crew_of(EXPERIMENT), 20)
    before = Store(str(run)).names("log")
    for claim in run.glob("claims/*"):
        claim.write_text(claim.read_text().replace('"seed": 0', '"seed": 1'))
    changed = EXPERIMENT.model_copy(update={"seed": 1})
    with pytest.raises(LogMismatch, match="the log holds the reply to another question"):
        moderate(run, changed, CASES, crew_of(EXPERIMENT))
    assert set(before) <= set(Store(str(run)).names("log"))


def test_debates_go_on_while_an_object_store_does_not_answer(
    server: ObjectServer, expected: dict[str, list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flush that ends only once much has been asked meanwhile; the tables there are whole."""
    flush, asked_much = Log.flush, threading.Event()

    class Telling(Weak):
        async def submit(self, moderator: str, letter: Letter) -> None:
            await super().submit(moderator, letter)
            if self.asked.total() > len(expected["replies"]) // 4:
                asked_much.set()

    def flush_later(log: Log) -> None:
        assert asked_much.wait(20)
        flush(log)

    monkeypatch.setattr(Log, "flush", flush_later)
    monkeypatch.setattr("ray_jobs.keeper.FLUSH_SECONDS", {False: 0.001})
    crew: Crew = {name: [Telling(block)] for name, block in EXPERIMENT.models.items()}
    run = server.address()
    moderate(run, EXPERIMENT, CASES, crew)
    for name, rows in expected.items():
        assert steady(moot_runs.table(run, name), name) == rows
    assert Store(run).names("log") == []


def test_a_log_that_cannot_be_written_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ray_jobs.segment.os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        moderate(tmp_path / "run", EXPERIMENT, CASES, crew_of(EXPERIMENT))


@pytest.mark.parametrize("gone", ["lease", "run"])
def test_a_run_that_is_lost_asks_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    """Its claim taken by another process, or its directory removed: what is paid for would be lost."""
    monkeypatch.setattr("ray_jobs.keeper.FLUSH_SECONDS", {True: 0.01})
    run = tmp_path / "run"
    slow = study(models={"a": {"backend": "simulated", "latency": 0.1}}, panels=[["a"]], protocols=["solo"])
    crew = crew_of(slow)
    task, debates = begun(run, slow, CASES)

    async def work() -> None:
        moderator = await seated(task, crew, open_debates=1)
        playing = asyncio.create_task(moderator.play(debates))
        while not crew["a"][0].asked:
            await asyncio.sleep(0.001)
        rmtree(run / "lease" if gone == "lease" else run)
        try:
            await playing
        finally:
            for agent in chain(*crew.values()):
                await agent.close()

    with pytest.raises(LeaseLost, match="is gone"):
        asyncio.run(asyncio.wait_for(work(), 30))
    assert crew["a"][0].asked.total() < len(debates)
