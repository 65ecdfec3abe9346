"""Type-check charts: what they name, the dim they run along, and whether it fits one axis."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, cast

from calcgraph.core.diagnostics import Code, Diagnostic, Label, did_you_mean
from calcgraph.core.values import Kind, visible_dim
from calcgraph.graph import DimTarget, TableTarget
from calcgraph.model import Chart
from calcgraph.sheet.schema import DUPLICATE_KEY
from calcgraph.typecheck.scenario_checks import UNKNOWN_CELL

if TYPE_CHECKING:
    from typing import Literal

    from calcgraph.core.source import Span
    from calcgraph.model import Cell
    from calcgraph.sheet.declarations import ChartDecl
    from calcgraph.sheet.yaml_reader import YamlScalar
    from calcgraph.typecheck.scenario_checks import ScenarioReader

CHART = Code(
    "CG323",
    "chart cannot be drawn",
    "A chart shows numbers along one dim: `x` is that dim, or a series over it alone, and every "
    "series of `y` varies over it. A series with further dims has a line for each of their labels; "
    "more than six lines cannot be told apart.",
)
ONE_AXIS = Code(
    "CG411",
    "units differ on one axis",
    "A chart has one axis for all of its series, so they must have the same unit: 1 GB beside "
    "1 MB would look the same.",
)
LINES, COLUMNS, POINTS = 6, 400, 32_000
"""The most lines of a chart; the most labels of a column chart, and of any other."""


def read_charts(cases: ScenarioReader) -> tuple[Chart, ...]:
    """Read the charts of the evaluated sheet; omit those with errors."""
    root = cases.graph.sheets.sheets[cases.graph.sheets.root]
    found = [_Reader(cases, decl).chart() for decl in root.charts]
    return tuple(chart for chart in found if chart is not None)


class _Reader:
    """Reads one chart."""

    def __init__(self, cases: ScenarioReader, decl: ChartDecl) -> None:
        """Read this declaration."""
        self.cases, self.decl = cases, decl
        self.dims = cases.graph.dims

    def report(self, message: str, span: Span, hint: str, code: Code = CHART) -> None:
        """Report a finding."""
        self.cases.findings.append(Diagnostic(code, message, Label(span), hint))

    def chart(self) -> Chart | None:
        """Read the chart; ``None`` if it, or what it names, has errors."""
        decl = self.decl
        found = self.x()
        cells = self.y(found[0] if found else "")
        if not found or len(cells) < len(decl.y):
            return None
        dim, x = found
        if not self.fits(dim, cells):
            return None
        numbers = tuple(cell.number for cell in cells)
        kind = cast("Literal['line', 'column', 'stacked', 'scatter']", decl.kind)
        return Chart(kind, decl.title, dim, x.number if x else None, numbers, decl.log)

    def x(self) -> tuple[str, Cell | None] | None:
        """Return the dim of the chart, and the series on its x axis if there is one."""
        graph, node = self.cases.graph, self.decl.x
        name = node.text.text.strip()
        target = graph.resolve(graph.sheets.root, name.split("."))
        if target is None and "[" not in name:
            hint = did_you_mean(name, self.known(), "name a dim, or a series")
            self.report(f"there is no dim and no series `{name}`", node.span, hint, UNKNOWN_CELL)
            return None
        if isinstance(target, DimTarget | TableTarget):
            dim = target.dim if isinstance(target, DimTarget) else target.table
            return (dim, None) if dim in self.dims and self.labels_fit(dim) else None
        number = self.cases.cell_number(graph.sheets.root, node)
        cell = None if number is None else self.cases.cells[number]
        return self.series(cell) if cell is not None else None

    def known(self) -> list[str]:
        """List what may be on the x axis, as this sheet names it."""
        start = ".".join((*self.cases.graph.sheets.paths[self.cases.graph.sheets.root], ""))
        names = [cell.name for cell in self.cases.cells if cell and cell.type.dims]
        return [name.removeprefix(start) for name in (*self.dims, *names)]

    def labels_fit(self, dim: str) -> bool:
        """Whether the labels of a dim have positions on the axis."""
        place, kind = self.decl.x, self.dims[dim].kind
        if self.decl.kind == "scatter" and kind not in {"count", "time"}:
            columns = self.cases.graph.tables[dim].columns if dim in self.cases.graph.tables else {}
            column = next((c for c, n in columns.items() if self.is_number(n)), "")
            hint = f"name a column of it, `{place.text.text.strip()}.{column}`" if column else ""
            hint = hint or "use `line` or `column`, or name a series"
            self.report(f"the labels of `{dim}` are not numbers", place.span, hint)
            return False
        if "x" in self.decl.log:
            self.report("labels have no logarithmic scale", place.span, "name a series as `x`")
            return False
        return True

    def is_number(self, number: int) -> bool:
        """Whether a cell holds numbers."""
        cell = self.cases.cells[number]
        return cell is not None and cell.type.kind is Kind.NUMBER

    def series(self, cell: Cell) -> tuple[str, Cell] | None:
        """Accept a series over one dim as the x axis; report any other."""
        name, span, kind = self.decl.x.text.text.strip(), self.decl.x.span, cell.type.kind
        dims = [visible_dim(dim) for dim in cell.type.dims]
        to_scale = self.decl.kind == "scatter" or "x" in self.decl.log
        if not dims:
            self.report(f"`{name}` is a single value", span, "name a dim, or a series")
        elif len(dims) > 1:
            message = f"`{name}` varies over {' and '.join(f'`{dim}`' for dim in dims)}"
            self.report(message, span, f"name one of the dims: `x: {dims[0]}`")
        elif kind is Kind.TRUTH:
            self.report(f"`{name}` is true or false", span, f"name its dim: `x: {dims[0]}`")
        elif to_scale and kind not in {Kind.NUMBER, Kind.DATE}:
            self.report(f"`{name}` is {cell.type}", span, "name a series of numbers")
        elif "x" in self.decl.log and kind is Kind.DATE:
            self.report("dates have no logarithmic scale", span, "leave `x` out of `log`")
        else:
            return dims[0], cell
        return None

    def y(self, dim: str) -> list[Cell]:
        """Resolve the series shown, each once; without a known ``dim`` only look them up."""
        found: dict[int, YamlScalar] = {}
        cells: list[Cell] = []
        for node in self.decl.y:
            number = self.cases.cell_number(self.cases.graph.sheets.root, node)
            cell = None if number is None else self.cases.cells[number]
            if cell is None:
                continue
            if cell.number in found:
                message = f"`{node.text.text.strip()}` is listed twice in `y`"
                self.report(message, node.span, "remove one", DUPLICATE_KEY)
            elif not dim or self.runs(node, cell, dim):
                found[cell.number] = node
                cells.append(cell)
        return cells

    def runs(self, node: YamlScalar, cell: Cell, dim: str) -> bool:
        """Whether a series holds numbers along the dim; report it if not."""
        name = node.text.text.strip()
        dims = [visible_dim(one) for one in cell.type.dims]
        if not dims:
            self.report(
                f"`{name}` is a single value",
                node.span,
                "name a series: a single value cannot be drawn",
            )
        elif dim not in dims:
            over = " and ".join(f"`{one}`" for one in dims)
            hint = f"give it a chart of its own: `x: {dims[0]}`"
            self.report(f"`{name}` varies over {over}, not over `{dim}`", node.span, hint)
        elif len(set(dims)) < len(dims):
            message = f"`{name}` varies over one dim twice"
            self.report(message, node.span, "name a cell of this sheet that reads it")
        elif cell.type.kind is not Kind.NUMBER:
            self.report(f"`{name}` is {cell.type}", node.span, "a chart shows numbers")
        else:
            return True
        return False

    def fits(self, dim: str, cells: list[Cell]) -> bool:
        """Whether the series fit in one chart, in one unit; report it if not."""
        decl, size = self.decl, self.dims[dim].size
        most = COLUMNS if decl.kind in {"column", "stacked"} else POINTS
        lines = sum(self.lines(cell, dim) for cell in cells)
        if size > most:
            hint = "use `line`" if size <= POINTS else "show a part of it, or sums"
            message = f"`{dim}` has {size:,} labels; this chart shows {most:,} at most"
            self.report(message, decl.x.span, hint)
        elif lines > LINES:
            message = f"{lines:,} lines; more than {LINES} cannot be told apart"
            self.report(message, decl.place, "show fewer, or aggregate over a dim")
        elif decl.kind == "stacked" and "y" in decl.log:
            hint = "use `column`, or leave `log` out"
            self.report("a stacked chart has no logarithmic scale", decl.place, hint)
        else:
            return all(self.one_unit(node, cells[0], cell) for node, cell in self.pairs(cells))
        return False

    def lines(self, cell: Cell, dim: str) -> int:
        """Count the lines of a series: one for each label of its other dims."""
        names = [visible_dim(one) for one in cell.type.dims]
        return prod(self.dims[one].size for one in names if one != dim)

    def pairs(self, cells: list[Cell]) -> list[tuple[YamlScalar, Cell]]:
        """Pair each series with its name."""
        return list(zip(self.decl.y, cells, strict=True))

    def one_unit(self, node: YamlScalar, first: Cell, cell: Cell) -> bool:
        """Whether a series has the unit of the first one; report it if not."""
        own, other = cell.type.unit, first.type.unit
        if own.same_as(other):
            return True
        hint = "make a chart of each"
        if own.dimension == other.dimension:
            hint = f"keep both in one unit, as by `-> {other}`, or {hint}"
        message = f"`{node.text.text.strip()}` is in {cell.type}, the first series in {first.type}"
        others = (Label(self.decl.y[0].span, f"in {first.type}"),)
        self.cases.findings.append(Diagnostic(ONE_AXIS, message, Label(node.span), hint, others))
        return False
