"""Model blocks: how a model is declared in an experiment file, told apart by `backend`."""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeFloat,
    PositiveFloat,
    field_validator,
    model_validator,
)

from protocols.answer_format import VERDICTS
from serving.block import Block, Replicas, identity_of
from serving.engine_block import EngineBlock
from serving.jsonl import objects
from serving.published_block import PublishedBlock
from serving.remote_block import RemoteBlock
from serving.reply_table import ScriptedReply, by_place
from serving.serve_block import ServeBlock
from serving.simulated_oversight import Oversight


class VllmBlock(EngineBlock):
    """A vLLM engine per replica, inside the process that opens it."""

    backend: Literal["vllm"]
    replicas: Replicas = 1

    @property
    def least(self) -> int:
        """The replicas that there are at least."""
        return self.replicas

    @property
    def most(self) -> int:
        """The replicas that there are at most."""
        return self.replicas

    @property
    def gpus(self) -> int:
        """GPUs of one replica, where there are any."""
        return self.tensor_parallel


class Lognormal(BaseModel):
    """Seconds, lognormally distributed: `median`, and `sigma`, the standard deviation of their logarithm."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    median: PositiveFloat
    sigma: float = Field(ge=0.0, le=10.0)


class SimulatedBlock(Block):
    """Agents that follow a multinomial logit model of debate (`serving.simulated_logit` states it).

    `theta` is the leaning to each label, and labels it does not name have 0; `phi_sd` the spread of the
    cases' own leanings, drawn from `phi_seed` and shared by all models that name the same; `alpha` the
    pull of the seat's own last label, `gamma_prev` of each other label of the round before,
    `gamma_within` of each label given earlier in this round; `shock_sd` the spread of the debates' own
    leanings, the same for all seats and rounds of one. All are log-odds. With `oversight` questions
    are answered by that instead. `latency` is in seconds.
    """

    backend: Literal["simulated"]
    replicas: Replicas = 1
    theta: dict[str, float] = Field({"NTA": 2.0, "YTA": 1.0, "ESH": 0.5, "NAH": 0.0, "INFO": -1.0})
    phi_sd: NonNegativeFloat = 1.5
    phi_seed: int = 0
    alpha: float = 1.5
    gamma_prev: float = 0.7
    gamma_within: float = 1.5
    shock_sd: NonNegativeFloat = 0.0
    oversight: Oversight | None = None
    latency: NonNegativeFloat | Lognormal = 0.0
    in_flight: int = Field(256, strict=True, ge=1, le=10_000)

    @field_validator("theta")
    @classmethod
    def _known_labels(cls, theta: dict[str, float]) -> dict[str, float]:
        unknown = [label for label in theta if label not in VERDICTS]
        if unknown:
            raise ValueError(f"found the label '{unknown[0]}'; expected some of {', '.join(VERDICTS)}")
        return theta

    def identity(self) -> dict[str, str | None]:
        """What a reply's fingerprint holds of the model: its law, without its speed."""
        apart = {"backend", "replicas", "in_flight", "latency", "oversight"}
        law = self.model_dump(exclude=apart)
        if not self.shock_sd:
            del law["shock_sd"]  # as it was before there was any
        if self.oversight is not None:
            law["oversight"] = blake2b(self.oversight.model_dump_json().encode(), digest_size=16).hexdigest()
        return identity_of(self.backend, json.dumps(law, sort_keys=True, separators=(",", ":")), None)


class ScriptedBlock(Block):
    """Replies from a table: `replies` in the experiment file itself, or `file`, a JSONL file of them.

    The file is read when the block is checked, so the block that travels holds the replies.
    """

    backend: Literal["scripted"]
    replicas: Replicas = 1
    replies: tuple[ScriptedReply, ...] = Field(min_length=1)
    in_flight: int = Field(256, strict=True, ge=1, le=10_000)

    @model_validator(mode="before")
    @classmethod
    def _read_file(cls, block: object) -> object:
        if not isinstance(block, dict) or "file" not in block:
            return block
        if "replies" in block:
            raise ValueError("both 'replies' and 'file' are given; give one of them")
        others = {key: value for key, value in block.items() if key != "file"}
        return {**others, "replies": [row for _, row in objects(Path(str(block["file"])), "replies")]}

    @field_validator("replies")
    @classmethod
    def _distinct(cls, replies: tuple[ScriptedReply, ...]) -> tuple[ScriptedReply, ...]:
        by_place(replies)
        return replies

    def identity(self) -> dict[str, str | None]:
        """What a reply's fingerprint holds of the model: a hash of the table."""
        table = json.dumps([reply.model_dump() for reply in self.replies], sort_keys=True)
        return identity_of(self.backend, blake2b(table.encode(), digest_size=16).hexdigest(), None)


ModelBlock: TypeAlias = Annotated[
    VllmBlock | ServeBlock | RemoteBlock | SimulatedBlock | ScriptedBlock | PublishedBlock,
    Field(discriminator="backend"),
]
