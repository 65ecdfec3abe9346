"""Reading imports, and what a variant of a sheet sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.sheet import codes, schema
from calcgraph.sheet.cell_keys import read_cell_dims
from calcgraph.sheet.declarations import ImportDecl, Setting
from calcgraph.sheet.yaml_tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from calcgraph.sheet.reading import Reading

    Entries = dict[str, tuple[Scalar, Node]]


def read_imports(reading: Reading, node: Node) -> tuple[ImportDecl, ...]:
    """Read the ``imports`` section."""
    mapping = reading.mapping(node, "`imports`")
    found: list[ImportDecl] = []
    for key, value in mapping.entries if mapping else ():
        decl = _import(reading, key, value)
        if decl:
            found.append(decl)
        else:
            reading.lose_key(key)
    return tuple(found)


def read_setting(reading: Reading, address: Scalar, item: Node) -> list[Setting]:
    """Read an address with the value it is given; a list, as it may be wrong."""
    value = reading.scalar(item, "a setting")
    return [Setting(address, value)] if value is not None else []


def _import(reading: Reading, key: Scalar, node: Node) -> ImportDecl | None:
    alias = reading.name(key, "an alias", callable_too=True)
    path: Node | None = node
    entries: Entries = {}
    if isinstance(node, Mapping):
        entries = reading.entries(node, schema.IMPORT_KEYS, "an import")
        path = entries["sheet"][1] if "sheet" in entries else None
    scalar = reading.scalar(path, "an import")
    if path is None:
        hint = f"write `{key.text.text}: path.yaml`"
        reading.say(codes.MISSING_KEY, "an import names no `sheet`", key.span, hint)
    settings = _settings(reading, entries)
    over = _over(reading, key.text.text, entries)
    if not alias or not scalar or settings is None or over is None:
        return None
    return ImportDecl(alias, key, scalar, settings, over)


def _settings(reading: Reading, entries: Entries) -> tuple[Setting, ...] | None:
    """Read what a variant sets; none where part of it is wrong: it would be another variant."""
    if "set" not in entries:
        return ()
    mapping = reading.mapping(entries["set"][1], "`set`")
    if mapping is None:
        return None
    if not mapping.entries:
        hint = "name inputs with values, or leave it out for the sheet as it is"
        reading.say(codes.SHAPE, "`set` is empty", entries["set"][0].span, hint)
        return None
    found = [
        setting
        for address, item in mapping.entries
        if not reading.was_cut(address, item, mapping)
        for setting in _variant_setting(reading, address, item)
    ]
    return tuple(found) if len(found) == len(mapping.entries) else None


def _variant_setting(reading: Reading, address: Scalar, item: Node) -> list[Setting]:
    value = reading.scalar(item, "a setting")
    if value is None or not value.text.text.lstrip().startswith("="):
        return [Setting(address, value)] if value else []
    formula = reading.formula(value)
    return [Setting(address, value, formula)] if formula else []


def _over(reading: Reading, alias: str, entries: Entries) -> tuple[Scalar, ...] | None:
    """Read the dims a variant is lifted along; none where they are wrong."""
    if "over" not in entries:
        return ()
    key, node = entries["over"]
    if "set" not in entries:
        message = "`over` says along which dims `set` varies, and there is no `set`"
        hint = "add `set: {input: = formula}`, or leave `over` out"
        reading.say(codes.MISSING_KEY, message, key.span, hint)
        return None
    nodes = reading.items(node, "`over`") if isinstance(node, Sequence) else (node,)
    if isinstance(node, Sequence) and not node.items:
        hint = "name a dim, or leave it out"
        reading.say(codes.SHAPE, "`over` is empty", node.span, hint)
    names = [reading.scalar(item, "`over`") for item in nodes]
    return read_cell_dims(reading, alias, [name for name in names if name]) or None
