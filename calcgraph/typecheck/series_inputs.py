"""Read series inputs: values by label, with gaps filled by a rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Code, Diagnostic, Label, did_you_mean
from calcgraph.core.shape import Shape
from calcgraph.core.values import Kind, Series, Type
from calcgraph.functions.kernels.series import fill_gaps
from calcgraph.typecheck.literals import WRONG_KIND, TypedValue, is_null, read_any, read_as

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from calcgraph.core.values import Dim, Scalar
    from calcgraph.sheet.declarations import InputDecl, SeriesEntry
    from calcgraph.sheet.yaml_reader import YamlScalar
    from calcgraph.units import UnitBook

UNKNOWN_LABEL = Code(
    "CG321",
    "no such label",
    "A value of a series belongs to a label of its dim: a name, a position, or a period.",
)
GAP = Code(
    "CG510",
    "series has gaps",
    "Every label of a series needs a value, or a rule for those left out: `fill: zero`, "
    "`previous`, `linear`, or `blank` for not applicable.",
)
FILLS = ("zero", "previous", "linear", "blank", "error")


def find_label(dim: Dim, text: str) -> int | None:
    """Return the index of a label as written; a period may also be its first day."""
    if dim.kind == "time" and dim.step != "day" and text.endswith("-01") and text.count("-") == 2:  # noqa: PLR2004 - a day
        text = text[:-3]
    return dim.place(text)


def unknown_label(dim: Dim, node: YamlScalar) -> Diagnostic:
    """Report an unknown label of a dim."""
    text = node.text.text.strip()
    otherwise = f"it goes from {dim.labels[0]} to {dim.labels[-1]}"
    if dim.kind not in {"time", "count"}:
        shown = list(dim.labels[:12]) + (["…"] if dim.size > 12 else [])  # noqa: PLR2004 - one line
        otherwise = f"its labels: {', '.join(shown)}"
    hint = did_you_mean(text, dim.labels, otherwise)
    if dim.kind == "time":
        period = _as_period(text)
        hint = otherwise if dim.place(period) is None else f"did you mean `{period}`?"
    message = f"`{dim.name}` has no label `{text}`"
    return Diagnostic(UNKNOWN_LABEL, message, Label(node.span), hint)


def _as_period(text: str) -> str:
    """Rewrite a likely month as a label: ``2026-1``, ``01/2026``."""
    hit = re.fullmatch(r"(?P<y>[0-9]{4})[-/. ]?(?P<m>[0-9]{1,2})([-/.][0-9]{1,2})?", text)
    hit = hit or re.fullmatch(r"(?P<m>[0-9]{1,2})[-/. ](?P<y>[0-9]{4})", text)
    return f"{hit['y']}-{int(hit['m']):02}" if hit else ""


@dataclass(frozen=True, slots=True)
class FilledSeries:
    """A series as given, with gaps, and as filled."""

    given: Series
    start: Series
    rule: str


def entry_type(decl: InputDecl, book: UnitBook, findings: list[Diagnostic]) -> Type | None:
    """Infer the type of a series from its first value."""
    first = next((entry.value for entry in decl.entries if not is_null(entry.value)), None)
    if first is None:
        return Type(Kind.NUMBER)
    read = read_any(first, book)
    if isinstance(read, TypedValue):
        return read.type
    findings.append(read)
    return None


def read_series(
    decl: InputDecl,
    dims: Sequence[Dim],
    type_: Type,
    book: UnitBook,
    keys: tuple[str, ...],
    findings: list[Diagnostic],
) -> FilledSeries | None:
    """Read the values of a series in flat order; ``None`` if some have errors."""
    before = len(findings)
    names = tuple(dim.name for dim in dims)
    shape = Shape(tuple(dims))
    data: list[Scalar] = [None] * shape.size
    places: dict[int, YamlScalar] = {}
    known = dict.fromkeys(keys)  # constant-time lookup
    for entry in decl.entries:
        read = read_as(entry.value, type_, book, known)
        if isinstance(read, Diagnostic):
            findings.append(read)
            continue
        for place in _places(entry, shape, findings):
            if place in places and entry.keys:
                findings.append(_twice(entry, places[place]))
            places[place] = (*entry.keys, entry.value)[-1]
            data[place] = read
    rule = _rule(decl, type_, findings)
    if len(findings) == before:
        gaps = [at for at in range(len(data)) if at not in places]
        _check_gaps(decl, shape, gaps, rule, findings)
    if len(findings) > before:
        return None
    filled = fill_gaps(data, shape, rule)
    return FilledSeries(Series(names, tuple(data)), Series(names, tuple(filled)), rule)


def _places(entry: SeriesEntry, shape: Shape, findings: list[Diagnostic]) -> Iterable[int]:
    """Return the flat indices that an entry sets; none if a label is unknown."""
    dims = shape.dims
    ranges: list[Sequence[int]] = [range(dim.size) for dim in dims]
    for at, (dim, key) in enumerate(zip(dims, entry.keys, strict=False)):
        found = find_label(dim, key.text.text.strip())
        if found is None:
            findings.append(unknown_label(dim, key))
            return ()
        ranges[at] = (found,)
    if entry.position is not None:
        if entry.position >= dims[-1].size:
            message = f"more values than `{dims[-1].name}` has labels: {dims[-1].size}"
            hint = "give one value a label, or write `{label: value}`"
            findings.append(Diagnostic(UNKNOWN_LABEL, message, Label(entry.value.span), hint))
            return ()
        ranges[-1] = (entry.position,)
    return shape.select(ranges)


def _twice(entry: SeriesEntry, first: YamlScalar) -> Diagnostic:
    key = entry.keys[-1]
    others = (Label(first.span, "first here"),)
    message = f"`{key.text.text.strip()}` has a value twice"
    return Diagnostic(UNKNOWN_LABEL, message, Label(key.span), "remove one", others)


def _rule(decl: InputDecl, type_: Type, findings: list[Diagnostic]) -> str:
    if decl.fill is None:
        return ""
    text = decl.fill.text.text.strip()
    if text not in FILLS:
        hint = did_you_mean(text, FILLS, f"choose one of {', '.join(FILLS)}")
        findings.append(
            Diagnostic(WRONG_KIND, f"`{text}` is not a fill rule", Label(decl.fill.span), hint)
        )
    elif text in {"zero", "linear"} and type_.kind is not Kind.NUMBER:
        message = f"`fill: {text}` needs numbers, this is {type_}"
        hint = "write `previous` or `blank`"
        findings.append(Diagnostic(WRONG_KIND, message, Label(decl.fill.span), hint))
    return text


def _check_gaps(
    decl: InputDecl,
    shape: Shape,
    gaps: Sequence[int],
    rule: str,
    findings: list[Diagnostic],
) -> None:
    """Report labels without a value where no fill rule covers them."""
    if not gaps or rule in {"zero", "previous", "linear", "blank"}:
        return
    names = [", ".join(shape.labels(flat_index)) for flat_index in gaps[:6]]
    names = [f"[{name}]" for name in names] if len(shape.dims) > 1 else names
    more = f" and {len(gaps) - 6} more" if len(gaps) > 6 else ""  # noqa: PLR2004 - one line
    message = f"`{decl.name}` has no value at {', '.join(names)}{more}"
    hint = "give the values, or write `fill: zero`, `previous`, `linear` or `blank`"
    findings.append(Diagnostic(GAP, message, Label(decl.key.span), hint))
