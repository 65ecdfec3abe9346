"""Type-check inputs: values, bounds, choices and uncertainty."""

from __future__ import annotations

import re
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, TypeVar

from calcgraph.core.diagnostics import Code, Diagnostic, Label, did_you_mean
from calcgraph.core.numbers import split_number
from calcgraph.core.units import PURE
from calcgraph.core.values import DATE, NUMBER, TEXT, TRUTH, Kind, Series, Type, visible_dim
from calcgraph.functions.kernels.scalar import less
from calcgraph.graph import DimTarget, TableTarget, Unresolved
from calcgraph.graph.name_resolution import dims_seen
from calcgraph.model import Bounds, Cell, Uncertain
from calcgraph.sheet.declarations import ColumnDecl, InputDecl
from calcgraph.sheet.schema import LIMIT
from calcgraph.sheet.yaml_reader import YamlScalar
from calcgraph.typecheck.literals import (
    NOT_A_NUMBER,
    WRONG_KIND,
    TypedValue,
    is_null,
    read_any,
    read_as,
    read_unit,
)
from calcgraph.typecheck.series_inputs import entry_type, read_series

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from calcgraph.core.values import Dim, Scalar
    from calcgraph.graph import Graph, Node
    from calcgraph.units import UnitBook


OUT_OF_BOUNDS = Code(
    "CG504",
    "value is out of its bounds",
    "`min` and `max` say which values of an input make sense; a value outside is refused, in the "
    "sheet and after --set.",
)


def bare_percentage(node: YamlScalar, value: Scalar, type_: Type) -> Diagnostic | None:
    """Report a bare 40 where 40%, a hundredth of it, was probably meant."""
    text = node.text.text.strip()
    if not type_.unit.percent or not type_.unit.is_pure or not isinstance(value, float):
        return None
    if abs(value) <= 1 or "%" in text:
        return None
    message = f"`{text}` without `%` would be {value * 100:,.15g}%"
    hint = f"write `{text}%`, or `{value * 100:.15g}%` if that is meant"
    return Diagnostic(NOT_A_NUMBER, message, Label(node.span), hint)


def read_entry(
    node: YamlScalar, type_: Type, book: UnitBook, keys: Collection[str]
) -> Scalar | Diagnostic:
    """Read an entry of a table."""
    value = read_as(node, type_, book, keys)
    if isinstance(value, Diagnostic):
        return value
    return bare_percentage(node, value, type_) or value


def bound_violation(value: Scalar, type_: Type, bounds: Bounds) -> str:
    """Describe which bound a value violates; empty if none."""
    if value is None:
        return ""
    if bounds.choices and value not in bounds.choices:
        return "not one of its choices"
    if not isinstance(value, float):
        return ""
    if bounds.least is not None and less(value, bounds.least):
        return f"below its min of {_shown(bounds.least, type_)}"
    if bounds.most is not None and less(bounds.most, value):
        return f"above its max of {_shown(bounds.most, type_)}"
    return ""


def allowed_text(type_: Type, bounds: Bounds, dims: Mapping[str, Dim]) -> str:
    """Describe the values that an input allows; keys of a dim as their labels."""
    if type_.table in dims and bounds.choices:
        labels = dims[type_.table].labels
        if dims[type_.table].kind in {"time", "count"}:
            return f"choose one from {labels[0]} to {labels[-1]}"
        return f"choose one of {', '.join(labels[:12])}"
    if bounds.choices:
        shown = [_shown(c, type_) if isinstance(c, float) else str(c) for c in bounds.choices[:12]]
        return f"choose one of {', '.join(shown)}"
    least = "" if bounds.least is None else _shown(bounds.least, type_)
    most = "" if bounds.most is None else _shown(bounds.most, type_)
    if least and most:
        return f"give a value from {least} to {most}"
    return f"give {least} or more" if least else f"give {most} or less"


def _shown(value: float, type_: Type) -> str:
    if type_.unit.percent:
        return f"{value * 100:.15g}%"
    return f"{value:.15g}" if type_.unit.is_pure else f"{value:.15g} {type_.unit}"


MOST = 5_000_000
MOST_IN_ALL = 50_000_000


def size_finding(
    node: Node, dims: Sequence[str], known: Mapping[str, Dim], what: str = ""
) -> Diagnostic | None:
    """Report a cell along dims, or ``what`` of it, with too many values."""
    size = prod(known[visible_dim(dim)].size for dim in dims)
    if size <= MOST:
        return None
    over = " and ".join(f"`{visible_dim(dim)}`" for dim in dims)
    message = f"{what}`{node.name}` varies over {over}: {size:,} values; {MOST:,} is the most"
    hint = "leave labels out, or aggregate earlier"
    return Diagnostic(LIMIT, message, Label(node.decl.key.span), hint)


def size_findings(
    nodes: Sequence[Node], cells: Sequence[Cell | None], known: Mapping[str, Dim]
) -> list[Diagnostic]:
    """Report cells or helpers with too many values, or too many values in total."""
    found: dict[int, Diagnostic] = {}
    total, largest = 0, (0, 0)
    for number, cell in enumerate(cells):
        if cell is None or not cell.type.dims:
            continue
        owner = cell.owner if cell.owner >= 0 else number
        what = "" if owner == number else "a part of "
        finding = size_finding(nodes[owner], cell.type.dims, known, what)
        if finding:
            found.setdefault(owner, finding)
        size = prod(known[visible_dim(dim)].size for dim in cell.type.dims)
        total, largest = total + size, max(largest, (size, owner))
    if total > MOST_IN_ALL and not found:
        node = nodes[largest[1]]
        message = f"the cells along dims have {total:,} values; {MOST_IN_ALL:,} is the most"
        label = Label(node.decl.key.span, "the largest")
        return [Diagnostic(LIMIT, message, label, "leave labels out, or aggregate earlier")]
    return list(found.values())


BAD_RANGE = Code(
    "CG509",
    "range of an uncertain input cannot be read",
    "`uncertain` is triangular(low, likely, high), uniform(low, high) or normal(mean, deviation), "
    "with numbers in the unit of the input; low is below high, a deviation above 0.",
)
SHAPES = {
    "triangular": ("low", "likely", "high"),
    "uniform": ("low", "high"),
    "normal": ("mean", "deviation"),
}
_CALL = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)


def read_uncertain(node: YamlScalar, type_: Type, book: UnitBook) -> Uncertain | Diagnostic:
    """Read a range; numbers without a unit take the input's unit."""
    if type_.kind is not Kind.NUMBER:
        return _bad(node, f"`uncertain` needs a number, this is {type_}")
    hit = _CALL.fullmatch(node.text.text)
    usage = " or ".join(f"{name}({', '.join(parts)})" for name, parts in SHAPES.items())
    if hit is None:
        return _bad(node, "this is not a range", f"write {usage}")
    shape = hit.group(1)
    if shape not in SHAPES:
        return _bad(
            node, f"there is no shape `{shape}`", did_you_mean(shape, SHAPES, f"write {usage}")
        )
    numbers = _numbers(node, hit, type_, book)
    if isinstance(numbers, Diagnostic):
        return numbers
    parts = SHAPES[shape]
    if len(numbers) != len(parts):
        message = f"`{shape}` takes {len(parts)} numbers, got {len(numbers)}"
        return _bad(node, message, f"write {shape}({', '.join(parts)})")
    if shape == "normal":
        sound = numbers[1] > 0
    else:
        sound = numbers[0] < numbers[-1] and sorted(numbers) == list(numbers)
    if not sound:
        rule = (
            "a deviation is above 0" if shape == "normal" else "the numbers go up, from low to high"
        )
        return _bad(node, f"`{node.text.text.strip()}` is not a range", rule)
    return Uncertain(shape, numbers)


def _numbers(
    node: YamlScalar, hit: re.Match[str], type_: Type, book: UnitBook
) -> tuple[float, ...] | Diagnostic:
    found: list[float] = []
    start = hit.start(2)
    for text in hit.group(2).split(","):
        lead = len(text) - len(text.lstrip())
        piece = node.text.part(start + lead, start + len(text.rstrip()))
        start += len(text) + 1
        value = read_as(YamlScalar(piece, piece.whole), type_, book)
        if isinstance(value, Diagnostic):
            return value
        if not isinstance(value, float):
            return _bad(node, "a range is made of numbers")
        found.append(value)
    return tuple(found)


def _bad(node: YamlScalar, message: str, hint: str = "") -> Diagnostic:
    return Diagnostic(BAD_RANGE, message, Label(node.span), hint)


BOUNDS_CROSSED = Code("CG505", "bounds are crossed", "`min` must not be above `max`.")
UNKNOWN_TABLE = Code(
    "CG308",
    "choices do not name a table",
    "`choices` is a list of values, or the name of a table whose keys they are: `hw.accelerators`.",
)
K = TypeVar("K")
_KINDS = {"text": TEXT, "truth": TRUTH, "date": DATE}


class InputChecker:
    """Reads inputs and columns into cells."""

    def __init__(self, graph: Graph, book: UnitBook) -> None:
        """Start with no findings."""
        self.graph = graph
        self.book = book
        self.findings: list[Diagnostic] = []

    def input(self, node: Node, decl: InputDecl, cells: Sequence[Cell | None]) -> Cell | None:
        """Check an input; ``None`` if its value cannot be read, which is reported.

        A value that a variant sets has the type of the input it overrides, found in ``cells``.
        """
        before = len(self.findings)
        if node.overrides >= 0:
            return self.bound(node, decl, cells[node.overrides])
        if node.dims:
            return self.series(node, decl)
        type_, keys = self.type_of(node, decl)
        if type_ is None or decl.value is None:
            return None
        value = self.accept(read_as(decl.value, type_, self.book, keys))
        bounds = self.bounds(decl, type_, keys)
        if bounds is not None:
            self.in_bounds(decl.name, value, type_, bounds, decl.value)
        uncertain = None
        if decl.uncertain is not None:
            uncertain = self.accept(read_uncertain(decl.uncertain, type_, self.book))
        if len(self.findings) > before:
            return None
        assert bounds is not None, "bounds are none only with a finding"
        na = value is None
        return Cell(node.number, node.name, "input", type_, None, value, bounds, na, uncertain)

    def in_bounds(
        self, name: str, value: Scalar, type_: Type, bounds: Bounds, place: YamlScalar
    ) -> None:
        """Report a value that is out of bounds."""
        slip = bare_percentage(place, value, type_)
        problem = "" if slip else bound_violation(value, type_, bounds)
        self.findings += [slip] if slip else []
        if problem:
            hint = allowed_text(type_, bounds, self.graph.dims)
            self.report(OUT_OF_BOUNDS, f"`{name}` is {problem}", place, hint)

    def bound(self, node: Node, decl: InputDecl, base: Cell | None) -> Cell | None:
        """Check a value that a variant sets for the input ``base``."""
        if base is None:
            return None
        if decl.value is None:
            return replace(
                base, number=node.number, name=node.name, start=None, may_be_na=True, uncertain=None
            )
        before = len(self.findings)
        keys = tuple(str(c) for c in base.bounds.choices if isinstance(c, str))
        value = self.accept(read_as(decl.value, base.type, self.book, keys))
        self.in_bounds(decl.name, value, base.type, base.bounds, decl.value)
        if len(self.findings) > before:
            return None
        na = value is None
        return replace(
            base, number=node.number, name=node.name, start=value, may_be_na=na, uncertain=None
        )

    def series(self, node: Node, decl: InputDecl) -> Cell | None:
        """Check an input along dims."""
        dims = [self.graph.dims[name] for name in node.dims if name in self.graph.dims]
        if len(dims) < len(node.dims) or not decl.entries:
            return None
        before = len(self.findings)
        if large := size_finding(node, node.dims, self.graph.dims):
            self.findings.append(large)
            return None
        if decl.choices is not None or decl.unit is not None:
            type_, keys = self.type_of(node, replace(decl, value=decl.entries[0].value))
        else:
            type_, keys = entry_type(decl, self.book, self.findings), ()
        if type_ is None:
            return None
        bounds = self.bounds(decl, type_, keys)
        filled = read_series(decl, dims, type_, self.book, keys, self.findings)
        for entry in decl.entries:
            value = read_as(entry.value, type_, self.book, keys)
            if bounds is not None and not isinstance(value, Diagnostic):
                self.in_bounds(decl.name, value, type_, bounds, entry.value)
        if bounds is None or filled is None or len(self.findings) > before:
            return None
        type_ = replace(type_, dims=node.dims)
        na = any(value is None for value in filled.start.data)
        return Cell(
            node.number, node.name, "input", type_, None, filled.start, bounds, na,
            fill=filled.rule, given=filled.given,
        )  # fmt: skip

    def type_of(self, node: Node, decl: InputDecl) -> tuple[Type | None, tuple[str, ...]]:
        """Return the type of an input, and the texts it may be if they are listed."""
        if isinstance(decl.choices, YamlScalar):
            return self.key_type(node.sheet, decl.choices)
        declared = self.declared(decl.unit, node.sheet) if decl.unit else None
        if decl.unit and declared is None:
            return None, ()
        if isinstance(decl.choices, tuple):
            return self.choice_type(decl.choices, declared)
        if declared is not None:
            keys = self.graph.tables[declared.table].labels if declared.table else ()
            return declared, keys
        if decl.value is None:
            return None, ()
        if is_null(decl.value):
            return NUMBER, ()
        return self.own_type(decl.value), ()

    def own_type(self, value: YamlScalar) -> Type | None:
        """Infer a type from a value; report a quoted number with a unit as a likely mistake."""
        text = value.text.text.strip()
        if value.quoted and _looks_like_quantity(text):
            plain = replace(value, style="")
            found = read_any(plain, self.book)
            shown = (
                found.hint.removeprefix("write ") if isinstance(found, Diagnostic) else f"`{text}`"
            )
            if isinstance(found, Diagnostic) or found.type.kind is Kind.NUMBER:
                hint = f"write {shown} without quotes, or add `unit: text`"
                message = f'"{text}" is a text, though it looks like a number'
                self.report(NOT_A_NUMBER, message, value, hint)
                return None
        read = self.accept(read_any(value, self.book))
        return read.type if isinstance(read, TypedValue) else None

    def key_type(self, sheet: str, name: YamlScalar) -> tuple[Type | None, tuple[str, ...]]:
        """Return the type of the keys of a table or dim, and its labels."""
        text = name.text.text.strip()
        target = self.graph.resolve(sheet, text.split("."))
        if isinstance(target, Unresolved):
            return None, ()
        if isinstance(target, TableTarget | DimTarget):
            name_ = target.table if isinstance(target, TableTarget) else target.dim
            dim = self.graph.dims.get(name_)
            return (None, ()) if dim is None else (dim.type, dim.labels)
        hint = did_you_mean(
            text, dims_seen(self.graph, sheet), "write a list, or the name of a table"
        )
        self.report(UNKNOWN_TABLE, f"`{text}` is not a table or a dim", name, hint)
        return None, ()

    def choice_type(
        self, choices: Sequence[YamlScalar], declared: Type | None
    ) -> tuple[Type | None, tuple[str, ...]]:
        """Return the type of listed choices: a number if all are numbers, else a text."""
        read = [read_any(choice, self.book) for choice in choices]
        kinds = {item.type.kind for item in read if isinstance(item, TypedValue)}
        if (
            declared is None
            and kinds == {Kind.NUMBER}
            and not any(isinstance(r, Diagnostic) for r in read)
        ):
            first = read[0]
            assert isinstance(first, TypedValue), "only values were read"
            return first.type, ()
        if declared is not None and declared.kind is not Kind.TEXT:
            return declared, ()
        return TEXT, tuple(choice.text.text.strip() for choice in choices)

    def declared(self, unit: YamlScalar, sheet: str) -> Type | None:
        """Read a ``unit`` key: a unit, ``text``, ``truth``, ``date``, or a table's name."""
        text = unit.text.text.strip()
        if text in _KINDS:
            return _KINDS[text]
        target = self.graph.resolve(sheet, text.split("."))
        if isinstance(target, Unresolved):
            return None
        if isinstance(target, TableTarget):
            return Type(Kind.TEXT, PURE, target.table)
        found = self.accept(read_unit(unit.text, self.book))
        return None if found is None else Type(Kind.NUMBER, found)

    def bounds(self, decl: InputDecl, type_: Type, keys: tuple[str, ...]) -> Bounds | None:
        """Read min, max and choices in the input's unit."""
        if isinstance(decl.choices, YamlScalar) and type_.kind is not Kind.TEXT:
            return Bounds(None, None, self.graph.dims[type_.table].keys)
        limits: list[float | None] = []
        for name, node in (("min", decl.least), ("max", decl.most)):
            if node is not None and type_.kind not in {Kind.NUMBER, Kind.DATE}:
                message = f"`{name}` needs a number or a date, this is {type_}"
                self.report(WRONG_KIND, message, node, f"leave `{name}` out")
                return None
            limit = self.accept(read_as(node, type_, self.book)) if node is not None else None
            if node is not None and not isinstance(limit, float):
                return None
            limits.append(limit if isinstance(limit, float) else None)
        least, most = limits
        if least is not None and most is not None and least > most:
            assert decl.least is not None, "it was read"
            assert decl.most is not None, "it was read"
            message = f"min {decl.least.text.text} is greater than max {decl.most.text.text}"
            self.report(BOUNDS_CROSSED, message, decl.least, "swap them")
            return None
        choices: tuple[Scalar, ...] = keys
        if isinstance(decl.choices, tuple) and not keys:
            read = [self.accept(read_as(choice, type_, self.book)) for choice in decl.choices]
            if None in read:
                return None
            choices = tuple(read)
        return Bounds(least, most, choices)

    def column(self, node: Node, decl: ColumnDecl) -> Cell | None:
        """Check a column: the entries of all rows, in its unit."""
        table = self.graph.tables[node.table]
        type_ = self.declared(decl.unit, node.sheet) if decl.unit else None
        if type_ is None:
            return None
        keys = self.graph.tables[type_.table].positions if type_.table else ()
        at = table.decl.columns.index(decl)
        before = len(self.findings)
        entries = [
            None
            if (entry := row.entries[at]) is None
            else self.accept(read_entry(entry, type_, self.book, keys))
            for row in table.decl.rows
        ]
        if len(self.findings) > before:
            return None
        type_ = replace(type_, dims=(node.table,))
        series = Series((node.table,), tuple(entries))
        bounds, na = Bounds(None, None, tuple(keys)), None in entries
        return Cell(node.number, node.name, "column", type_, None, series, bounds, na)

    def accept(self, found: K | Diagnostic) -> K | None:
        """Record a finding, or pass anything else through."""
        if isinstance(found, Diagnostic):
            self.findings.append(found)
            return None
        return found

    def report(self, code: Code, message: str, node: YamlScalar, hint: str = "") -> None:
        """Report a finding at a value."""
        self.findings.append(Diagnostic(code, message, Label(node.span), hint))


def _looks_like_quantity(text: str) -> bool:
    number, rest = split_number(text)
    return bool(rest.strip() and number) or number.endswith("%") or text.startswith(("$", "€", "£"))
