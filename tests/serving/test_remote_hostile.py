"""Both transports against answers made to break them: bounded, decoded as JSON is, and without the key."""

from __future__ import annotations

import asyncio
import gzip
import json
import tracemalloc
import zlib
from collections.abc import Callable

import pytest

from protocols.dialogue import Ask, Reply
from serving.errors import ServingError
from serving.remote.backend import Remote
from serving.remote.key import Key
from serving.remote_block import RemoteBlock
from tests.serving.raw_server import answer, raw_server, reply

WriteAsk = Callable[..., Ask]
Outcome = Reply | ServingError

KEY = "sk-Pl4nted+Key/0123456789=abcdef"
MIB = 2**20


@pytest.fixture(params=["official", "lean"])
def outcomes(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, write_ask: WriteAsk
) -> Callable[..., list[Outcome]]:
    """What one attempt comes to, for each of the answers."""
    monkeypatch.setenv("STUDY_KEY", KEY)
    block = {"backend": "openai", "model": "m", "key": "STUDY_KEY", "tries": 1}
    limits = {"patience": 0.1, "circuit": {"failures": 1.0, "window": 1000}}

    async def one(client: Remote) -> Outcome:
        try:
            return await client.answer(write_ask())
        except ServingError as error:
            return error

    def play(*answers: bytes, **keys: object) -> list[Outcome]:
        async def story() -> list[Outcome]:
            sending = iter(answers)
            async with raw_server(lambda: next(sending)) as url:
                read = {**block, "base_url": url, "transport": request.param, "limits": limits, **keys}
                client = Remote(RemoteBlock.model_validate(read), Key.read("STUDY_KEY"))
                try:
                    return [await one(client) for _ in answers]
                finally:
                    await client.close()

        return asyncio.run(story())

    return play


Outcomes = Callable[..., list[Outcome]]


def kind(outcome: Outcome) -> str:
    return outcome.text if isinstance(outcome, Reply) else outcome.kind


def test_no_charset_is_believed(outcomes: Outcomes) -> None:
    names = "idna hex base64 rot13 zlib undefined punycode utf-7 unicode_escape nope é".split()
    sound = [answer(reply(), content=f"application/json; charset={name}") for name in names]
    broken = [answer({"error": {}}, 500, content=f"application/json; charset={name}") for name in names]
    assert [kind(each) for each in outcomes(*sound)] == ["NTA"] * len(names)
    assert [kind(each) for each in outcomes(*broken)] == ["overloaded"] * len(names)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_json_is_read_in_every_encoding_that_json_has(encoding: str, outcomes: Outcomes) -> None:
    text = json.dumps(reply("Schöne Grüße 🙂"), ensure_ascii=False)
    [outcome] = outcomes(answer(text.encode(encoding)))
    assert kind(outcome) == "Schöne Grüße 🙂"


def test_what_python_cannot_read_is_an_error_of_its_kind(outcomes: Outcomes) -> None:
    """Nested too deep, numbers too long, dates of no calendar, bytes that are no text."""
    hostile = {
        answer("[" * 200_000): "transient",
        answer('{"a":' * 100_000, 500): "overloaded",
        answer('{"choices":' + "1" * 5000 + "}"): "transient",
        answer(b"\xff\xfe\xfa\x00\xd8"): "transient",
        answer(b"\xd8" * 7, 500): "overloaded",
    }
    for date in ("99999999999999999999 Oct 2015 07:28:00 GMT", "21 Oct 2015 07:28:00 +99999999999999999999"):
        hostile[answer({"error": {}}, 429, Retry_After=f"Wed, {date}")] = "rate_limited"
    assert [kind(each) for each in outcomes(*hostile)] == list(hostile.values())


def test_a_packed_reply_is_unpacked(outcomes: Outcomes) -> None:
    data = json.dumps(reply()).encode()
    packed = [
        answer(gzip.compress(data), Content_Encoding="gzip"),
        answer(zlib.compress(data), Content_Encoding="Deflate"),
        answer(gzip.compress(zlib.compress(data)), Content_Encoding="deflate, gzip"),
        answer(gzip.compress(data)[:-12], Content_Encoding="gzip"),
        answer(data, Content_Encoding="gzip"),
    ]
    assert [kind(each) for each in outcomes(*packed)] == ["NTA"] * 3 + ["transient"] * 2


def test_a_reply_above_its_bound_is_lost_and_never_held(outcomes: Outcomes) -> None:
    """Three MiB plain, and 64 packed, where one is allowed; what is just within it is read."""
    packing = zlib.compressobj(9)
    bomb = b"".join(packing.compress(b"A" * MIB) for _ in range(64)) + packing.flush()
    hostile = [
        answer(bomb, Content_Encoding="deflate"),
        answer(bomb, 500, Content_Encoding="deflate"),
        answer(b" " * 3 * MIB),
    ]
    room = MIB - len(json.dumps(reply("")))
    tracemalloc.start()
    try:
        fitting, *lost = outcomes(answer(reply("A" * room)), *hostile, max_reply_bytes=MIB)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    for outcome in lost:
        assert kind(outcome) == "transient"
        assert "1048576 bytes that max_reply_bytes allows" in str(outcome)
    assert kind(fitting) == "A" * room
    assert peak < 24 * MIB


def escaped(write: Callable[[str], str]) -> str:
    return "".join(map(write, KEY))


DISGUISES = {
    "plain": KEY,
    "one escape": KEY.replace("-", r"\u002d"),
    "all escaped": escaped(lambda sign: f"\\u{ord(sign):04X}"),
    "solidus": KEY.replace("/", r"\/"),
    "JSON in JSON": escaped(lambda sign: f"\\\\u{ord(sign):04x}"),
    "address": KEY.replace("+", "%2B").replace("/", "%2f"),
    "entities": KEY.replace("+", "&#43;").replace("=", "&#x3D;"),
    "wide": "\\u0000".join(KEY),
}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_the_key_is_told_in_no_disguise(disguise: str, encoding: str, outcomes: Outcomes) -> None:
    bodies = [
        ('{"error": {"message": "bad %s", "code": "%s"}}', 400),
        ('{"error": {"message": "bad %s"}}', 401),
        ('{"choices": [{"finish_reason": "stop", "message": {"content": "%s", "reasoning": "%s"}}]}', 200),
        ('{"choices": [], "model": "%s"}', 200),
        ('{"choices": [{"finish_reason": "stop", "message": {}}], "model": "%s", "provider": "%s"}', 200),
        ('{"choices": "%s"', 200),
        ("<html>%s</html>", 400),
        ("bad %s", 400),
    ]
    answers = [
        answer(body.replace("%s", disguise).encode(encoding), status, content="text/plain; charset=utf-16-le")
        for body, status in bodies
    ]
    told = "".join(repr(each) + str(each) for each in outcomes(*answers))
    assert "[key]" in told
    for hidden in (KEY, disguise, "Pl4nted", "0123456789=abcdef"):
        assert hidden not in told
        assert hidden not in told.replace("\\x00", "").replace("\\\\", "\\")


def test_a_key_in_pieces_is_put_together_by_nobody(outcomes: Outcomes) -> None:
    parts = [{"type": "text", "text": KEY[:9]}, {"type": "text", "text": KEY[9:]}]
    [outcome] = outcomes(answer({"choices": [{"finish_reason": "stop", "message": {"content": parts}}]}))
    assert kind(outcome) == "[key]"


def test_a_redirection_to_nowhere_is_no_end_of_the_model(outcomes: Outcomes) -> None:
    empty = outcomes(answer(b"", 304), answer(b"", 302), answer(b"", 302, Location="http://login.invalid/"))
    assert [kind(each) for each in empty] == ["transient"] * 3
    assert all(f"HTTP {status}" in str(each) for status, each in zip((304, 302, 302), empty, strict=True))
