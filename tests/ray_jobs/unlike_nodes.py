"""Nodes on this machine that are not like the others: without an engine, or with another disk."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

NO_VLLM = """
import importlib.util as util
found = util.find_spec
util.find_spec = lambda name, package=None: None if name == "vllm" else found(name, package)
"""


def without_vllm(folder: Path) -> dict[str, str]:
    """The environment of a node where vLLM cannot be found, nor any prepared model."""
    (folder / "sitecustomize.py").write_text(NO_VLLM)
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    return {"PYTHONPATH": path, "MOOT_MODELS": str(folder / "no models")}


def can_have_disks_of_its_own() -> bool:
    """Whether a process can be started here that sees other disks; that needs the rights of root."""
    return subprocess.run(["unshare", "--mount", "true"], check=False, capture_output=True).returncode == 0


@contextmanager
def node_with_another(folder: Path, address: str) -> Iterator[None]:
    """A node without CPUs joins the cluster, on which `folder` has the same name and other contents."""
    with TemporaryDirectory(prefix="moot") as own:
        mounted = f"mount -t tmpfs none '{folder}' && exec {_start(address, own)}"
        process = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", mounted],
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)


def _start(address: str, own: str) -> str:
    """The command that starts the node, with files of its `own`."""
    ray = Path(sys.executable).with_name("ray")
    ports = ("node-manager-port", "object-manager-port", "min-worker-port", "max-worker-port")
    free = " ".join(f"--{name}=0" for name in ports)
    few = "--num-cpus=0 --object-store-memory=80000000"
    return f"{ray} start --block --address={address} {few} {free} --temp-dir={own}"
