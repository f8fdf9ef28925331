"""`moot view` in a process of its own."""

import json
import os
import re
import signal
import socket
import subprocess
from pathlib import Path

import httpx
import pytest
from rich.console import Console

from analysis.storage import Unreachable
from ray_jobs.store import Store
from ray_jobs.view_command import serve
from tests.analysis.viewer.client import client
from tests.analysis.viewer.made_up import Made, case, judgment, write
from tests.ray_jobs.moot_runs import ENVIRONMENT, MOOT, moot
from tests.ray_jobs.object_store import ObjectServer

pytestmark = pytest.mark.long


def test_a_run_is_shown_to_who_has_the_address_until_it_is_interrupted(tmp_path: Path) -> None:
    run = write(tmp_path / "run", [Made("one")], cases=[case()])
    command = [*MOOT, "view", str(run), "--no-browser"]
    viewer = subprocess.Popen(
        command,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert viewer.stdout is not None
    [(place, port, token)] = re.findall(
        r"(http://127\.0\.0\.1:(\d+))/\?token=(\S+)", viewer.stdout.readline()
    )
    with httpx.Client(base_url=place, follow_redirects=True, timeout=60) as asking:
        assert asking.get("/run").status_code == 403
        assert asking.get(f"/?token={token}").status_code == 200
        assert "Title of case1" in asking.get("/run/debates").text
        assert "found no run of moot" in asking.get("/run/progress").text
        assert "being counted" in asking.get("/run/measures").text
    for address in _others():
        with socket.socket() as outside:
            outside.settimeout(5)
            assert outside.connect_ex((address, int(port))) != 0, address
    os.killpg(viewer.pid, signal.SIGINT)
    _, said = viewer.communicate(timeout=60)
    assert (viewer.returncode, said) == (0, "")


def _others() -> list[str]:
    """Addresses of this machine that are not of the loopback interface."""
    found = {str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    return sorted(address for address in found if not address.startswith("127."))


def test_what_is_no_run_and_a_port_that_is_taken_are_told(tmp_path: Path) -> None:
    assert "is no run directory" in moot("view", tmp_path, "--no-browser", code=2).stderr
    labels = tmp_path / "labels"
    claim = {"run_id": "study-1", "experiment": {}, "labels": True}
    Store(str(labels)).write("claims/20261201T000000000000-00000000.json", json.dumps(claim).encode())
    assert "found labels of a run" in moot("view", labels, "--no-browser", code=2).stderr
    run = write(tmp_path / "run", [Made("one")])
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port}" in moot("view", run, "--no-browser", "--port", port, code=2).stderr
    for none in (-1, 65_536, 10**20):
        told = moot("view", run, "--no-browser", "--port", none, code=2).stderr
        assert f"--port: found {none}; allowed: 0 to 65535" in " ".join(told.split())
        assert "Traceback" not in told


def test_a_run_on_an_object_store_is_shown_like_any_other(tmp_path: Path, server: ObjectServer) -> None:
    made = Made("one")
    label = judgment(made, "l", kind="label", judged_labels=["care"], source_round=1, source_seat="seat1")
    local = write(tmp_path / "run", [made], cases=[case()])
    write(local / "judgments" / "by-hand", [], others=[{**label, "replies": []}])
    store = Store(server.address("studies/my-run"))
    for file in local.rglob("*.parquet"):
        store.write(str(file.relative_to(local)), file.read_bytes())
    asking = client([store.uri])
    assert "Title of case1" in asking.get("/my-run/debates?change=yes&text=promised").text
    page = asking.get("/my-run/debates/one").text
    assert "changed from" in page
    assert "(by-hand)" in page
    assert "Round 1, seat1" in asking.get("/my-run/debates/one/turns/1/seat1").text


def test_an_object_store_that_cannot_be_reached_is_told(server: ObjectServer) -> None:
    with pytest.raises(Unreachable, match="found no bucket 'nowhere'"):
        serve([server.in_bucket("nowhere")], 0, False, Console())
