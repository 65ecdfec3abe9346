"""A source to the sheet it declares, and what could not be read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.core.source import Source, Span
from calcgraph.functions import CALLABLE
from calcgraph.sheet import cells, codes, schema
from calcgraph.sheet.charts import read_charts
from calcgraph.sheet.declarations import (
    CaseDecl,
    CheckDecl,
    Expectation,
    ScenarioDecl,
    Setting,
    Sheet,
)
from calcgraph.sheet.dims import read_dims
from calcgraph.sheet.expectations import read_expectations
from calcgraph.sheet.import_decls import read_imports, read_setting
from calcgraph.sheet.pictures import check_pictures
from calcgraph.sheet.reading import Reading, is_empty, kind
from calcgraph.sheet.tables import read_tables
from calcgraph.sheet.yaml_tree import Mapping, Node, Scalar, read_yaml

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION = "1"


def read_sheet(source: Source) -> tuple[Sheet, list[Diagnostic]]:
    """Read all that can be read; say what could not."""
    node, findings = read_yaml(source)
    reading = Reading(CALLABLE)
    reading.findings = findings
    if not isinstance(node, Mapping):
        if not findings:
            _no_sheet(reading, source, node)
        return Sheet(source, unread=True), reading.findings
    return _sheet(reading, source, node), reading.findings


def _no_sheet(reading: Reading, source: Source, node: Node | None) -> None:
    hint = "start with `calcgraph: 1`"
    if node is None:
        what = "only comments" if source.text.strip() else "nothing"
        reading.say(codes.SHAPE, f"the file holds {what}", Span(source, 0, 0), hint)
        return
    message = f"a sheet holds keys with values, not {kind(node)}"
    reading.say(codes.SHAPE, message, node.span, hint)


def _sheet(reading: Reading, source: Source, node: Mapping) -> Sheet:
    found = reading.entries(node, schema.TOP, "a sheet")
    _version(reading, node, found)
    check_pictures(reading, found)

    def part(name: str, read: Callable[[Reading, Node], tuple[object, ...]]) -> tuple[object, ...]:
        return (
            read(reading, found[name][1]) if name in found and not is_empty(found[name][1]) else ()
        )

    sheet = Sheet(
        source=source,
        title=reading.text(found["title"][1], "`title`") if "title" in found else "",
        description=reading.text(found["description"][1], "`description`")
        if "description" in found
        else "",
        conventions=_texts(reading, found, "conventions"),
        units=_texts(reading, found, "units"),
        imports=part("imports", read_imports),  # type: ignore[arg-type]
        dims=part("dims", read_dims),  # type: ignore[arg-type]
        tables=part("tables", read_tables),  # type: ignore[arg-type]
        inputs=part("inputs", cells.read_inputs),  # type: ignore[arg-type]
        calcs=part("calc", cells.read_calcs),  # type: ignore[arg-type]
        checks=part("checks", _checks),  # type: ignore[arg-type]
        scenarios=part("scenarios", _scenarios),  # type: ignore[arg-type]
        outputs=part("outputs", _outputs),  # type: ignore[arg-type]
        tests=part("tests", _tests),  # type: ignore[arg-type]
        charts=part("charts", read_charts),  # type: ignore[arg-type]
    )
    _one_set_of_names(reading, sheet)
    return replace(sheet, lost=frozenset(reading.lost))


def _version(reading: Reading, node: Mapping, found: dict[str, tuple[Scalar, Node]]) -> None:
    if "calcgraph" not in found:
        start = node.entries[0][0].span if node.entries else node.span
        hint = "add `calcgraph: 1` as the first line"
        reading.say(codes.MISSING_KEY, "the version of the language is missing", start, hint)
        return
    value = found["calcgraph"][1]
    if not isinstance(value, Scalar) or value.text.text != VERSION:
        message = "this calcgraph reads version 1 of the language"
        reading.say(codes.SHAPE, message, value.span, "write `calcgraph: 1`")


def _texts(
    reading: Reading, found: dict[str, tuple[Scalar, Node]], name: str
) -> dict[str, Setting]:
    if name not in found or is_empty(found[name][1]):
        return {}
    mapping = reading.mapping(found[name][1], f"`{name}`")
    texts: dict[str, Setting] = {}
    for key, value in mapping.entries if mapping else ():
        scalar = reading.scalar(value, f"`{key.text.text}`")
        if scalar is not None:
            texts[key.text.text] = Setting(key, scalar)
    return texts


def _checks(reading: Reading, node: Node) -> tuple[CheckDecl, ...]:
    found: list[CheckDecl] = []
    names: set[str] = set()
    for item in reading.items(node, "`checks`"):
        mapping = reading.mapping(item, "a check")
        if mapping is None:
            continue
        entries = reading.entries(mapping, schema.CHECK, "a check")
        missing = next((key for key in ("name", "assert") if key not in entries), None)
        if missing:
            hint = f"add `{missing}: …`"
            reading.say(codes.MISSING_KEY, f"a check has no `{missing}`", mapping.span, hint)
            continue
        name = reading.scalar(entries["name"][1], "`name`")
        condition = reading.scalar(entries["assert"][1], "`assert`")
        message = (
            reading.scalar(entries["message"][1], "`message`") if "message" in entries else None
        )
        if name is None or condition is None:
            continue
        if name.text.text.casefold() in names:
            text = f"another check is called `{name.text.text}`"
            reading.say(codes.DUPLICATE_KEY, text, name.span, "give each check a name of its own")
        names.add(name.text.text.casefold())
        formula = reading.formula(condition)
        if formula and formula.unit:
            reading.say(codes.SHAPE, "a check has no unit", formula.unit.span, "leave out `-> …`")
        template = reading.template(message) if message else None
        is_error = _severity(reading, entries)
        found.append(CheckDecl(name.text.text.strip(), name, formula, template, is_error))
    return tuple(found)


def _severity(reading: Reading, entries: dict[str, tuple[Scalar, Node]]) -> bool:
    if "severity" not in entries:
        return True
    text = reading.text(entries["severity"][1], "`severity`")
    if text not in {"error", "warning"}:
        span = entries["severity"][1].span
        hint = "write `warning`, or leave it out for an error"
        reading.say(codes.SHAPE, "severity is `error` or `warning`", span, hint)
    return text != "warning"


def _scenarios(reading: Reading, node: Node) -> tuple[ScenarioDecl, ...]:
    mapping = reading.mapping(node, "`scenarios`")
    found: list[ScenarioDecl] = []
    for key, value in mapping.entries if mapping else ():
        name = reading.name(key, "a scenario", callable_too=True)
        inner = reading.mapping(value, "a scenario")
        if not name or not inner:
            continue
        extends, note = None, ""
        settings: list[Setting] = []
        for address, item in inner.entries:
            if address.text.text == "extends":
                extends = reading.scalar(item, "`extends`")
            elif address.text.text == "note":
                note = reading.text(item, "`note`")
            else:
                settings.extend(read_setting(reading, address, item))
        found.append(ScenarioDecl(name, key, extends, tuple(settings), note))
    return tuple(found)


def _outputs(reading: Reading, node: Node) -> tuple[Scalar, ...]:
    found = [reading.scalar(item, "an output") for item in reading.items(node, "`outputs`")]
    return tuple(item for item in found if item is not None)


def _tests(reading: Reading, node: Node) -> tuple[CaseDecl, ...]:
    found: list[CaseDecl] = []
    for item in reading.items(node, "`tests`"):
        mapping = reading.mapping(item, "a test")
        if mapping is None:
            continue
        entries = reading.entries(mapping, schema.TEST, "a test")
        missing = next((key for key in ("name", "expect") if key not in entries), None)
        if missing:
            hint = f"add `{missing}: …`"
            reading.say(codes.MISSING_KEY, f"a test has no `{missing}`", mapping.span, hint)
            continue
        name = reading.scalar(entries["name"][1], "`name`")
        expects = reading.mapping(entries["expect"][1], "`expect` of a test")
        if name is None or expects is None:
            continue
        settings: list[Setting] = []
        inner = reading.mapping(entries["set"][1], "`set`") if "set" in entries else None
        for address, value in inner.entries if inner else ():
            settings.extend(read_setting(reading, address, value))
        figures: list[tuple[Scalar, Expectation]] = [
            (address, figure)
            for address, value in expects.entries
            for figure in read_expectations(reading, value)
        ]
        found.append(CaseDecl(name.text.text.strip(), name, tuple(settings), tuple(figures)))
    return tuple(found)


def _one_set_of_names(reading: Reading, sheet: Sheet) -> None:
    """Cells, aliases, dims and tables share one set of names."""
    seen: dict[str, Scalar] = {}
    named = [(decl.alias, decl.key) for decl in sheet.imports]
    named += [(dim.name, dim.key) for dim in sheet.dims]
    named += [(table.name, table.key) for table in sheet.tables]
    named += [(cell.name, cell.key) for cell in sheet.inputs]
    named += [(cell.name, cell.key) for cell in sheet.calcs]
    for name, key in named:
        if name in seen:
            first = seen[name]
            line = first.span.source.position(first.span.start)[0]
            message = f"duplicate key '{name}', first in line {line}"
            finding = Diagnostic(
                codes.DUPLICATE_KEY,
                message,
                Label(key.span, "again here"),
                "cells, aliases, dims and tables of a sheet share one set of names",
                (Label(first.span, "first here"),),
            )
            reading.findings.append(finding)
        else:
            seen[name] = key
