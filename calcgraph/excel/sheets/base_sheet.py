"""The hidden metadata sheet: base values, parity, stored values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.values import Failure, Kind, Series
from calcgraph.engine import compute_part
from calcgraph.excel.formulas.pieces import number_text
from calcgraph.excel.layout.blocks import NOWHERE, block_reference, flat
from calcgraph.excel.sheets.builder import (
    HEAD,
    cached,
    entry_text,
    is_number,
    place_text,
    yaml_path,
)
from calcgraph.excel.sheets.inputs_sheet import add_choices
from calcgraph.excel.sheets.scenarios_sheet import EMPTY, override_text, own_changes, touched
from calcgraph.excel.sheets.series_sheet import changes_name
from calcgraph.excel.xlsx.pages import XlsxCell, ref
from calcgraph.functions.kernels.series import added
from calcgraph.model import Apply, Load, walk_op

if TYPE_CHECKING:
    from calcgraph.core.values import Value
    from calcgraph.excel.layout.blocks import Block
    from calcgraph.excel.sheets.builder import Builder
    from calcgraph.excel.xlsx.pages import Cached, Page
    from calcgraph.model import Cell


MOST = 500
"""Values of a block that have a line each."""
MOST_STORED = 50_000
FIRST_COLUMN = 14


def stored_cells(builder: Builder) -> set[int]:
    """Choose the large cells whose values are stored one by one: the smaller first."""
    cells, blocks = builder.request.model.cells, builder.spelling.blocks
    large = [
        block
        for number, block in blocks.items()
        if number < len(cells) and cells[number].kind == "calc" and is_large(block)
    ]
    found: set[int] = set()
    room = MOST_STORED
    for block in sorted(large, key=lambda block: len(block.values)):
        room -= len(block.values)
        if room >= 0 and not any(isinstance(value, Failure) for value in block.values):
            found.add(block.number)
    return found


def is_large(block: Block) -> bool:
    """Whether a block has too many values for a line each."""
    return block.height * block.width > MOST


def store(builder: Builder, page: Page, numbers: set[int]) -> dict[int, str]:
    """Write the engine's values of blocks, side by side in columns; return the place of each."""
    model, column, row = builder.request.model, FIRST_COLUMN, HEAD + 1
    blocks = [builder.spelling.blocks[number] for number in sorted(numbers)]
    found: dict[int, str] = {}
    downs = [block for block in blocks if block.width == 1]
    for block in [*downs, *(block for block in blocks if block.width > 1)]:
        if block.width > 1 and column > FIRST_COLUMN:
            column, row = FIRST_COLUMN, HEAD + 1 + max(down.height for down in downs)
        last = page.at(row + block.height - 1, column + block.width - 1)
        found[block.number] = f"{page.at(row, column)}:{last}"
        for at in range(block.height * block.width):
            down, across = divmod(at, block.width)
            value = cached(block.values[flat(model, block, down, across)])
            if value != "":
                page.put(row + down, column + across, XlsxCell(value, style="place"))
        column, row = (column + 1, row) if block.width == 1 else (column, row + block.height)
    return found


def differing(builder: Builder, cell: Cell, stored: str, facts: tuple[str, str]) -> str:
    """Count the values that differ from those stored, by a comparison that texts do not disturb.

    ``facts`` are the tolerance, relative to the value, and what is allowed besides.
    """
    now, (tolerance, noise) = ref(builder.spelling.cells[cell.number]), facts
    if not is_number(cell.type):
        is_truth = cell.type.kind is Kind.TRUTH
        unlike = f"--({now}<>{stored})" if is_truth else f"1-EXACT({now},{stored})"
        return f"SUMPRODUCT({unlike})"
    allowed = f"{tolerance}*ABS({stored}){noise}"
    outside = f"({now}<{stored}-({allowed}))+({now}>{stored}+{allowed})"
    if not cell.may_be_na:
        return f"SUMPRODUCT({outside})"
    gaps = f'SUMPRODUCT(--(({now}="")<>({stored}="")))'
    return f'{gaps}+SUMPRODUCT(({now}<>"")*({outside}))'


CLOSE, ROUGH = "1E-9", "1E-6"


def add_parity(builder: Builder, page: Page) -> None:
    """Compare the engine's values with the live ones, cell by cell."""
    first = page.row
    stored = store(builder, page, stored_cells(builder))
    for cell in filter(builder.spelling.shows, builder.request.model.cells):
        if cell.kind == "calc" and not cell.type.dims:
            _parity_row(builder, page, cell)
        elif cell.kind == "calc":
            _parity_of_series(builder, page, cell, stored.get(cell.number, ""))
    if page.row == first:
        page.put(page.row, 10, XlsxCell(0.0, style="place"))
        page.put(page.row, 11, XlsxCell(value=True, style="place"))
        page.row += 1
    builder.name(page, "cg.live_values", first, 10, page.row - 1)
    builder.name(page, "cg.parity", first, 11, page.row - 1)


def _parity_row(builder: Builder, page: Page, cell: Cell) -> None:
    """Compare the engine's value with the live one."""
    value = builder.request.now.values[cell.number]
    name = ref(builder.spelling.cells[cell.number])
    builder.was[cell.number] = page.at(page.row, 9, sheet=True)
    page.put(page.row, 2, XlsxCell(builder.spelling.cells[cell.number], style="place"))
    _line(builder, page, cell, (cell.name, name, value, _noise(builder, cell)))


def _parity_of_series(builder: Builder, page: Page, cell: Cell, stored: str) -> None:
    """Compare each of the engine's values with the live one; of very many, only the sums."""
    model, block = builder.request.model, builder.spelling.blocks[cell.number]
    if stored:
        _differing(builder, page, cell, stored)
        return
    if is_large(block):
        _sums(builder, page, cell)
        return
    noise = _noise_of_series(builder, cell)
    for at in range(block.height * block.width):
        down, across = divmod(at, block.width)
        position = flat(model, block, down, across)
        key = f"{cell.name}[{entry_text(model, cell.type.dims, position)}]"
        now = block_reference(NOWHERE, block.number, f"#{down}", f"#{across}")
        _line(builder, page, cell, (key, now, block.values[position], noise))


def _line(builder: Builder, page: Page, cell: Cell, facts: tuple[str, str, Value, str]) -> None:
    """Write the engine's value, the live one, and whether they are equal."""
    key, now, value, noise = facts
    row, shown = page.row, cached(value)
    page.put(row, 1, XlsxCell(key, style="place"))
    is_error = isinstance(shown, str) and shown.startswith("#")
    page.put(row, 9, XlsxCell(shown if shown != "" else None, style="place"))
    page.put(
        row, 10, XlsxCell(shown, now if not cell.may_be_na else f'IF({now}="","",{now})', "place")
    )
    if is_error:
        text = f"ISERROR(J{row})"
    elif is_number(cell.type) and shown != "":
        tolerance = ROUGH if cell.number in builder.spelling.rough else CLOSE
        near = f"ABS(J{row}-I{row})<={tolerance}*MAX(ABS(J{row}),ABS(I{row})){noise}"
        text = f"IF(ISNUMBER(J{row}),{near},FALSE)"
    else:
        text = f'IF(ISERROR(J{row}),FALSE,EXACT(J{row}&"",I{row}&""))'
    page.put(row, 11, XlsxCell(value=True, formula=text, style="place"))
    page.row += 1


def _differing(builder: Builder, page: Page, cell: Cell, stored: str) -> None:
    """Count in one cell the values of a large block that are not the engine's."""
    row = page.row
    tolerance = ROUGH if cell.number in builder.spelling.rough else CLOSE
    noise = _noise_of_series(builder, cell) if is_number(cell.type) else ""
    counted = differing(builder, cell, stored, (tolerance, noise))
    page.put(row, 1, XlsxCell(f"{cell.name}: values that differ", style="place"))
    page.put(row, 9, XlsxCell(0.0, style="place"))
    page.put(row, 10, XlsxCell(0.0, counted, "place"))
    page.put(
        row, 11, XlsxCell(value=True, formula=f"IF(ISERROR(J{row}),FALSE,J{row}=0)", style="place")
    )
    page.row += 1


def _sums(builder: Builder, page: Page, cell: Cell) -> None:
    """Compare what the numbers of a large block add up to, and how many there are."""
    block, name = builder.spelling.blocks[cell.number], ref(builder.spelling.cells[cell.number])
    values = block.values
    numbers = [v for v in values if isinstance(v, float) and not isinstance(v, bool)]
    failed = sum(isinstance(value, Failure) for value in values)
    facts: list[tuple[str, str, float]] = [
        ("failures", f"SUMPRODUCT(--ISERROR({name}))", float(failed)),
        ("there at all", f"COUNTA({name})", float(len(values))),
    ]
    if cell.type.kind is Kind.TRUTH:
        trues = float(sum(value is True for value in values))
        facts.append(("trues", f"COUNTIF({name},TRUE)", trues))
    elif is_number(cell.type):
        facts.append(("numbers", f"COUNT({name})", float(len(numbers))))
        facts += [] if failed else [("sum", f"SUM({name})", added(numbers))]
    for what, formula, value in facts:
        row = page.row
        page.put(row, 1, XlsxCell(f"{cell.name}: {what}", style="place"))
        page.put(row, 9, XlsxCell(value, style="place"))
        page.put(row, 10, XlsxCell(value, formula, "place"))
        near = f"ABS(J{row}-I{row})<={CLOSE}*MAX(ABS(J{row}),ABS(I{row}))"
        page.put(row, 11, XlsxCell(value=True, formula=near, style="place"))
        page.row += 1


def _noise(builder: Builder, cell: Cell) -> str:
    """Allow for a sum or difference that Excel takes for 0: 1e-15 of its largest operand."""
    op = cell.op
    is_number = isinstance(builder.request.now.values[cell.number], float)
    if not is_number or not isinstance(op, Apply) or op.function.name not in {"+", "-"}:
        return ""
    sides = [compute_part(builder.request.now, cell.number, side) for side in op.args]
    return _noise_text([side for side in sides if isinstance(side, float)])


def _noise_of_series(builder: Builder, cell: Cell) -> str:
    """Allow as much for each value of a series, by the largest number it is made of."""
    assert cell.op is not None, "a calculated cell has a tree"
    sizes: list[float] = []
    for op in walk_op(cell.op):
        if isinstance(op, Load):
            value = builder.request.now.values[op.cell]
            data = value.data if isinstance(value, Series) else [value]
            sizes += [one for one in data if isinstance(one, float)]
    return _noise_text(sizes)


def _noise_text(sizes: list[float]) -> str:
    largest = max((abs(size) for size in sizes), default=0.0)
    return f"+{number_text(float(f'{largest * 1e-15:.0e}'))}" if largest else ""


LIVE, ROW_WITHIN = 10, 12


HEADS = (
    "key",
    "name",
    "value",
    "exact text",
    "unit",
    "kind",
    "YAML path",
    "file:line",
    "engine",
    "live",
    "equal",
    "row",
)
WIDTHS = (44, 34, 24, 24, 16, 9, 44, 18, 24, 24, 10, 8)


def add_base(builder: Builder) -> None:
    """Write what pull compares a returned workbook with, and the engine's values for parity."""
    page = builder.page("_Base", "_Base", "Machine data, do not edit.", WIDTHS)
    for column in (2, 4):
        page.cells.pop((3, column), None)
    builder.heads(page, HEADS, "n" * len(HEADS))
    page.last_printed = 9
    _facts(builder, page)
    for cell in builder.request.model.cells:
        if cell.kind == "input" and not cell.type.dims:
            _base_row(builder, page, cell)
    add_parity(builder, page)
    _whole_series(builder, page)
    builder.places["cg.changes"] = _changes(builder, page)
    page.row += 1
    add_choices(builder, page)


def _facts(builder: Builder, page: Page) -> None:
    """Write what was exported, from what."""
    request = builder.request
    facts = {
        "fingerprint": request.fingerprint,
        "sheet": request.file,
        "version": "1",
        "scenario": request.scenario,
    }
    for key, text in facts.items():
        page.put(page.row, 1, XlsxCell(key, style="place"))
        page.put(page.row, 3, XlsxCell(text, style="place"))
        if key == "scenario":
            builder.name(page, "cg.exported_scenario", page.row, 3)
        page.row += 1


def _base_row(builder: Builder, page: Page, cell: Cell) -> None:
    request = builder.request
    value = request.before.values[cell.number]
    node = request.model.graph.nodes[cell.number]
    name = builder.spelling.base.get(cell.number, builder.spelling.cells[cell.number])
    plain = value if isinstance(value, float | bool | str) else None
    facts: tuple[Cached, ...] = (
        cell.name, name, plain, _exact(value), *_unit_and_kind(cell),
        yaml_path(request.model, cell), place_text(node.decl.key.span),
    )  # fmt: skip
    for column, fact in enumerate(facts, 1):
        page.put(page.row, column, XlsxCell(fact, style="place"))
    page.row += 1


def _exact(value: Value) -> str:
    """Write an input so that reading it again gives the same value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else value if isinstance(value, str) else ""


def _whole_series(builder: Builder, page: Page) -> None:
    """Count the filled cells of each series: a formula for every label, and no more cells.

    Excel 2010 cannot tell a formula from a number typed over it; parity catches that.
    """
    first = page.row
    for number, block in builder.spelling.blocks.items():
        if not block.text:
            continue
        row, name = page.row, builder.spelling.name_of(number) or block.label
        count = block.height * block.width
        now = block_reference(NOWHERE, number, "*", "*")
        size = f"ROWS({now})*COLUMNS({now})"
        page.put(row, 1, XlsxCell(f"{name}: formulas", style="place"))
        page.put(row, 9, XlsxCell(float(count), style="place", format="0"))
        page.put(row, 10, XlsxCell(float(count), f"COUNTA({now})", "place", "0"))
        page.put(row, 11, XlsxCell(True, f"AND(J{row}=I{row},{size}=I{row})", "place"))  # noqa: FBT003
        page.row += 1
    if page.row > first:
        builder.name(page, "cg.series", first, 11, page.row - 1)


def _changes(builder: Builder, page: Page) -> str:
    """Count what differs from the export: inputs, entries of tables, overrides of scenarios."""
    parts: list[str] = []
    inputs = next((p for p in builder.pages if p.name == "Inputs"), None)
    if inputs is not None:
        statuses = f"'Inputs'!$J$5:$J${inputs.row - 1}"
        parts.append(f'COUNTA({statuses})-COUNTIF({statuses},"OK")')
    first = page.row
    for table in builder.request.model.graph.tables.values():
        for column, number in table.columns.items():
            if not table.is_grid:
                keys = [f"{table.name}[{k}].{column}" for k in table.labels]
                _copy_of_column(builder, page, number, keys)
    for cell in builder.request.model.cells:
        if cell.kind == "input" and cell.type.dims:
            _copy_of_series(builder, page, cell)
    if builder.request.model.scenarios:
        _copy_of_overrides(builder, page)
    if page.row > first:
        parts.append(f"SUM('{page.name}'!$J${first}:$J${page.row - 1})")
    return "+".join(parts) or "0"


def _copy_of_column(builder: Builder, page: Page, number: int, keys: list[str]) -> None:
    """Copy a column's entries as exported."""
    cell = builder.request.model.cells[number]
    series = builder.request.before.values[number]
    assert isinstance(series, Series), "a column is a series"
    name = builder.spelling.base.get(number, builder.spelling.cells[number])
    _copies(builder, page, name, [(k, cell, v) for k, v in zip(keys, series.whole, strict=True)])


def _copy_of_series(builder: Builder, page: Page, cell: Cell) -> None:
    """Copy the entries of an input along dims as given, and show for each whether it differs."""
    model, spelling = builder.request.model, builder.spelling
    block = spelling.given.get(cell.number, spelling.blocks[cell.number])
    name = spelling.base.get(cell.number, spelling.cells[cell.number])
    first, size = page.row, block.height * block.width
    flags = f"{page.at(first, LIVE, sheet=True)}:{page.at(first + size - 1, LIVE)}"
    builder.places[changes_name(cell.number)] = flags
    for at in range(size):
        down, across = divmod(at, block.width)
        if across == 0:
            last = page.at(page.row + block.width - 1, LIVE)
            row = f"{page.at(page.row, LIVE, sheet=True)}:{last}"
            builder.places[changes_name(cell.number, down)] = row
        position = flat(model, block, down, across)
        value = block.values[position]
        assert not isinstance(value, Failure), "what is given has not failed"
        key = f"{cell.name}[{entry_text(model, cell.type.dims, position)}]"
        facts: tuple[Cached, ...] = (key, name, value, _exact(value), *_unit_and_kind(cell))
        for column, fact in enumerate(facts, 1):
            page.put(page.row, column, XlsxCell(fact, style="place"))
        page.put(page.row, ROW_WITHIN, XlsxCell(float(at + 1), style="place", format="0"))
        now = block_reference(NOWHERE, block.number, f"#{down}", f"#{across}")
        page.put(page.row, LIVE, XlsxCell(0.0, f"IF({now}=C{page.row},0,1)", "place", "0"))
        page.row += 1


def _copy_of_overrides(builder: Builder, page: Page) -> None:
    """Copy the overrides of every scenario as exported."""
    targets, own = touched(builder.request), own_changes(builder.request)
    for name, changes in own.items():
        copies: list[tuple[str, Cell, Cached]] = []
        for target in targets:
            value: Cached = changes.get(target)
            if target in changes and value is None:
                value = EMPTY
            cell, _, key = override_text(builder, target)
            copies.append((f"{name}: {key}", cell, value))
        _copies(builder, page, f"cg.scenario.{name}", copies)


def _copies(
    builder: Builder, page: Page, name: str, copies: list[tuple[str, Cell, Cached]]
) -> None:
    """Copy a named block cell by cell, and count in its first row what differs from it."""
    first = page.row
    for at, (key, cell, value) in enumerate(copies, 1):
        facts: tuple[Cached, ...] = (key, name, value, _exact(value), *_unit_and_kind(cell))
        for column, fact in enumerate(facts, 1):
            page.put(page.row, column, XlsxCell(fact, style="place"))
        page.put(page.row, ROW_WITHIN, XlsxCell(float(at), style="place", format="0"))
        page.row += 1
    if copies:
        mine = f"'{page.name}'!$C${first}:$C${page.row - 1}"
        count = f"SUMPRODUCT(--({builder.places[name]}<>{mine}))"
        page.put(first, LIVE, XlsxCell(0.0, count, "place", "0"))


def _unit_and_kind(cell: Cell) -> tuple[str, str]:
    unit = str(cell.type.unit) if cell.type.kind is Kind.NUMBER else ""
    return unit, cell.type.kind.value
