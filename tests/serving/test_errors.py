"""Errors cross processes whole."""

from __future__ import annotations

import pickle
from typing import get_args

import pytest

from serving.errors import (
    AskRefused,
    AuthError,
    BudgetSpent,
    DeadlinePassed,
    EngineDead,
    Kind,
    ModelError,
    Overloaded,
    PromptTooLong,
    QuotaExhausted,
    RateLimited,
    ServingError,
    TransportError,
    Unreached,
    Unusable,
)

ERRORS = [
    ModelError("no such model"),
    AskRefused("not this"),
    TransportError("lost"),
    EngineDead("gone"),
    AuthError("wrong key"),
    QuotaExhausted("no credit"),
    BudgetSpent("5 USD"),
    RateLimited("slow down", 2.5),
    RateLimited("slow down"),
    Overloaded("busy", 1.0),
    DeadlinePassed("no byte"),
    Unreached("nobody there"),
    Unusable("refused all"),
    PromptTooLong("tiny", tokens=900, max_tokens=200, limit=1024),
    PromptTooLong("far", tokens=None, max_tokens=200, limit=None, said="at most 1024"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling(error: ServingError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))


def test_only_what_may_pass_is_tried_again() -> None:
    retriable = {type(error) for error in ERRORS if error.retriable}
    assert retriable == {TransportError, EngineDead, RateLimited, Overloaded, DeadlinePassed}


def test_a_model_is_stopped_by_what_would_meet_every_ask() -> None:
    stopping = {type(error) for error in ERRORS if error.stops_model}
    assert stopping == {
        ModelError,
        AuthError,
        QuotaExhausted,
        BudgetSpent,
        RateLimited,
        Unreached,
        Unusable,
    }


def test_every_error_is_of_a_kind_of_its_own() -> None:
    types = {type(error) for error in ERRORS}
    assert {error.kind for error in types} == set(get_args(Kind))
    assert len({error.kind for error in types}) == len(types)


def test_a_prompt_too_long_says_what_was_found_and_what_is_allowed() -> None:
    message = str(PromptTooLong("tiny", tokens=900, max_tokens=200, limit=1024))
    assert "900 tokens" in message
    assert "at most 824" in message
