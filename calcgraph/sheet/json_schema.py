"""The keys of a sheet as a JSON Schema (draft 07), for editors; made from ``schema`` alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calcgraph.sheet import schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DRAFT = "http://json-schema.org/draft-07/schema#"
NAME, HEADING = "^[a-z][a-z0-9_]*$", "^[A-Z]"
SCALAR: dict[str, Any] = {"type": ["string", "number", "boolean", "null"]}
TEXT: dict[str, Any] = {"type": ["string", "number", "boolean"]}
FORMULA: dict[str, Any] = {"type": "string", "pattern": "^\\s*="}


def json_schema() -> dict[str, Any]:
    """Give the schema of what this version reads; what it refuses by name is left out."""
    top = {key: text for key, text in schema.TOP.items() if key not in schema.NOT_YET}
    return {
        "$schema": DRAFT,
        "title": "calcgraph sheet",
        "description": "A spreadsheet-like model: inputs, formulas with units, checks, scenarios.",
        "type": "object",
        "required": ["calcgraph"],
        "additionalProperties": False,
        "properties": {key: _described(_section(key), text) for key, text in top.items()},
        "definitions": _definitions(),
    }


def _described(found: dict[str, Any], text: str) -> dict[str, Any]:
    return {"description": text, **found} if text else found


def _section(key: str) -> dict[str, Any]:
    """Give what stands under one top-level key."""
    return {
        "calcgraph": {"const": 1},
        "title": TEXT,
        "description": TEXT,
        "conventions": _keys({"year": "", "month": ""}, TEXT),
        "units": _map("^[A-Za-z][A-Za-z0-9_]*$", TEXT),
        "imports": _map(
            NAME,
            {"anyOf": [{"type": "string"}, _keys({"sheet": "path"}, TEXT, required=["sheet"])]},
        ),
        "tables": _map(NAME, _ref("table")),
        "inputs": _cells("input"),
        "calc": _cells("calc"),
        "checks": {"type": ["array", "null"], "items": _ref("check")},
        "scenarios": _map(NAME, {"type": "object", "additionalProperties": SCALAR}),
        "outputs": {"type": ["array", "null"], "items": TEXT},
        "tests": {"type": ["array", "null"], "items": _ref("test")},
    }[key]


def _definitions() -> dict[str, Any]:
    source = {"anyOf": [TEXT, _keys(schema.SOURCE, TEXT)]}
    about = {"source": _ref("source")}
    column = {"anyOf": [TEXT, _keys(schema.COLUMN, TEXT)]}
    row = {"type": ["array", "object"], "items": SCALAR}
    choices = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}
    expect = _keys(schema.EXPECT, SCALAR, {**about, "verdict": {"const": "wrong"}}, ["value"])
    checks = {"assert": FORMULA, "severity": {"enum": ["error", "warning"]}}
    return {
        "source": source,
        "input": {"anyOf": [SCALAR, _keys(schema.INPUT, SCALAR, {**about, "choices": choices})]},
        "calc": {"anyOf": [FORMULA, _keys(schema.CALC, TEXT, _calc(about), ["formula"])]},
        "figures": {"anyOf": [SCALAR, expect, {"type": "array", "items": _ref("figure")}]},
        "figure": {"anyOf": [SCALAR, expect]},
        "table": _keys(
            _without(schema.TABLE, schema.SERIES_INPUT),
            TEXT,
            {**about, "columns": _map(NAME, column), "rows": _map("^[^*?~]+$", row)},
            ["columns", "rows"],
        ),
        "check": _keys(schema.CHECK, TEXT, checks, ["name", "assert"]),
        "test": _keys(schema.TEST, TEXT, _test(), ["name", "expect"]),
    }


def _calc(about: Mapping[str, Any]) -> dict[str, Any]:
    return {**about, "formula": FORMULA, "expect": _ref("figures")}


def _test() -> dict[str, Any]:
    figures = {"type": "object", "additionalProperties": _ref("figures")}
    return {"set": {"type": "object", "additionalProperties": SCALAR}, "expect": figures}


def _without(keys: Mapping[str, str], left_out: Iterable[str]) -> dict[str, str]:
    return {key: text for key, text in keys.items() if key not in set(left_out)}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/definitions/{name}"}


def _map(pattern: str, value: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": ["object", "null"],
        "patternProperties": {pattern: value},
        "additionalProperties": False,
    }


def _cells(kind: str) -> dict[str, Any]:
    """Cells, and headings over cells."""
    inner = {**_map(NAME, _ref(kind)), "type": "object"}
    found = _map(NAME, _ref(kind))
    found["patternProperties"][HEADING] = inner
    return found


def _keys(
    keys: Mapping[str, str],
    value: dict[str, Any],
    special: Mapping[str, dict[str, Any]] | None = None,
    required: list[str] | None = None,
) -> dict[str, Any]:
    """Give a mapping with a closed set of keys; ``special`` ones have shapes of their own."""
    shapes = special or {}
    found: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {k: _described(shapes.get(k, value), text) for k, text in keys.items()},
    }
    if required:
        found["required"] = required
    return found
