"""What is to be made of what the nodes of a cluster have seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from packaging.specifiers import SpecifierSet

from ray_jobs.cluster.capacity import Capacity
from ray_jobs.cluster.findings import Finding, Level
from ray_jobs.cluster.pins import version_findings
from ray_jobs.cluster.sight import MODELS, RUN, Search
from ray_jobs.cluster.survey import Surveyed
from ray_jobs.needs import needs_of
from serving.blocks import ModelBlock
from serving.catalogue import HUB_NAME
from serving.engine_block import EngineBlock

GIB = 2**30


class Judging:
    """Of what nodes have seen in a `search`, on a cluster of this capacity, for these models."""

    def __init__(
        self,
        nodes: Sequence[Surveyed],
        search: Search,
        capacity: Capacity,
        blocks: Mapping[str, ModelBlock],
        locked: Mapping[str, SpecifierSet],
    ) -> None:
        self._search, self._capacity, self._blocks, self._locked = search, capacity, blocks, locked
        self._silent = [node for node in nodes if node.sight is None]
        self._seen = [(node, node.sight) for node in nodes if node.sight is not None]

    def findings(self) -> Iterator[Finding]:
        """All there is to say, by subject; each subject names the nodes that it is about."""
        for node in self._silent:
            yield Finding("fail", f"node {node.name}", node.error, "mend the node, or take it away")
        yield from self._versions()
        yield from self._run_directory()
        for name in self._search.models:
            yield from self._model(name)
        yield from self._keys()
        yield from self._disks()

    def _versions(self) -> Iterator[Finding]:
        """One finding for all nodes of the same versions; Ray and Python must be the same everywhere."""
        alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
        for node, sight in self._seen:
            alike.setdefault(tuple(sight.versions.items()), []).append(node.name)
        for versions, names in alike.items():
            yield from version_findings(f"on {_named(names)}", dict(versions), self._locked)
        for package in ("python", "ray"):
            found = {dict(versions).get(package, "none") for versions in alike}
            if len(found) > 1:
                told = f"nodes have different versions: {', '.join(sorted(found))}"
                yield Finding("fail", package, told, "start all nodes from images of one version")

    def _run_directory(self) -> Iterator[Finding]:
        if self._search.run is None:
            return
        blind = {node.name: sight.blind for node, sight in self._seen if sight.blind}
        what = f"run directory {self._search.run}"
        if not blind:
            count = f"{len(self._seen)} nodes" if len(self._seen) > 1 else "the one node"
            yield Finding("ok", what, f"read and written on {count}")
            return
        do = "give a folder that all nodes share, or an address such as s3://BUCKET/FOLDER, with --out"
        for reason in dict.fromkeys(blind.values()):
            names = [name for name, why in blind.items() if why == reason]
            yield Finding("fail", what, f"on {_named(names)}: {reason}", do)

    def _model(self, name: str) -> Iterator[Finding]:
        """Of a model that runs on the cluster: whether each node that may be given it has what it takes."""
        block = self._blocks[name]
        hosts = [(node, sight) for node, sight in self._seen if self._hosts(node, name)]
        what = f"model '{name}'"
        if bare := [node.name for node, sight in hosts if not sight.vllm]:
            do = "install moot there with its extra 'gpu' or 'cpu', or take an image that has it"
            yield Finding("fail", what, f"vLLM is not installed on {_named(bare)}", do)
        missing = {node.name: sight.missing[name] for node, sight in hosts if name in sight.missing}
        for reason in dict.fromkeys(missing.values()):
            names = [node for node, why in missing.items() if why == reason]
            do = "put it there on every such node, or on a disk that they share"
            yield Finding("fail", what, f"on {_named(names)}: {reason}", do)
        if locked := [node.name for node, sight in hosts if name in sight.locked]:
            model = self._search.gated[name]
            found = f"'{model}' is gated, and {_named(locked)} has neither it nor a token of the hub"
            do = (
                f"accept its terms on https://huggingface.co/{model}, and set HF_TOKEN in the environment in"
                " which the nodes start Ray"
            )
            yield Finding("warn", what, found, do)
        if hosts and not bare and not missing and not locked and isinstance(block, EngineBlock):
            where = "from the hub" if HUB_NAME.fullmatch(block.model) else "there"
            nodes = f"{len(hosts)} node{'s' if len(hosts) > 1 else ''}"
            yield Finding("ok", what, f"'{block.model}', {where}, for engines on {nodes}")

    def _hosts(self, node: Surveyed, model: str) -> bool:
        """Whether a replica of the model may be put on the node."""
        needs = needs_of({model: self._blocks[model]}, self._capacity.gpus)
        return all(node.resources.get(need.resource, 0) >= need.each for need in needs)

    def _keys(self) -> Iterator[Finding]:
        for variable in self._search.variables:
            without = [node.name for node, sight in self._seen if variable in sight.unset]
            if not without:
                yield Finding("ok", f"key {variable}", "set on every node")
                continue
            do = "set it in the environment in which the nodes start Ray; moot sends no secret to a cluster"
            yield Finding("fail", f"key {variable}", f"not set on {_named(without)}", do)

    def _disks(self) -> Iterator[Finding]:
        """Whether there is room for the run where it is on a disk, and for models where engines may be."""
        runs = [(node.name, sight.free[RUN]) for node, sight in self._seen if RUN in sight.free]
        hosts = [
            (node.name, sight.free[MODELS])
            for node, sight in self._seen
            if any(self._hosts(node, name) for name in self._search.models)
        ]
        yield from _disk(RUN, runs, least=1 * GIB, enough=10 * GIB)
        yield from _disk(MODELS, hosts, least=0, enough=20 * GIB)


def _disk(what: str, free: Sequence[tuple[str, int]], least: int, enough: int) -> Iterator[Finding]:
    """Of bytes free by node: below `least` a run cannot go well, below `enough` it may not."""
    if not free:
        return
    scarce, smallest = [name for name, size in free if size < enough], min(size for _, size in free)
    level: Level = "fail" if smallest < least else "warn" if scarce else "ok"
    where = f" on {_named(scarce)}" if scarce else ""
    do = "make room" if scarce else ""
    yield Finding(level, f"disk of the {what}", f"at least {smallest / GIB:,.0f} GiB free{where}", do)


def _named(names: Iterable[str]) -> str:
    """Nodes by name, the first few of many."""
    known = list(names)
    more = f" and {len(known) - 3} more" if len(known) > 3 else ""
    return f"{', '.join(known[:3])}{more}"
