"""A source text to a `Sheet` of declarations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Diagnostic, Label, did_you_mean
from calcgraph.core.source import Source, Span
from calcgraph.functions import CALLABLE
from calcgraph.sheet import cells, schema
from calcgraph.sheet.cells import read_cell_dims, read_expectations
from calcgraph.sheet.declarations import (
    CaseDecl,
    ChartDecl,
    CheckDecl,
    ExpectationDecl,
    ImportDecl,
    ScenarioDecl,
    Setting,
    Sheet,
)
from calcgraph.sheet.dimensions import read_dims
from calcgraph.sheet.fields import SheetReading, is_empty, kind
from calcgraph.sheet.schema import DUPLICATE_KEY, LIMIT, MISSING_KEY, SHAPE
from calcgraph.sheet.tables import read_tables
from calcgraph.sheet.yaml_reader import YamlMapping, YamlNode, YamlScalar, YamlSequence, read_yaml

if TYPE_CHECKING:
    Entries = dict[str, tuple[YamlScalar, YamlNode]]
    from collections.abc import Callable
    from collections.abc import Mapping as Keys


MOST = 24


def read_charts(reading: SheetReading, node: YamlNode) -> tuple[ChartDecl, ...]:
    """Read the charts of a sheet; one that is wrong is left out."""
    items = reading.items(node, "`charts`")
    if len(items) > MOST:
        message = f"{len(items)} charts; a sheet has at most {MOST}"
        reading.say(LIMIT, message, items[MOST].span, "leave out those nobody looks at")
        return ()
    titles: set[str] = set()
    found = [_chart(reading, item, titles) for item in items]
    return tuple(chart for chart in found if chart is not None)


def _chart(reading: SheetReading, item: YamlNode, titles: set[str]) -> ChartDecl | None:
    mapping = reading.mapping(item, "a chart")
    if mapping is None:
        return None
    found = reading.entries(mapping, schema.CHART, "a chart")
    missing = next((key for key in ("type", "x", "y") if key not in found), None)
    if missing:
        hint = f"add `{missing}: …`"
        reading.say(MISSING_KEY, f"a chart has no `{missing}`", mapping.span, hint)
        return None
    kind, x = _kind(reading, found), reading.scalar(found["x"][1], "`x`")
    y = [reading.scalar(one, "a series of `y`") for one in reading.items(found["y"][1], "`y`")]
    names = tuple(name for name in y if name is not None)
    title, log = _title(reading, found, titles), _log(reading, found)
    if not kind or x is None or not names or len(names) < len(y) or log is None:
        _say_empty(reading, mapping, found["y"][1])
        return None
    return ChartDecl(mapping.span, kind, x, names, title, log)


def _say_empty(reading: SheetReading, mapping: YamlMapping, y: YamlNode) -> None:
    """Report a chart that shows nothing; other mistakes were reported before."""
    if isinstance(y, YamlSequence) and not y.items:
        hint = "name the series it shows: `y: [cash]`"
        reading.say(SHAPE, "a chart shows nothing", mapping.span, hint)


def _kind(reading: SheetReading, found: Entries) -> str:
    kind = reading.scalar(found["type"][1], "`type`")
    text = kind.text.text.strip() if kind else ""
    if kind is None or text in schema.CHART_TYPES:
        return text
    known = ", ".join(schema.CHART_TYPES)
    hint = did_you_mean(text, schema.CHART_TYPES, f"there are: {known}")
    reading.say(SHAPE, f"`{text}` is no type of chart", kind.span, hint)
    return ""


def _title(reading: SheetReading, found: Entries, titles: set[str]) -> str:
    """Read a title; titles must be unique, so that charts can be told apart."""
    if "title" not in found:
        return ""
    node = found["title"][1]
    title = " ".join(reading.text(node, "`title`").split())
    if title.casefold() in titles:
        hint = "give each chart a title of its own"
        reading.say(DUPLICATE_KEY, f"another chart is called `{title}`", node.span, hint)
    if title:
        titles.add(title.casefold())
    return title


def _log(reading: SheetReading, found: Entries) -> tuple[str, ...] | None:
    """Read which axes go by powers of ten: ``y``, or a list."""
    if "log" not in found:
        return ()
    node = found["log"][1]
    nodes = node.items if isinstance(node, YamlSequence) else (node,)
    axes = [axis for axis in (reading.scalar(one, "`log`") for one in nodes) if axis is not None]
    for axis in axes:
        if axis.text.text.strip() not in schema.AXES:
            message = f"`{axis.text.text.strip()}` is no axis"
            reading.say(SHAPE, message, axis.span, "write `log: y`, `log: x` or `[x, y]`")
            return None
    return tuple(axis for axis in schema.AXES if axis in {one.text.text.strip() for one in axes})


def read_imports(reading: SheetReading, node: YamlNode) -> tuple[ImportDecl, ...]:
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


def read_setting(reading: SheetReading, address: YamlScalar, item: YamlNode) -> list[Setting]:
    """Read an address with the value it is given; a list, as it may be wrong."""
    value = reading.scalar(item, "a setting")
    return [Setting(address, value)] if value is not None else []


def _import(reading: SheetReading, key: YamlScalar, node: YamlNode) -> ImportDecl | None:
    alias = reading.name(key, "an alias", callable_too=True)
    path: YamlNode | None = node
    entries: Entries = {}
    if isinstance(node, YamlMapping):
        entries = reading.entries(node, schema.IMPORT_KEYS, "an import")
        path = entries["sheet"][1] if "sheet" in entries else None
    scalar = reading.scalar(path, "an import")
    if path is None:
        hint = f"write `{key.text.text}: path.yaml`"
        reading.say(MISSING_KEY, "an import names no `sheet`", key.span, hint)
    settings = _settings(reading, entries)
    over = _over(reading, key.text.text, entries)
    if not alias or not scalar or settings is None or over is None:
        return None
    return ImportDecl(alias, key, scalar, settings, over)


def _settings(reading: SheetReading, entries: Entries) -> tuple[Setting, ...] | None:
    """Read what a variant sets; none where part of it is wrong: it would be another variant."""
    if "set" not in entries:
        return ()
    mapping = reading.mapping(entries["set"][1], "`set`")
    if mapping is None:
        return None
    if not mapping.entries:
        hint = "name inputs with values, or leave it out for the sheet as it is"
        reading.say(SHAPE, "`set` is empty", entries["set"][0].span, hint)
        return None
    found = [
        setting
        for address, item in mapping.entries
        if not reading.was_cut(address, item, mapping)
        for setting in _variant_setting(reading, address, item)
    ]
    return tuple(found) if len(found) == len(mapping.entries) else None


def _variant_setting(reading: SheetReading, address: YamlScalar, item: YamlNode) -> list[Setting]:
    value = reading.scalar(item, "a setting")
    if value is None or not value.text.text.lstrip().startswith("="):
        return [Setting(address, value)] if value else []
    formula = reading.formula(value)
    return [Setting(address, value, formula)] if formula else []


def _over(reading: SheetReading, alias: str, entries: Entries) -> tuple[YamlScalar, ...] | None:
    """Read the dims a variant is lifted along; none where they are wrong."""
    if "over" not in entries:
        return ()
    key, node = entries["over"]
    if "set" not in entries:
        message = "`over` says along which dims `set` varies, and there is no `set`"
        hint = "add `set: {input: = formula}`, or leave `over` out"
        reading.say(MISSING_KEY, message, key.span, hint)
        return None
    nodes = reading.items(node, "`over`") if isinstance(node, YamlSequence) else (node,)
    if isinstance(node, YamlSequence) and not node.items:
        hint = "name a dim, or leave it out"
        reading.say(SHAPE, "`over` is empty", node.span, hint)
    names = [reading.scalar(item, "`over`") for item in nodes]
    return read_cell_dims(reading, alias, [name for name in names if name]) or None


def check_pictures(reading: SheetReading, found: dict[str, tuple[YamlScalar, YamlNode]]) -> None:
    """Report keys of sensitivities that are wrong or missing."""
    for section, keys, what, needed in (
        ("sensitivity", schema.SENSITIVITY, "a sensitivity", ("of",)),
    ):
        if section not in found or is_empty(found[section][1]):
            continue
        for item in reading.items(found[section][1], f"`{section}`"):
            mapping = reading.mapping(item, what)
            if mapping:
                _check(reading, mapping, keys, what, needed)


def _check(
    reading: SheetReading,
    node: YamlMapping,
    keys: Keys[str, str],
    what: str,
    needed: tuple[str, ...],
) -> None:
    found = reading.entries(node, keys, what)
    missing = next((key for key in needed if key not in found), None)
    if missing:
        hint = f"add `{missing}: …`"
        reading.say(MISSING_KEY, f"{what} has no `{missing}`", node.span, hint)
    for key in {"rows", "columns"} & found.keys():
        reading.mapping(found[key][1], f"`{key}`")


VERSION = "1"


def read_sheet(source: Source) -> tuple[Sheet, list[Diagnostic]]:
    """Read all that can be read; say what could not."""
    node, findings = read_yaml(source)
    reading = SheetReading(CALLABLE)
    reading.findings = findings
    if not isinstance(node, YamlMapping):
        if not findings:
            _no_sheet(reading, source, node)
        return Sheet(source, unread=True), reading.findings
    return _sheet(reading, source, node), reading.findings


def _no_sheet(reading: SheetReading, source: Source, node: YamlNode | None) -> None:
    hint = "start with `calcgraph: 1`"
    if node is None:
        what = "only comments" if source.text.strip() else "nothing"
        reading.say(SHAPE, f"the file holds {what}", Span(source, 0, 0), hint)
        return
    message = f"a sheet holds keys with values, not {kind(node)}"
    reading.say(SHAPE, message, node.span, hint)


def _sheet(reading: SheetReading, source: Source, node: YamlMapping) -> Sheet:
    found = reading.entries(node, schema.TOP, "a sheet")
    _version(reading, node, found)
    check_pictures(reading, found)

    def part(
        name: str, read: Callable[[SheetReading, YamlNode], tuple[object, ...]]
    ) -> tuple[object, ...]:
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


def _version(
    reading: SheetReading, node: YamlMapping, found: dict[str, tuple[YamlScalar, YamlNode]]
) -> None:
    if "calcgraph" not in found:
        start = node.entries[0][0].span if node.entries else node.span
        hint = "add `calcgraph: 1` as the first line"
        reading.say(MISSING_KEY, "the version of the language is missing", start, hint)
        return
    value = found["calcgraph"][1]
    if not isinstance(value, YamlScalar) or value.text.text != VERSION:
        message = "this calcgraph reads version 1 of the language"
        reading.say(SHAPE, message, value.span, "write `calcgraph: 1`")


def _texts(
    reading: SheetReading, found: dict[str, tuple[YamlScalar, YamlNode]], name: str
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


def _checks(reading: SheetReading, node: YamlNode) -> tuple[CheckDecl, ...]:
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
            reading.say(MISSING_KEY, f"a check has no `{missing}`", mapping.span, hint)
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
            reading.say(DUPLICATE_KEY, text, name.span, "give each check a name of its own")
        names.add(name.text.text.casefold())
        formula = reading.formula(condition)
        if formula and formula.unit:
            reading.say(SHAPE, "a check has no unit", formula.unit.span, "leave out `-> …`")
        template = reading.template(message) if message else None
        is_error = _severity(reading, entries)
        found.append(CheckDecl(name.text.text.strip(), name, formula, template, is_error))
    return tuple(found)


def _severity(reading: SheetReading, entries: dict[str, tuple[YamlScalar, YamlNode]]) -> bool:
    if "severity" not in entries:
        return True
    text = reading.text(entries["severity"][1], "`severity`")
    if text not in {"error", "warning"}:
        span = entries["severity"][1].span
        hint = "write `warning`, or leave it out for an error"
        reading.say(SHAPE, "severity is `error` or `warning`", span, hint)
    return text != "warning"


def _scenarios(reading: SheetReading, node: YamlNode) -> tuple[ScenarioDecl, ...]:
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


def _outputs(reading: SheetReading, node: YamlNode) -> tuple[YamlScalar, ...]:
    found = [reading.scalar(item, "an output") for item in reading.items(node, "`outputs`")]
    return tuple(item for item in found if item is not None)


def _tests(reading: SheetReading, node: YamlNode) -> tuple[CaseDecl, ...]:
    found: list[CaseDecl] = []
    for item in reading.items(node, "`tests`"):
        mapping = reading.mapping(item, "a test")
        if mapping is None:
            continue
        entries = reading.entries(mapping, schema.TEST, "a test")
        missing = next((key for key in ("name", "expect") if key not in entries), None)
        if missing:
            hint = f"add `{missing}: …`"
            reading.say(MISSING_KEY, f"a test has no `{missing}`", mapping.span, hint)
            continue
        name = reading.scalar(entries["name"][1], "`name`")
        expects = reading.mapping(entries["expect"][1], "`expect` of a test")
        if name is None or expects is None:
            continue
        settings: list[Setting] = []
        inner = reading.mapping(entries["set"][1], "`set`") if "set" in entries else None
        for address, value in inner.entries if inner else ():
            settings.extend(read_setting(reading, address, value))
        figures: list[tuple[YamlScalar, ExpectationDecl]] = [
            (address, figure)
            for address, value in expects.entries
            for figure in read_expectations(reading, value)
        ]
        found.append(CaseDecl(name.text.text.strip(), name, tuple(settings), tuple(figures)))
    return tuple(found)


def _one_set_of_names(reading: SheetReading, sheet: Sheet) -> None:
    """Cells, aliases, dims and tables share one set of names."""
    seen: dict[str, YamlScalar] = {}
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
                DUPLICATE_KEY,
                message,
                Label(key.span, "again here"),
                "cells, aliases, dims and tables of a sheet share one set of names",
                (Label(first.span, "first here"),),
            )
            reading.findings.append(finding)
        else:
            seen[name] = key
