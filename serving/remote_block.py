"""The block of a model behind an OpenAI-compatible API."""

from __future__ import annotations

import json
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PositiveFloat,
    field_validator,
    model_validator,
)

from protocols.dialogue import Sampling
from serving.block import Block, Replicas, SamplingExtra, Temperature, TopP, identity_of
from serving.credentials import check_no_credential
from serving.limits.limits_block import Limits
from serving.price import Price
from serving.remote.key_name import key_name

OPENAI = "https://api.openai.com/v1"
OURS = {
    "model": "model",
    "max_tokens": "max_tokens",
    "max_completion_tokens": "max_tokens",
    "temperature": "temperature",
    "top_p": "top_p",
    "provider": "provider",
}
ROUTES = ("/chat/completions", "/completions", "/responses")
PER_ASK = ("messages", "seed", "response_format", "n", "stream", "stream_options", "tools", "tool_choice")
LOGPROBS = ("logprobs", "top_logprobs")


class Part(BaseModel):
    """A mapping within the block."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)


class Accepts(Part):
    """What the endpoint accepts of a request; the rest is not sent.

    `max_tokens` is the parameter's name there, by default OpenAI's `max_completion_tokens` on its own
    endpoint and `max_tokens` elsewhere. Without `system`, the system text stands at the head of the first
    user message.
    """

    seed: bool = True
    response_format: bool = True
    logprobs: bool = True
    system: bool = True
    temperature: bool = True
    top_p: bool = True
    max_tokens: str | None = Field(None, pattern=r"^[a-z][a-z_]*$")

    @field_validator("max_tokens")
    @classmethod
    def _no_other_field(cls, name: str | None) -> str | None:
        if name is not None and (
            name in (*PER_ASK, *LOGPROBS) or OURS.get(name, "max_tokens") != "max_tokens"
        ):
            raise ValueError(
                f"'{name}' is another field of the request; expected what the endpoint calls the most tokens"
                " of a reply, e.g. max_tokens or max_completion_tokens"
            )
        return name


class Deadlines(Part):
    """Seconds until there is a connection, until the reply's first byte, and until its last.

    By default 10, 120 and 300, and none of them more than `total`.
    """

    connect: PositiveFloat = 10.0
    first_byte: PositiveFloat = 120.0
    total: PositiveFloat = 300.0

    @model_validator(mode="before")
    @classmethod
    def _defaults_within_total(cls, given: object) -> object:
        total = given.get("total") if isinstance(given, dict) else None
        if not isinstance(given, dict) or isinstance(total, bool) or not isinstance(total, int | float):
            return given
        return {"connect": min(10.0, total), "first_byte": min(120.0, total), **given}

    @model_validator(mode="after")
    def _total_is_longest(self) -> Self:
        for name in ("connect", "first_byte"):
            if getattr(self, name) > self.total:
                raise ValueError(
                    f"'{name}' is {getattr(self, name):g} seconds, and 'total' ends the attempt after"
                    f" {self.total:g}; lower '{name}' or raise 'total'"
                )
        return self


def plain_url(url: str) -> str:
    """The address before `/chat/completions`. Raises `ValueError` for anything else."""
    if any(sign.isspace() or not sign.isprintable() for sign in url):
        raise ValueError(f"found white space in the address; expected an address without any, like {OPENAI}")
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna")  # as it will be looked up
        sound = parts.scheme in ("http", "https") and bool(host.strip(b".")) and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        raise ValueError("found no http:// or https:// address with a host; expected one like " + OPENAI)
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            "found a user, a query or a fragment in the address (not repeated here); expected a plain"
            f" address like {OPENAI}, and the key in an environment variable that 'key' names"
        )
    address = url.rstrip("/")
    route = next((route for route in ROUTES if address.endswith(route)), None)
    if route is not None:
        raise ValueError(
            f"found '{url}', which ends in {route}; expected the address before it, for moot adds"
            f" /chat/completions: '{address.removesuffix(route)}'"
        )
    return address


class RemoteBlock(Block):
    """A model behind an OpenAI-compatible API at `base_url`.

    `key` names the environment variable that holds the key, in the process that opens the model; null
    sends none. `sampling_extra` (in the file: `sampling`) holds further parameters of the request body.
    `provider` is passed through as the body's field of that name, by which routers pin who answers.
    `in_flight` and `limits` hold for the model as a whole: each of its `replicas` gets an equal share.
    `context` is the model's, in tokens; a prompt that certainly does not fit is not sent. An answer of more
    than `max_reply_bytes`, packed or unpacked, is a lost one: it is not read to its end.
    """

    backend: Literal["openai"]
    replicas: Replicas = 1
    model: str = Field(min_length=1)
    base_url: Annotated[str, AfterValidator(plain_url)] = OPENAI
    key: Annotated[str | None, key_name] = "OPENAI_API_KEY"
    max_tokens: int = Field(512, strict=True, ge=1, le=1_000_000)
    temperature: Temperature = 1.0
    top_p: TopP = 1.0
    sampling_extra: SamplingExtra = Field({}, alias="sampling")
    accepts: Accepts = Accepts()
    provider: dict[str, JsonValue] = Field({})
    transport: Literal["official", "lean"] = "official"
    in_flight: int = Field(32, strict=True, ge=1, le=10_000)
    limits: Limits = Limits()
    deadlines: Deadlines = Deadlines()
    tries: int = Field(5, strict=True, ge=1, le=100)
    price: Price | None = None
    context: int | None = Field(None, strict=True, ge=1)
    max_reply_bytes: int = Field(16 * 2**20, strict=True, ge=1024, le=2**30)

    @field_validator("sampling_extra")
    @classmethod
    def _not_ours(cls, extra: SamplingExtra) -> SamplingExtra:
        for name in extra:
            if name in OURS:
                raise ValueError(f"'{name}' is set by the block's own key '{OURS[name]}'")
            if name in PER_ASK:
                raise ValueError(f"'{name}' is set for every ask and cannot be declared")
        return extra

    @field_validator("provider", mode="before")
    @classmethod
    def _no_key(cls, provider: object) -> object:
        check_no_credential(provider)
        return provider

    @model_validator(mode="after")
    def _room_for_a_prompt(self) -> Self:
        if self.context is not None and self.context <= self.max_tokens:
            raise ValueError(
                f"'context' is {self.context} and 'max_tokens' {self.max_tokens}, which leaves no room for a"
                " prompt; raise 'context' to what the model has, or lower 'max_tokens'"
            )
        return self

    @model_validator(mode="after")
    def _all_is_sent(self) -> Self:
        if self.accepts.max_tokens in self.sampling_extra:
            raise ValueError(
                f"'{self.accepts.max_tokens}' stands under 'sampling', and under 'accepts' as the name of"
                " 'max_tokens'; leave it out under 'sampling'"
            )
        for name in ("temperature", "top_p"):
            if not getattr(self.accepts, name) and getattr(self, name) != 1.0:
                raise ValueError(
                    f"'{name}' is {getattr(self, name)}, but by 'accepts' it would not be sent; leave it out"
                )
        if self.replicas > self.in_flight:
            raise ValueError(
                f"{self.replicas} replicas share {self.in_flight} in_flight; expected at least one for each"
            )
        return self

    @property
    def address(self) -> str:
        """Where asks are sent."""
        return f"{self.base_url}/chat/completions"

    def sampling(self) -> Sampling:
        """As declared in the block."""
        extra = tuple(sorted(self.sampling_extra.items()))
        return Sampling(self.temperature, self.max_tokens, self.top_p, extra)

    def identity(self) -> dict[str, str | None]:
        """What a reply's fingerprint holds of the model.

        Its `revision` is what else decides who answers and what is read there, as JSON: the `provider`
        pin, and that the endpoint takes no system message or no response format; None without any.
        """
        accepts: dict[str, JsonValue] = {
            name: False for name in ("response_format", "system") if not getattr(self.accepts, name)
        }
        pinned: dict[str, JsonValue] = {"accepts": accepts} if accepts else {}
        pinned |= {"provider": self.provider} if self.provider else {}
        revision = json.dumps(pinned, sort_keys=True, separators=(",", ":")) if pinned else None
        return identity_of(self.backend, self.model, revision, self.base_url)
