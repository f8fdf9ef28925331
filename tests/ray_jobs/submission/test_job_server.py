"""A job server that cannot be used is told of within seconds, in one message."""

import socket
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from threading import Thread

import pytest
from tenacity import wait_none
from typer.testing import CliRunner

from ray_jobs import connection
from ray_jobs.cli import app
from ray_jobs.connection import refuse_job_folder, refuse_silent
from ray_jobs.located import ExperimentError
from ray_jobs.submission import job_server
from ray_jobs.submission.job_server import DEFAULT, JobServer, refuse_other_ray, server_address
from tests.ray_jobs.moot_runs import write_study
from tests.ray_jobs.submission.servers import answering


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in job_server.VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def closed() -> str:
    """A port of this machine that nobody listens at."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{unused.getsockname()[1]}"


@pytest.fixture
def mute() -> Iterator[str]:
    """One that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_an_address_at_which_nobody_is_is_refused(closed: str) -> None:
    with pytest.raises(ExperimentError, match=r"nobody answers at http://127.* check the address"):
        JobServer(f"http://{closed}")
    with pytest.raises(ExperimentError, match="nobody answers at 127"):
        refuse_silent(closed)
    with pytest.raises(ExperimentError, match="nobody answers at http://no-such-host"):
        JobServer("http://no-such-host.invalid:8265")


@pytest.mark.parametrize("command", ["submit", "doctor"])
def test_a_command_ends_with_one_message_and_exit_code_2(command: str, closed: str, tmp_path: Path) -> None:
    models = {"a": {"backend": "simulated"}}
    file = write_study(tmp_path, 1, models=models, panels=[["a"]], protocols=["solo"])
    words = [command, str(file), "--out", str(tmp_path / "run"), "--address", f"http://{closed}"]
    ended = CliRunner().invoke(app, words)
    assert ended.exit_code == 2
    assert f"error: nobody answers at http://{closed}" in ended.stderr
    assert "Traceback" not in ended.output


def test_a_server_that_never_answers_is_given_up(mute: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_server, "DEADLINE", (0.2, 0.2))
    with pytest.raises(ExperimentError, match=r"is no job server that can be used: .*timed out"):
        JobServer(mute)


@pytest.mark.parametrize(("status", "body"), [(404, {}), (500, {}), (200, {"hello": "world"}), (200, "text")])
def test_what_is_no_job_server_is_refused(status: int, body: object) -> None:
    with answering(status, body) as address, pytest.raises(ExperimentError, match="is no job server"):
        JobServer(address)


class Young:
    """The client of a cluster that takes a job only when it has refused so many."""

    def __init__(self, refusals: int, reason: str) -> None:
        self.refusals, self.reason, self.asked = refusals, reason, 0

    def submit_job(self, **_: object) -> None:
        self.asked += 1
        if self.asked <= self.refusals:
            raise RuntimeError(f"Request failed with status code 500: {self.reason}, please try again later.")

    def list_jobs(self) -> list[object]:
        return []


@pytest.mark.parametrize(
    ("client", "patience", "asked", "taken"),
    [
        (Young(2, job_server.YOUNG), 60.0, 3, True),
        (Young(99, job_server.YOUNG), 0.0, 1, False),
        (Young(99, "the disk is full"), 60.0, 1, False),
    ],
    ids=["soon ready", "never ready", "another reason"],
)
def test_a_cluster_that_has_just_come_up_is_asked_again(
    client: Young, patience: float, asked: int, taken: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(job_server, "YOUNG_SECONDS", patience)
    monkeypatch.setattr(job_server, "wait_fixed", lambda _: wait_none())
    monkeypatch.setattr(JobServer, "_connect", lambda _: client)
    with answering(200, {}) as address:
        server = JobServer(address)
        with nullcontext() if taken else pytest.raises(ExperimentError, match="did not take the job moot-1"):
            server.submit("moot-1", "python", tmp_path, {})
    assert client.asked == asked


def test_a_cluster_with_another_ray_is_refused() -> None:
    with answering(200, {"ray_version": "2.40.0"}) as address:
        server = JobServer(address)
        with pytest.raises(ExperimentError, match=r"runs Ray 2\.40\.0, this moot is made for Ray 2\.60\.0"):
            refuse_other_ray(server)


def test_the_address_that_is_given_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray's own client would have it the other way."""
    assert server_address(None) == DEFAULT
    monkeypatch.setenv("RAY_ADDRESS", "head:8265/")
    assert server_address(None) == "http://head:8265"
    assert server_address("https://other") == "https://other"
    with answering(200, {"ray_version": "2.60.0"}) as address:
        assert JobServer(address).ray_version == "2.60.0"
    with pytest.raises(
        ExperimentError, match="found 'ray://head:10001'; expected the address of a job server"
    ):
        server_address("ray://head:10001")


@pytest.mark.parametrize(
    "address",
    [
        "head:port",
        "http://head:99999",
        "head:0",
        "http://[::1",
        "http://",
        " ",
        "http://head:8265?x=1",
        "http://head/#a",
        "ray://head:10001",
    ],
)
def test_what_is_no_address_is_refused_before_anything_is_asked(address: str) -> None:
    with pytest.raises(ExperimentError, match=r"--address: found '.*'; expected the address of a job server"):
        server_address(address)


@pytest.mark.parametrize(
    "address", ["http://me:sk-secret@head:8265", "me:sk-secret@head", "http://sk-secret@h:x"]
)
def test_a_secret_in_an_address_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(ExperimentError, match="found a user or a password in it") as refused:
        server_address(address)
    assert "sk-secret" not in str(refused.value)


def test_of_a_page_that_some_other_server_sends_only_the_beginning_is_told() -> None:
    told = r"forbidden.*\.\.\.; expected the address of a job"
    with (
        answering(403, ["<p>forbidden</p>"] * 1000) as address,
        pytest.raises(ExperimentError, match=told) as refused,
    ):
        JobServer(address)
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize("address", ["nowhere", "head:port", "head:99999", "ray://head:0"])
def test_what_is_no_address_of_a_cluster_is_refused(address: str) -> None:
    with pytest.raises(ExperimentError, match=f"--address: found '{address}'; expected HOST:PORT"):
        refuse_silent(address)


def test_who_speaks_something_else_than_ray_is_not_waited_for(
    mute: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray would try for many minutes."""
    monkeypatch.setattr(connection, "ANSWER_SECONDS", 0.2)
    with answering(200, {}) as web:
        for address in (web, mute):
            with pytest.raises(ExperimentError, match=r"is no Ray cluster; expected the HOST:PORT"):
                refuse_silent(address.removeprefix("http://"))


def test_who_speaks_http_2_may_be_ray() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        greeter = Thread(target=_greet, args=(server, b"\0\0\0\x04\0\0\0\0\0"))
        greeter.start()
        refuse_silent(f"127.0.0.1:{server.getsockname()[1]}")
        greeter.join()


def _greet(server: socket.socket, greeting: bytes) -> None:
    """Takes two connections: one that only looks whether somebody is there, and one that is greeted."""
    for _ in range(2):
        client, _ = server.accept()
        with client:
            client.sendall(greeting)


def test_a_run_is_not_played_at_a_job_server() -> None:
    with pytest.raises(ExperimentError, match="to which moot submit sends experiments"):
        refuse_silent("http://head:8265")


def test_a_job_does_not_play_into_its_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By hand, without --out, it would."""
    refuse_job_folder("runs/study")
    monkeypatch.setenv("RAY_JOB_CONFIG_JSON_ENV_VAR", "{}")
    refuse_job_folder(str(tmp_path))
    refuse_job_folder("s3://bucket/run")
    with pytest.raises(ExperimentError, match="found 'runs/study', which in a Ray job"):
        refuse_job_folder("runs/study")
