"""A frozen experiment reads back as itself, through JSON and through YAML, whatever its keys hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from ray_jobs.budget import Budget
from ray_jobs.case_block import CaseFile
from ray_jobs.design_block import Design
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.stage_block import Judges, Labels, StageBlock
from serving.blocks import Lognormal, ScriptedBlock, SimulatedBlock, VllmBlock
from serving.limits.limits_block import CircuitLimits, Limits
from serving.price import Price
from serving.published_block import PublishedBlock
from serving.remote_block import Accepts, Deadlines, RemoteBlock
from serving.reply_table import ScriptedReply
from serving.serve_block import Place, Scale, ServeBlock
from serving.simulated_known import Known
from serving.simulated_oversight import Confidence, Oversight

T = TypeVar("T")
Values = dict[str, st.SearchStrategy[Any]]

SOME = st.integers(1, 9)
PLUS = st.floats(0.125, 2.0, width=16)
SHARE = st.floats(0.125, 0.875, width=16)
WORD = st.sampled_from(["", "no", "null", "1e3", "ä: #", "line\nline"])
FREE = st.dictionaries(WORD, st.none() | st.booleans() | SOME | WORD | st.lists(WORD, max_size=2), max_size=2)
SAMPLING = st.dictionaries(st.sampled_from(["top_k", "min_p"]), SOME | PLUS, max_size=2)


def maybe(values: st.SearchStrategy[T]) -> st.SearchStrategy[T | None]:
    """Such a value, or null."""
    return st.none() | values


def mapping(needed: Values, others: Values) -> st.SearchStrategy[dict[str, Any]]:
    """A mapping with the needed keys, and any of the others."""
    return st.fixed_dictionaries(needed, optional=others)


PRICE: tuple[Values, Values] = ({"input": PLUS, "output": PLUS}, {"cached": maybe(PLUS)})
CIRCUIT: tuple[Values, Values] = (
    {},
    {"failures": SHARE, "window": SOME, "cooldown": PLUS, "longest": st.just(99.0)},
)
LIMITS: tuple[Values, Values] = (
    {"requests_per_minute": SOME},
    {
        "tokens_per_minute": maybe(SOME),
        "burst": maybe(SOME),
        "start": SOME,
        "cut_to": SHARE,
        "cut_cooldown": PLUS,
        "circuit": mapping(*CIRCUIT),
        "patience": PLUS,
        "unreached": PLUS,
    },
)
DEADLINES: tuple[Values, Values] = ({}, {"connect": PLUS, "first_byte": st.just(3.0), "total": st.just(4.0)})
ACCEPTS: tuple[Values, Values] = (
    {},
    {
        **{name: st.booleans() for name in ("seed", "response_format", "logprobs", "system")},
        **{name: st.booleans() for name in ("temperature", "top_p")},
        "max_tokens": maybe(st.just("most")),
    },
)
REMOTE: tuple[Values, Values] = (
    {"backend": st.just("openai"), "model": st.just("m")},
    {
        "base_url": st.sampled_from(["http://host:1/v1", "https://h/v1/"]),
        "key": maybe(st.just("OTHER_KEY")),
        "max_tokens": SOME,
        "temperature": st.just(1.0),
        "top_p": st.just(1.0),
        "sampling": SAMPLING,
        "accepts": mapping(*ACCEPTS),
        "provider": FREE,
        "transport": st.sampled_from(["official", "lean"]),
        "in_flight": st.integers(9, 20),
        "replicas": SOME,
        "limits": mapping(*LIMITS),
        "deadlines": mapping(*DEADLINES),
        "tries": SOME,
        "price": maybe(mapping(*PRICE)),
        "context": maybe(st.just(9_999)),
        "max_reply_bytes": st.just(4_096),
    },
)
VLLM: tuple[Values, Values] = (
    {"backend": st.just("vllm"), "model": st.just("org/m")},
    {
        "revision": maybe(WORD),
        "max_tokens": SOME,
        "temperature": PLUS,
        "top_p": SHARE,
        "sampling": SAMPLING,
        "tensor_parallel": SOME,
        "in_flight": maybe(SOME),
        "replicas": SOME,
        "tokens_per_second": maybe(PLUS),
        "engine": st.dictionaries(
            st.sampled_from(["quantization", "max_model_len", "seed"]), maybe(SOME), max_size=3
        ),
    },
)
SCALE: tuple[Values, Values] = ({"min": st.just(1), "max": SOME}, {})
PLACE: tuple[Values, Values] = (
    {"url": st.just("http://host:8000/m/v1")},
    {"name": maybe(st.just("other")), "application": st.none()},
)
SERVE: tuple[Values, Values] = (
    {"backend": st.just("serve"), "model": st.just("org/m")},
    {
        **{name: values for name, values in VLLM[1].items() if name != "sampling"},
        "sampling": st.dictionaries(st.just("top_k"), SOME, max_size=1),
        "replicas": SOME | mapping(*SCALE),
        "pipeline_parallel": SOME,
        "serve": maybe(mapping(*PLACE)),
        "start_seconds": PLUS,
        "reply_seconds": PLUS,
        "tries": SOME,
    },
)
LOGNORMAL: tuple[Values, Values] = ({"median": PLUS, "sigma": PLUS}, {})
CHANCE = st.floats(0, 1)
KNOWN: tuple[Values, Values] = ({"truth": WORD.filter(bool)}, {"right": maybe(CHANCE)})
CONFIDENCE: tuple[Values, Values] = ({}, dict.fromkeys(("right", "wrong"), st.just([0.5, 0.25, 0.25])))
OVERSIGHT: tuple[Values, Values] = (
    {"knows": st.dictionaries(WORD, mapping(*KNOWN), min_size=1, max_size=2)},
    {
        **dict.fromkeys(("right", "adopts_right", "adopts_wrong", "states_wrongly", "outside"), CHANCE),
        **dict.fromkeys(("unreadable", "follows", "q", "outside_judge"), CHANCE),
        "confidence": mapping(*CONFIDENCE),
    },
)
SIMULATED: tuple[Values, Values] = (
    {"backend": st.just("simulated")},
    {
        "theta": st.dictionaries(st.sampled_from(["NTA", "INFO"]), PLUS),
        **dict.fromkeys(("phi_sd", "alpha", "gamma_prev", "gamma_within", "shock_sd"), PLUS),
        "phi_seed": SOME,
        "oversight": maybe(mapping(*OVERSIGHT)),
        "latency": PLUS | mapping(*LOGNORMAL),
        "in_flight": SOME,
        "replicas": SOME,
    },
)
REPLY: tuple[Values, Values] = (
    {"text": WORD},
    {
        "case_id": st.sampled_from(["*", "x"]),
        "seat": st.sampled_from(["*", "seat1"]),
        "round": st.just("*") | SOME,
        "finish_reason": st.sampled_from(["stop", "length"]),
        "reasoning": WORD,
    },
)
SCRIPTED: tuple[Values, Values] = (
    {"backend": st.just("scripted"), "replies": st.lists(mapping(*REPLY), min_size=1, max_size=1)},
    {"in_flight": SOME, "replicas": SOME},
)
PUBLISHED: tuple[Values, Values] = (
    {"backend": st.just("published"), "model": st.just("GPT-4.1")},
    {"in_flight": st.just(1), "replicas": SOME},
)
PROTOCOL = st.sampled_from(["solo", {"synchronous": {"stop": "never"}}, {"round_robin": {"orders": [[1]]}}])
STEERING = st.sampled_from(["none", ["default", ["none"]], ["value:care"]])
ANSWER = st.sampled_from(["text", ["json", "text"]])
LABELS = st.sampled_from(["fixed", "crossed"])
LISTING = st.sampled_from(["given", "crossed"])
SWAP = st.sampled_from([True, "crossed"])
DESIGN: tuple[Values, Values] = (
    {"panels": st.just([["a"]]), "protocols": st.lists(PROTOCOL, min_size=1, max_size=2)},
    {
        **{"steering": maybe(STEERING), "answer": maybe(ANSWER), "labels": maybe(LABELS)},
        **{"listing": maybe(LISTING), "stance_swap": maybe(SWAP), "rounds": maybe(SOME)},
    },
)
JUDGES: tuple[Values, Values] = (
    {"models": st.just(["a"])},
    {
        "passes": SOME,
        "sees": st.sampled_from(["positions", "nothing"]),
        "answer": st.just("json"),
        "display": st.sampled_from(["given", "crossed"]),
        "answers": st.just("winner"),
    },
)
LABELLERS: tuple[Values, Values] = (
    {"models": st.just(["a"])},
    {"passes": SOME, "values": st.just("value,definition\ncare,Somebody is looked after.\n")},
)
STAGE: tuple[Values, Values] = (
    {"name": st.just("s")},
    {
        "from": st.just("debate"),
        "keep": st.sampled_from(["consensus", "one_right"]),
        "steering": maybe(STEERING),
        "stance_swap": SWAP,
        "protocols": maybe(st.just(["synchronous"])),
        "rounds": maybe(SOME),
        "judges": maybe(mapping(*JUDGES) | st.just(["a"])),
        "labels": maybe(mapping(*LABELLERS) | st.just(["a"])),
    },
)
CASES: tuple[Values, Values] = (
    {},
    {
        "file": maybe(st.just("cases.jsonl")),
        **{key: maybe(st.just("some")) for key in ("dataset", "config", "split", "revision")},
        "format": maybe(st.just("gpqa")),
        "limit": maybe(SOME),
        "columns": st.just({"id": "number"}),
    },
)
BUDGET: tuple[Values, Values] = ({"usd": PLUS}, {"tokens": maybe(SOME)})
MODEL = st.one_of(mapping(*block) for block in (REMOTE, VLLM, SERVE, SIMULATED, SCRIPTED, PUBLISHED))
STUDY: tuple[Values, Values] = (
    {"name": st.just("study"), "cases": mapping(*CASES), "models": st.fixed_dictionaries({"a": MODEL})},
    {
        "designs": maybe(st.lists(mapping(*DESIGN), min_size=1, max_size=2)),
        "panels": maybe(st.just([["a"]])),
        "protocols": maybe(st.lists(PROTOCOL, min_size=1, max_size=1)),
        "steering": STEERING,
        "answer": ANSWER,
        "labels": LABELS,
        "listing": LISTING,
        "stance_swap": SWAP,
        "rounds": SOME,
        "stages": st.lists(mapping(*STAGE), max_size=1),
        "repetitions": SOME,
        "seed": SOME,
        "prompts": st.dictionaries(st.just("task"), WORD),
        "sources": st.sampled_from([{}, {"777558f0": {"file": "own.py", "text": "A = 1\n"}}]),
        "budget": maybe(mapping(*BUDGET)),
    },
)
BLOCKS: dict[type[BaseModel], tuple[Values, Values]] = {
    Price: PRICE,
    CircuitLimits: CIRCUIT,
    Limits: LIMITS,
    Deadlines: DEADLINES,
    Accepts: ACCEPTS,
    RemoteBlock: REMOTE,
    VllmBlock: VLLM,
    Scale: SCALE,
    Place: PLACE,
    ServeBlock: SERVE,
    Lognormal: LOGNORMAL,
    Known: KNOWN,
    Confidence: CONFIDENCE,
    Oversight: OVERSIGHT,
    SimulatedBlock: SIMULATED,
    ScriptedReply: REPLY,
    ScriptedBlock: SCRIPTED,
    PublishedBlock: PUBLISHED,
    Design: DESIGN,
    Judges: JUDGES,
    Labels: LABELLERS,
    StageBlock: STAGE,
    CaseFile: CASES,
    Budget: BUDGET,
    Experiment: STUDY,
}


def through_files(experiment: Experiment) -> Iterator[Experiment]:
    """The experiment thawed again from each form in which it is kept."""
    frozen = experiment.frozen()
    yield Experiment.thawed(json.loads(json.dumps(frozen)))
    yield Experiment.thawed(yaml.safe_load(yaml.safe_dump(frozen, sort_keys=False, allow_unicode=True)))


@given(mapping(*STUDY))
def test_a_frozen_experiment_reads_back_as_itself(keys: dict[str, Any]) -> None:
    experiment = Experiment.thawed(keys)
    for thawed in through_files(experiment):
        assert thawed.model_dump() == experiment.model_dump()
        assert thawed.identities() == experiment.identities()
        assert thawed.frozen() == experiment.frozen()


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.__name__)
def test_every_key_of_every_block_is_tried(block: type[BaseModel]) -> None:
    needed, others = BLOCKS[block]
    assert {
        field.alias or name for name, field in block.model_fields.items()
    } == needed.keys() | others.keys()


def test_playing_what_a_run_has_kept_sends_no_key_where_none_was_sent(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").touch()
    file = tmp_path / "study.yaml"
    file.write_text(
        "name: study\ncases: {file: cases.jsonl}\n"
        "models: {a: {backend: openai, model: m, base_url: 'http://host/v1', key: null}}\n"
        "panels: [[a]]\nprotocols: [solo]\n"
    )
    kept = tmp_path / "experiment.yaml"
    kept.write_text(yaml.safe_dump(load_experiment(file).frozen()))
    block = load_experiment(kept).models["a"]
    assert isinstance(block, RemoteBlock)
    assert block.key is None
