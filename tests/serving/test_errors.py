"""Errors cross processes whole."""

from __future__ import annotations

import pickle

import pytest

from serving.errors import AskRefused, EngineDead, ModelError, PromptTooLong, ServingError, TransportError

ERRORS = [
    ModelError("no such model"),
    AskRefused("not this"),
    TransportError("lost"),
    EngineDead("gone"),
    PromptTooLong("tiny", tokens=900, max_tokens=200, limit=1024),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling(error: ServingError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.retriable) == (type(error), str(error), error.retriable)


def test_only_lost_asks_and_dead_engines_may_be_tried_again() -> None:
    assert [type(error) for error in ERRORS if error.retriable] == [TransportError, EngineDead]


def test_a_prompt_too_long_says_what_was_found_and_what_is_allowed() -> None:
    message = str(PromptTooLong("tiny", tokens=900, max_tokens=200, limit=1024))
    assert "900 tokens" in message
    assert "at most 824" in message
