"""The keys of a sheet as a JSON Schema (draft 07), for editors; made from ``schema`` alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calcgraph.sheet import schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DRAFT = "http://json-schema.org/draft-07/schema#"
NAME, HEADING = "^[a-z][a-z0-9_]*$", "^[A-Z]"
FULL_NAME = "[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*"
CELL = f"^[a-z][a-z0-9_]*( *\\[ *{FULL_NAME}( *, *{FULL_NAME})* *\\])?$"
ADDRESS = f"^{FULL_NAME}(\\[.+\\](\\.[a-z][a-z0-9_]*)?)?$"
LABEL = "^[^*?~]+$"
SCALAR: dict[str, Any] = {"type": ["string", "number", "boolean", "null"]}
_INPUT = {**schema.INPUT, **schema.SERIES_INPUT}
TEXT: dict[str, Any] = {"type": ["string", "number", "boolean"]}
FORMULA: dict[str, Any] = {"type": "string", "pattern": "^\\s*="}


def json_schema() -> dict[str, Any]:
    """Build the JSON schema of the sheets that this version reads."""
    return {
        "$schema": DRAFT,
        "title": "calcgraph sheet",
        "description": "A spreadsheet-like model: inputs, formulas with units, checks, scenarios.",
        "type": "object",
        "required": ["calcgraph"],
        "additionalProperties": False,
        "properties": {key: _described(_section(key), text) for key, text in schema.TOP.items()},
        "definitions": _definitions(),
    }


def _described(found: dict[str, Any], text: str) -> dict[str, Any]:
    return {"description": text, **found} if text else found


def _section(key: str) -> dict[str, Any]:
    """Build the schema of one top-level key."""
    return {
        "calcgraph": {"const": 1},
        "title": TEXT,
        "description": TEXT,
        "conventions": _keys({"year": "", "month": ""}, TEXT),
        "units": _map("^[A-Za-z][A-Za-z0-9_]*$", TEXT),
        "imports": _map(NAME, _ref("import")),
        "dims": _map(NAME, _ref("dim")),
        "tables": _map(NAME, _ref("table")),
        "inputs": _cells("input"),
        "calc": _cells("calc"),
        "checks": {"type": ["array", "null"], "items": _ref("check")},
        "scenarios": _map(NAME, {"type": "object", "additionalProperties": SCALAR}),
        "outputs": {"type": ["array", "null"], "items": TEXT},
        "charts": {"type": ["array", "null"], "items": _ref("chart")},
        "sensitivity": {"type": ["array", "null"], "items": _ref("sensitivity")},
        "tests": {"type": ["array", "null"], "items": _ref("test")},
    }[key]


def _definitions() -> dict[str, Any]:
    source = _or_short(TEXT, _keys(schema.SOURCE, TEXT))
    about = {"source": _ref("source")}
    at = {"anyOf": [TEXT, _list(TEXT)]}
    special = {**about, "verdict": {"const": "wrong"}, "at": at}
    expect = _or_short(SCALAR, _keys(schema.EXPECT, SCALAR, special, ["value"]))
    checks = {"assert": FORMULA, "severity": {"enum": ["error", "warning"]}}
    return {
        "source": source,
        "input": _or_short(SCALAR, _keys(_INPUT, SCALAR, _input(about))),
        "values": {
            "type": ["object", "array"],
            "items": SCALAR,
            "patternProperties": {LABEL: {"anyOf": [SCALAR, _ref("values")]}},
            "additionalProperties": False,
        },
        "calc": _or_short(FORMULA, _keys(schema.CALC, TEXT, _calc(about), ["formula"])),
        "figures": _or_short({"type": "array", "items": _ref("figure")}, expect),
        "figure": expect,
        "import": _import(),
        "dim": {"anyOf": [_list(TEXT), *_dims(about)]},
        "table": _keys(schema.TABLE, TEXT, _table(about), ["columns"]),
        "check": _keys(schema.CHECK, TEXT, checks, ["name", "assert"]),
        "chart": _keys(schema.CHART, TEXT, _chart(), ["type", "x", "y"]),
        "sensitivity": _keys(schema.SENSITIVITY, TEXT, _sensitivity(), ["of"]),
        "test": _keys(schema.TEST, TEXT, _test(), ["name", "expect"]),
    }


def _calc(about: Mapping[str, Any]) -> dict[str, Any]:
    return {**about, "formula": FORMULA, "expect": _ref("figures")}


def _test() -> dict[str, Any]:
    figures = {"type": "object", "additionalProperties": _ref("figures")}
    return {"set": {"type": "object", "additionalProperties": SCALAR}, "expect": figures}


def _input(about: Mapping[str, Any]) -> dict[str, Any]:
    choices = {"anyOf": [TEXT, _list(TEXT)]}
    return {**about, "choices": choices, "values": _ref("values"), "fill": _one_of(schema.FILLS)}


def _table(about: Mapping[str, Any]) -> dict[str, Any]:
    row = {"type": ["array", "object"], "items": SCALAR}
    rows = _map(LABEL, row)
    return {
        **about,
        "columns": _map(NAME, _or_short(TEXT, _keys(schema.COLUMN, TEXT))),
        "rows": {"anyOf": [rows, {"type": "array", "items": row}]},
        "key": {"anyOf": [TEXT, _list(TEXT)]},
    }


def _import() -> dict[str, Any]:
    settings = {**_map(ADDRESS, SCALAR), "type": "object", "minProperties": 1}
    special = {"set": settings, "over": {"anyOf": [TEXT, _list(TEXT)]}}
    keys = {
        **_keys(schema.IMPORT_KEYS, TEXT, special, ["sheet"]),
        "dependencies": {"over": ["set"]},
    }
    return _or_short({"type": "string"}, keys)


def _dims(about: Mapping[str, Any]) -> list[dict[str, Any]]:
    """List the shapes of dims other than lists of labels."""
    every = [key for keys in schema.DIM_KINDS.values() for key in keys]
    columns = {**_map(NAME, _list(SCALAR)), "type": "object", "minProperties": 1}
    special = {**about, "step": _one_of(schema.STEPS), "grid": columns, "where": FORMULA}
    found = []
    for own in schema.DIM_KINDS.values():
        keys = {key: text for key, text in schema.DIM.items() if key in own or key not in every}
        needed = [key for key in own if key not in {"step", "where"}]
        found.append(_keys(keys, TEXT, {k: special[k] for k in keys if k in special}, needed))
    return found


def _chart() -> dict[str, Any]:
    axis = _one_of(schema.AXES)
    log = {"anyOf": [axis, _list(axis)]}
    return {"type": _one_of(schema.CHART_TYPES), "y": _list(TEXT), "log": log}


def _sensitivity() -> dict[str, Any]:
    inputs = _map(ADDRESS, _list(SCALAR))
    return {"vary": _list(TEXT), "rows": inputs, "columns": inputs}


def _or_short(short: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """Allow a short form beside a mapping.

    Not by `anyOf`: of a misspelt key editors would then say that the mapping should be a text.
    """
    types = [kinds if isinstance(kinds := one["type"], list) else [kinds] for one in (short, keys)]
    return {**short, **keys, "type": [*types[0], *types[1]]}


def _one_of(words: Iterable[str]) -> dict[str, Any]:
    return {"enum": list(words)}


def _list(item: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item, "minItems": 1}


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
    inner = {**_map(CELL, _ref(kind)), "type": "object"}
    found = _map(CELL, _ref(kind))
    found["patternProperties"][HEADING] = inner
    return found


def _keys(
    keys: Mapping[str, str],
    value: dict[str, Any],
    special: Mapping[str, dict[str, Any]] | None = None,
    required: list[str] | None = None,
) -> dict[str, Any]:
    """Build a mapping with a closed set of keys; ``special`` keys have their own shapes."""
    shapes = special or {}
    found: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {k: _described(shapes.get(k, value), text) for k, text in keys.items()},
    }
    if required:
        found["required"] = required
    return found
