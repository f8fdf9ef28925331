"""What nodes have seen becomes one message for each thing that is wrong, with the nodes by name."""

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from packaging.specifiers import SpecifierSet

from ray_jobs.cluster.capacity import Capacity
from ray_jobs.cluster.findings import Finding, refuse
from ray_jobs.cluster.judging import GIB, Judging
from ray_jobs.cluster.sight import Search, Sight
from ray_jobs.cluster.survey import Surveyed
from ray_jobs.located import ExperimentError
from serving.blocks import ModelBlock, VllmBlock

LOCK = {
    "ray": SpecifierSet("==2.60.0"),
    "python": SpecifierSet(">=3.11,<3.12"),
    "vllm": SpecifierSet("==0.32.0"),
}
VERSIONS = {"python": "3.11.9", "ray": "2.60.0", "vllm": "0.32.0"}
WELL = Sight(VERSIONS, True, None, {}, (), {"run directory": 90 * GIB, "models folder": 90 * GIB})
SEARCH = Search("/shared/run", "lease/.seen", {"m": "/models/m"}, ("SOME_KEY",))
BLOCKS: Mapping[str, ModelBlock] = {"m": VllmBlock(backend="vllm", model="/models/m")}


def judged(*sights: Sight | None, gpus: tuple[int, ...] = (1, 1, 1)) -> list[Finding]:
    """What is made of what the nodes a, b, … have seen; each has a GPU unless `gpus` says otherwise."""
    resources = [{"CPU": 4.0, "GPU": float(count)} for count in gpus]
    nodes = [
        Surveyed(name, has, sight, "" if sight else "it has not answered within 90 s")
        for name, has, sight in zip("abc", resources, sights, strict=False)
    ]
    return list(Judging(nodes, SEARCH, Capacity(tuple(resources), tuple(resources)), BLOCKS, LOCK).findings())


def only_failure(findings: list[Finding]) -> str:
    [failed] = [finding for finding in findings if finding.level == "fail"]
    return str(failed)


def test_nodes_that_see_everything_are_well() -> None:
    assert {finding.level for finding in judged(WELL, WELL)} == {"ok"}


@pytest.mark.parametrize(
    ("sight", "message"),
    [
        (
            replace(WELL, blind="not seen"),
            r"run directory /shared/run: on b: not seen; give a folder that all",
        ),
        (
            replace(WELL, vllm=False),
            r"model 'm': vLLM is not installed on b; install moot there with its extra",
        ),
        (replace(WELL, missing={"m": "no such folder"}), r"model 'm': on b: no such folder; put it there"),
        (replace(WELL, unset=("SOME_KEY",)), r"key SOME_KEY: not set on b; .* moot sends no secret"),
        (
            replace(WELL, free={"run directory": GIB // 2, "models folder": 90 * GIB}),
            r"run directory: .* on b",
        ),
        (None, r"node b: it has not answered within 90 s; mend the node, or take it away"),
    ],
)
def test_what_is_wrong_on_one_node_is_one_message_that_names_it(sight: Sight | None, message: str) -> None:
    assert re.search(message, only_failure(judged(WELL, sight, WELL)))


def test_a_gated_model_that_no_token_opens_is_warned_of() -> None:
    search = replace(SEARCH, gated={"m": "org/gated"})
    nodes = [Surveyed("a", {"GPU": 1.0}, replace(WELL, locked=("m",))), Surveyed("b", {"GPU": 1.0}, WELL)]
    capacity = Capacity(tuple(node.resources for node in nodes), tuple(node.resources for node in nodes))
    [warned] = [
        each for each in Judging(nodes, search, capacity, BLOCKS, LOCK).findings() if each.level != "ok"
    ]
    assert warned.level == "warn"
    assert "'org/gated' is gated, and a has neither it nor a token of the hub" in warned.found
    assert "accept its terms on https://huggingface.co/org/gated, and set HF_TOKEN" in warned.do


def test_nodes_of_different_versions_of_ray_are_refused() -> None:
    older = replace(WELL, versions={**VERSIONS, "ray": "2.40.0"})
    failed = [str(finding) for finding in judged(WELL, older) if finding.level == "fail"]
    assert failed[0].startswith("versions on b: python 3.11.9, ray 2.40.0")
    assert "moot is made for ray==2.60.0" in failed[0]
    assert failed[1].startswith("ray: nodes have different versions: 2.40.0, 2.60.0; start all nodes")


def test_another_engine_than_the_locks_is_warned_of() -> None:
    other = replace(WELL, versions={**VERSIONS, "vllm": "0.33.0"})
    [warned] = [finding for finding in judged(other) if finding.level == "warn"]
    assert "moot is made for vllm==0.32.0" in warned.do


def test_nodes_that_will_host_no_engine_need_neither_vllm_nor_model() -> None:
    bare = replace(WELL, vllm=False, missing={"m": "no such folder"}, free={"run directory": 90 * GIB})
    assert {finding.level for finding in judged(bare, WELL, gpus=(0, 1))} == {"ok"}


def test_everything_that_is_wrong_is_refused_at_once_and_warnings_are_told() -> None:
    told: list[str] = []
    findings = [Finding("warn", "a", "b", "c"), Finding("fail", "d", "e"), Finding("fail", "f", "g", "h")]
    with pytest.raises(ExperimentError, match=r"^d: e\nf: g; h$"):
        refuse(findings, told.append)
    assert told == ["a: b; c"]
