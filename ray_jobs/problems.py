"""What pydantic found wrong, in words for the author of an experiment file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from ray_jobs.located import KeyPath, Located, Problem, dotted, one_of, reading

NOT_ALLOWED = "not_allowed"
SHAPES = {
    "model_type": "a mapping of keys to values",
    "dict_type": "a mapping of names to values",
    "model_attributes_type": "a mapping of keys to values",
}


def not_allowed(allowed: str) -> PydanticCustomError:
    """What a validator of ours raises: it says what is allowed, and the rest is added here."""
    return PydanticCustomError(NOT_ALLOWED, "{allowed}", {"allowed": allowed})


def problems(located: Located, error: ValidationError, model: type[BaseModel]) -> Iterator[Problem]:
    """Every problem in `error`, which arose when `located` was read as a `model`."""
    schema = model.model_json_schema()
    for detail in error.errors(include_url=False):
        yield _problem(located, detail, schema)


def _problem(located: Located, detail: ErrorDetails, schema: Mapping[str, Any]) -> Problem:
    loc, kind, context = detail["loc"], detail["type"], detail.get("ctx", {})
    path = located.path(loc)
    if kind == "extra_forbidden":
        known = _known_keys(schema, loc[:-1])
        return Problem(path, f"the unknown key '{loc[-1]}'", one_of(known, loc[-1]))
    if kind == "missing":
        what = _at(schema, loc[:-1]).get("properties", {}).get(loc[-1], {}).get("description")
        wanted = f"a value for the required {dotted((*path, loc[-1]))}" + (f", {what}" if what else "")
        return Problem(path, f"no key '{loc[-1]}'", wanted)
    if kind == "union_tag_not_found":
        key = str(context["discriminator"]).strip("'")
        tags = [str(mapping) for mapping in _tags(schema, loc)]
        return Problem(path, f"no key '{key}'", f"{key}: {one_of(tags)}")
    if kind == "union_tag_invalid":
        key = str(context["discriminator"]).strip("'")
        tags = [tag.strip("' ") for tag in str(context["expected_tags"]).split(",")]
        return Problem(located.path((*path, key)), f"'{context['tag']}'", one_of(tags, context["tag"]))
    if kind == "value_error":
        return Problem(path, detail["msg"].removeprefix("Value error, "))
    return Problem(path, _found(located, path, detail), _allowed(detail))


def _found(located: Located, path: KeyPath, detail: ErrorDetails) -> str:
    if "[key]" in detail["loc"]:
        return f"the name '{detail['input']}'"
    value, written = located.value(path), located.written.get(path)
    if isinstance(value, dict):
        return f"a mapping with the keys {', '.join(value)}" if value else "an empty mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return repr(value) if len(value) <= 60 else f"{value[:60]!r}..."
    shown = str(value) if written is None else written
    return f"{shown}, which YAML reads as {reading(value)}" if detail["type"] == "string_type" else shown


def _allowed(detail: ErrorDetails) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == NOT_ALLOWED:
        return str(context["allowed"])
    message = SHAPES.get(kind) or detail["msg"].removeprefix("Input should be ")
    if kind == "too_short":
        return f"at least {context['min_length']} of them"
    if kind == "string_type" and isinstance(detail["input"], bool | int | float | date):
        return "text; put it in quotes if it is meant as text"
    if kind == "literal_error":
        options = [option.strip("' ") for option in str(context["expected"]).replace(" or ", ", ").split(",")]
        return one_of(options, detail["input"])
    return message[:1].lower() + message[1:]


def _known_keys(schema: Mapping[str, Any], loc: KeyPath) -> list[str]:
    """The keys of the mapping at `loc`, a location as pydantic gives it, tags of unions included."""
    return list(_at(schema, loc).get("properties", ()))


def _tags(schema: Mapping[str, Any], loc: KeyPath) -> list[str]:
    return list(_at(schema, loc).get("discriminator", {}).get("mapping", ()))


def _at(schema: Mapping[str, Any], loc: KeyPath) -> Mapping[str, Any]:
    at = _plain(schema, schema)
    for part in loc:
        mapping = at.get("discriminator", {}).get("mapping", {})
        if part in mapping:
            at = {"$ref": mapping[part]}
        elif part in at.get("properties", {}):
            at = at["properties"][part]
        else:
            below = at.get("items" if isinstance(part, int) else "additionalProperties")
            at = below if isinstance(below, dict) else {}
        at = _plain(schema, at)
    return at


def _plain(schema: Mapping[str, Any], at: Mapping[str, Any]) -> Mapping[str, Any]:
    """`at` with references followed and the alternative null left out."""
    if "$ref" in at:
        name = at["$ref"].removeprefix("#/$defs/")
        return _plain(schema, schema["$defs"][name])
    options = [option for option in at.get("anyOf", ()) if option.get("type") != "null"]
    return _plain(schema, options[0]) if len(options) == 1 else at
