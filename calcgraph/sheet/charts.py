"""The ``charts`` section: each chart's kind, and the names of the series it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.nearest import did_you_mean
from calcgraph.sheet import codes, schema
from calcgraph.sheet.declarations import ChartDecl
from calcgraph.sheet.yaml_tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from calcgraph.sheet.reading import Reading

    Entries = dict[str, tuple[Scalar, Node]]

MOST = 24


def read_charts(reading: Reading, node: Node) -> tuple[ChartDecl, ...]:
    """Read the charts of a sheet; one that is wrong is left out."""
    items = reading.items(node, "`charts`")
    if len(items) > MOST:
        message = f"{len(items)} charts; a sheet has at most {MOST}"
        reading.say(codes.LIMIT, message, items[MOST].span, "leave out those nobody looks at")
        return ()
    titles: set[str] = set()
    found = [_chart(reading, item, titles) for item in items]
    return tuple(chart for chart in found if chart is not None)


def _chart(reading: Reading, item: Node, titles: set[str]) -> ChartDecl | None:
    mapping = reading.mapping(item, "a chart")
    if mapping is None:
        return None
    found = reading.entries(mapping, schema.CHART, "a chart")
    missing = next((key for key in ("type", "x", "y") if key not in found), None)
    if missing:
        hint = f"add `{missing}: …`"
        reading.say(codes.MISSING_KEY, f"a chart has no `{missing}`", mapping.span, hint)
        return None
    kind, x = _kind(reading, found), reading.scalar(found["x"][1], "`x`")
    y = [reading.scalar(one, "a series of `y`") for one in reading.items(found["y"][1], "`y`")]
    names = tuple(name for name in y if name is not None)
    title, log = _title(reading, found, titles), _log(reading, found)
    if not kind or x is None or not names or len(names) < len(y) or log is None:
        _say_empty(reading, mapping, found["y"][1])
        return None
    return ChartDecl(mapping.span, kind, x, names, title, log)


def _say_empty(reading: Reading, mapping: Mapping, y: Node) -> None:
    """Say of a chart that shows nothing that it does; all else has been said."""
    if isinstance(y, Sequence) and not y.items:
        hint = "name the series it shows: `y: [cash]`"
        reading.say(codes.SHAPE, "a chart shows nothing", mapping.span, hint)


def _kind(reading: Reading, found: Entries) -> str:
    kind = reading.scalar(found["type"][1], "`type`")
    text = kind.text.text.strip() if kind else ""
    if kind is None or text in schema.CHART_TYPES:
        return text
    known = ", ".join(schema.CHART_TYPES)
    hint = did_you_mean(text, schema.CHART_TYPES, f"there are: {known}")
    reading.say(codes.SHAPE, f"`{text}` is no type of chart", kind.span, hint)
    return ""


def _title(reading: Reading, found: Entries, titles: set[str]) -> str:
    """Read a title; titles must be unique, so that charts can be told apart."""
    if "title" not in found:
        return ""
    node = found["title"][1]
    title = " ".join(reading.text(node, "`title`").split())
    if title.casefold() in titles:
        hint = "give each chart a title of its own"
        reading.say(codes.DUPLICATE_KEY, f"another chart is called `{title}`", node.span, hint)
    if title:
        titles.add(title.casefold())
    return title


def _log(reading: Reading, found: Entries) -> tuple[str, ...] | None:
    """Read which axes go by powers of ten: ``y``, or a list."""
    if "log" not in found:
        return ()
    node = found["log"][1]
    nodes = node.items if isinstance(node, Sequence) else (node,)
    axes = [axis for axis in (reading.scalar(one, "`log`") for one in nodes) if axis is not None]
    for axis in axes:
        if axis.text.text.strip() not in schema.AXES:
            message = f"`{axis.text.text.strip()}` is no axis"
            reading.say(codes.SHAPE, message, axis.span, "write `log: y`, `log: x` or `[x, y]`")
            return None
    return tuple(axis for axis in schema.AXES if axis in {one.text.text.strip() for one in axes})
