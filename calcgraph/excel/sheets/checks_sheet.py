"""The Checks sheet, and labels of failing checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.analysis.descriptions import label_of
from calcgraph.core.values import NUMBER, Failure
from calcgraph.engine import compute_part
from calcgraph.excel.formulas.translator import COMPARISONS, Comparison, comparison, condition
from calcgraph.excel.layout.blocks import NOWHERE, block_reference
from calcgraph.excel.sheets.base_sheet import is_large
from calcgraph.excel.sheets.builder import cached, place_text
from calcgraph.excel.sheets.series_sheet import faults
from calcgraph.excel.xlsx.pages import XlsxCell, ref
from calcgraph.excel.xlsx.styles import number_format
from calcgraph.model import BASE, Apply, Load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calcgraph.analysis.results import CheckResult
    from calcgraph.core.values import Type, Value
    from calcgraph.excel.formulas.references import Residual
    from calcgraph.excel.layout.blocks import Block
    from calcgraph.excel.sheets.builder import Builder
    from calcgraph.excel.xlsx.pages import Cached, Page


def _whole(block: Block) -> str:
    return block_reference(NOWHERE, block.number, "*", "*")


def check_labels(builder: Builder, page: Page, check: CheckResult) -> None:
    """Count the labels at which a check does not hold; they are listed on a page of their own."""
    row, block = page.row, builder.spelling.blocks[check.cell]
    word = "ERROR" if check.is_error else "WARNING"
    where = builder.page_of.get(check.cell)
    failing = sum(value is False or isinstance(value, Failure) for value in block.values)
    asked = sum(value is not None for value in block.values)
    values = _whole(block)
    counted = f"COUNTIF({values},FALSE)+SUMPRODUCT(--ISERROR({values}))"
    link = f"{where[0]}!A{where[1]}" if where else ""
    page.put(row, 1, XlsxCell(f"{check.name}  ›", link=link))
    page.put(row, 2, XlsxCell(float(failing), counted, "calc", "0"))
    page.put(row, 3, XlsxCell("labels fail", style="unit"))
    page.put(row, 4, XlsxCell("=", style="status"))
    page.put(row, 5, XlsxCell(0.0, style="constant", format="0"))
    page.put(row, 6, XlsxCell(style="constant"))
    page.put(row, 7, XlsxCell("error" if check.is_error else "warning", style="status"))
    is_asked = f"COUNTIF({values},TRUE)+B{row}=0"
    result = word if failing else "OK" if asked else "–"
    page.put(row, 8, XlsxCell(result, f'IF(B{row}>0,"{word}",IF({is_asked},"–","OK"))', "status"))
    _first(builder, page, check, word)
    node = builder.request.model.graph.nodes[check.cell]
    page.put(row, 10, XlsxCell(place_text(node.decl.key.span), style="place"))
    builder.grow(page, (check.name, 1, 10), (check.message, 9, 9))


def _first(builder: Builder, page: Page, check: CheckResult, word: str) -> None:
    """Show the message of the first label that fails, along one dim."""
    cells, blocks = builder.request.model.cells, builder.spelling.blocks
    block, row = blocks[check.cell], page.row
    following = check.cell + 1
    is_message = following < len(cells) and cells[following].kind == "message"
    message = blocks.get(following) if is_message else None
    if message is None or message.dims != block.dims or len(block.dims) != 1:
        page.put(row, 9, XlsxCell(style="note"))
        return
    first = next((at for at, value in enumerate(block.values) if value is False), None)
    said = message.values[first] if first is not None else ""
    found = f"INDEX({_whole(message)},MATCH(FALSE,{_whole(block)},0))"
    text = f'IF(H{row}="{word}",IFERROR({found},""),"")'
    page.put(row, 9, XlsxCell(said if isinstance(said, str) else "", text, "note"))


def failed_entries(builder: Builder) -> int:
    """Count the values of series that failed at the export, as parity's page counts them."""
    found = 0
    for cell in filter(builder.spelling.shows, builder.request.model.cells):
        if cell.kind == "calc" and cell.type.dims:
            block = builder.spelling.blocks[cell.number]
            if not is_large(block):
                found += sum(isinstance(value, Failure) for value in block.values)
    return found


def series_checks(builder: Builder) -> Iterator[tuple[str, str]]:
    """Yield, for each series that can be set, a label and the count of its invalid entries."""
    for cell in builder.request.model.cells:
        if cell.kind != "input" or not cell.type.dims:
            continue
        spelling = builder.spelling
        block = spelling.given.get(cell.number, spelling.blocks[cell.number])
        parts = "+".join(count for count, _ in faults(builder, cell, _whole(block)))
        if parts:
            yield f"every entry of {cell.name} is there, of its kind and in bounds", parts


def residual_row(builder: Builder, page: Page, residual: Residual) -> None:
    """Show the residual at a rate found by trial; nothing where there is no rate."""
    model, row = builder.request.model, page.row
    cell = model.cells[residual.cell]
    left = _left(builder, residual)
    name = f"{label_of(model, cell)}: the flows come to 0 at that rate"
    page.put(row, 1, XlsxCell(name))
    page.put(row, 2, XlsxCell(left, f'IFERROR({residual.text},"")', "calc", "0E+00"))
    page.put(row, 3, XlsxCell("of the largest flow", style="unit"))
    page.put(row, 4, XlsxCell("≤", style="status"))
    page.put(row, 5, XlsxCell(residual.limit, style="constant", format="0E+00"))
    page.put(row, 6, XlsxCell(style="constant"))
    page.put(row, 7, XlsxCell("error", style="status"))
    is_fine = isinstance(left, float) and left <= residual.limit
    judged = f'IF(B{row}="","–",IF(B{row}<=E{row},"OK","ERROR"))'
    page.put(
        row, 8, XlsxCell("OK" if is_fine else "–" if left == "" else "ERROR", judged, "status")
    )
    page.put(row, 9, XlsxCell(style="note"))
    place = place_text(model.graph.nodes[residual.cell].decl.key.span)
    page.put(row, 10, XlsxCell(place, style="place"))
    builder.grow(page, (name, 1, 10))
    page.row += 1


def _left(builder: Builder, residual: Residual) -> float | str:
    """Compute the residual: the largest of all rates; an empty text where there is none."""
    if residual.block is not None:
        values = list(residual.block.values)
        if any(isinstance(value, Failure) for value in values):
            return ""
        return max((value for value in values if isinstance(value, float)), default=0.0)
    value = compute_part(builder.request.now, residual.cell, residual.op)
    return value if isinstance(value, float) else ""


WIDTHS = (48, 18, 14, 9, 15, 11, 11, 14, 60, 15)
HEADS = (
    "Check",
    "Value",
    "Unit",
    "Must be",
    "Limit",
    "Tolerance",
    "Counts as",
    "Result",
    "What is wrong",
    "YAML",
)
MODEL_FIRST = 14
CLOSE = "1E-9"


def add_checks(builder: Builder) -> None:
    """Write the master check, the sheet's checks, and what every workbook checks of itself."""
    purpose = "Does the model hold together? One master check is shown on every sheet."
    page = builder.page("Checks", "Checks", purpose, WIDTHS)
    builder.heads(page, HEADS, "lrucrrccnn")
    builder.section(page, "Master check", len(HEADS))
    page.row = MODEL_FIRST - 1
    builder.section(page, "Checks of the model", len(HEADS))
    cells = builder.request.model.cells
    for check in builder.request.checks:
        if not builder.spelling.shows(cells[check.cell]):
            continue
        _check_row(builder, page, check)
    builder.section(page, "Checks of the workbook", len(HEADS))
    _workbook_checks(builder, page)
    _master(builder, page, page.row - 1)
    page.words.append(f"H{MODEL_FIRST}:H{page.row - 1}")


def _check_row(builder: Builder, page: Page, check: CheckResult) -> None:
    request, row = builder.request, page.row
    place = place_text(request.model.graph.nodes[check.cell].decl.key.span)
    builder.page_of[check.cell] = (page.name, row)
    page.put(row, 1, XlsxCell(check.name))
    page.put(row, 3, XlsxCell(style="unit"))
    if request.model.cells[check.cell].type.dims:
        check_labels(builder, page, check)
        page.row += 1
        return
    apart = comparison(builder.spelling, request.model.cells[check.cell])
    if apart is not None:
        _compared(builder, page, check, apart)
    else:
        _truth(builder, page, check)
    page.put(row, 7, XlsxCell("error" if check.is_error else "warning", style="status"))
    _what_is_wrong(builder, page, check)
    page.put(row, 10, XlsxCell(place, style="place"))
    builder.grow(page, (check.name, 1, 10), (check.message, 9, 9))
    page.row += 1


def _words(check: CheckResult) -> tuple[str, str]:
    """Return the word for a check that does not hold, and the one for its outcome."""
    word = "ERROR" if check.is_error else "WARNING"
    return word, "–" if check.ok is None else "OK" if check.ok else word


def _compared(builder: Builder, page: Page, check: CheckResult, apart: Comparison) -> None:
    """Show both sides of a comparison, each as a formula of its own."""
    row = page.row
    word, result = _words(check)
    left, right = (_computed(builder, at, check) for at in (0, 1))
    type_ = _type_of(builder, check)
    unit = "" if type_.unit.percent or type_.unit.is_pure else str(type_.unit)
    page.put(row, 2, XlsxCell(cached(left), apart.left, "calc", number_format(left, type_)))
    page.put(row, 3, XlsxCell(unit or None, style="unit"))
    page.put(row, 4, XlsxCell(COMPARISONS[apart.mark], style="status"))
    page.put(row, 5, XlsxCell(cached(right), apart.right, "calc", number_format(right, type_)))
    mark = apart.mark.removesuffix(" in check")
    tolerance = float(CLOSE) if mark in {"==", "!="} else None
    page.put(row, 6, XlsxCell(tolerance, style="constant", format="0E+00"))
    judged = f'IF(ISERROR(B{row}),"{word}",IF({_comparing(mark, row)},"OK","{word}"))'
    page.put(row, 8, XlsxCell(result, judged, "status"))


def _type_of(builder: Builder, check: CheckResult) -> Type:
    """Find what a comparison compares, where its left side is a cell; else a plain number."""
    cells = builder.request.model.cells
    op = cells[check.cell].op
    left = op.args[0] if isinstance(op, Apply) else None
    return cells[left.cell].type if isinstance(left, Load) else NUMBER


def _comparing(mark: str, row: int) -> str:
    if mark in {"==", "!="}:
        inside = f"ABS(B{row}-E{row})<={CLOSE}*MAX(ABS(B{row}),ABS(E{row}))"
        return inside if mark == "==" else f"NOT({inside})"
    return f"B{row}{mark}E{row}"


def _truth(builder: Builder, page: Page, check: CheckResult) -> None:
    """Show a condition as TRUE or FALSE where it is no comparison of two numbers."""
    row = page.row
    word, result = _words(check)
    text = condition(builder.spelling, builder.request.model.cells[check.cell])
    value = builder.request.now.values[check.cell]
    page.put(row, 2, XlsxCell(cached(value), text, "calc"))
    page.put(row, 4, XlsxCell("TRUE", style="status"))
    page.put(row, 5, XlsxCell(style="calc"))
    page.put(row, 6, XlsxCell(style="constant"))
    formula = f'IF(ISERROR(B{row}),"{word}",IF(B{row}="","–",IF(B{row},"OK","{word}")))'
    page.put(row, 8, XlsxCell(result, formula, "status"))


def _what_is_wrong(builder: Builder, page: Page, check: CheckResult) -> None:
    """Show the check's message where it does not hold: beside an OK it would mislead."""
    model = builder.request.model
    following = check.cell + 1
    is_message = following < len(model.cells) and model.cells[following].kind == "message"
    op = model.cells[following].op if is_message else None
    if op is None:
        page.put(page.row, 9, XlsxCell(style="note"))
        return
    value = cached(builder.request.now.values[following]) if check.ok is False else ""
    said = f'IF(H{page.row}="{_words(check)[0]}",{builder.spelling.text(op)},"")'
    page.put(page.row, 9, XlsxCell(value, said, "note"))


def _computed(builder: Builder, at: int, check: CheckResult) -> Value:
    """Compute one side of a comparison: a cell of its own in the workbook, part of one here."""
    op = builder.request.model.cells[check.cell].op
    assert isinstance(op, Apply), "only a comparison is taken apart"
    return compute_part(builder.request.now, check.cell, op.args[at])


def _workbook_checks(builder: Builder, page: Page) -> None:
    """Write what every workbook checks of itself."""
    request = builder.request
    inputs = next((p for p in builder.pages if p.name == "Inputs"), None)
    if inputs is not None:
        statuses = f"'{inputs.name}'!$J$5:$J${inputs.row - 1}"
        bad = f'COUNTA({statuses})-COUNTIF({statuses},"OK")-COUNTIF({statuses},"CHANGED")'
        _own_check(page, "every input is of its kind and within its bounds", bad, 0)
    for text, count in series_checks(builder):
        _own_check(page, text, count, 0)
    failed = sum(
        isinstance(request.now.values[c.number], Failure)
        for c in request.model.cells
        if c.kind == "calc" and not c.type.dims
    )
    failed += failed_entries(builder)
    failing = f"SUMPRODUCT(--ISERROR({ref('cg.live_values')}))"
    _own_check(page, "no cell fails that did not fail at export", failing, failed)
    if "cg.series" in builder.places:
        broken = f"SUMPRODUCT(--({ref('cg.series')}=FALSE))"
        _own_check(page, "every series has a formula for each of its labels", broken, 0)
    for residual in builder.spelling.residuals:
        residual_row(builder, page, residual)
    unlike = f"SUMPRODUCT(--({ref('cg.parity')}=FALSE))"
    row = _own_check(page, "every result equals the engine's, as exported", unlike, 0)
    text = (
        f'IF({ref("cg.scenario")}<>{ref("cg.exported_scenario")},"other scenario",'
        f'IF({ref("cg.inputs_changed")}>0,"inputs changed",IF(B{row}=0,"OK","ERROR")))'
    )
    page.put(row, 4, XlsxCell("=", style="status"))
    page.put(row, 6, XlsxCell(float(CLOSE), style="constant", format="0E+00"))
    page.put(row, 8, XlsxCell("OK", text, "status"))


def _own_check(page: Page, name: str, formula: str, limit: int) -> int:
    """Write a count that must not exceed a limit; return its row."""
    row = page.row
    page.put(row, 1, XlsxCell(name))
    page.put(row, 2, XlsxCell(float(limit), formula, "calc", "0"))
    page.put(row, 4, XlsxCell("≤", style="status"))
    page.put(row, 5, XlsxCell(float(limit), style="constant", format="0"))
    page.put(row, 7, XlsxCell("error", style="status"))
    judged = f'IF(ISERROR(B{row}),"ERROR",IF(B{row}<=E{row},"OK","ERROR"))'
    page.put(row, 8, XlsxCell("OK", judged, "status"))
    _fill(page, row)
    page.row += 1
    return row


def _fill(page: Page, row: int) -> None:
    for column, style in ((3, "unit"), (6, "constant"), (9, "note"), (10, "place")):
        page.cells.setdefault((row, column), XlsxCell(style=style))


@dataclass(frozen=True, slots=True)
class _CheckRow:
    """A line of the master check: its label, its name, its formula and what it gives."""

    label: str
    name: str
    formula: str
    value: Cached


def _master(builder: Builder, page: Page, last: int) -> None:
    """Count what does not hold; these cells have names that every page shows."""
    for row, line in enumerate(_lines(builder, f"$H${MODEL_FIRST}:$H${last}"), 6):
        page.put(row, 1, XlsxCell(line.label))
        shape = "0_)" if isinstance(line.value, float) else ""
        page.put(row, 2, XlsxCell(line.value, line.formula, "calc", shape))
        for column in range(3, len(HEADS) + 1):
            page.put(row, column, XlsxCell(style="text"))
        builder.name(page, line.name, row, 2)


def _lines(builder: Builder, results: str) -> list[_CheckRow]:
    request = builder.request
    figures = builder.places.get("cg.figure_results", "")
    more = f'+COUNTIF({figures},"DIFFERS")' if figures else ""
    errors, warnings = ref("cg.errors"), ref("cg.warnings")
    counted = f'{errors}&IF({errors}=1," ERROR"," ERRORS")'
    warned = f'{warnings}&IF({warnings}=1," WARNING"," WARNINGS")'
    status = f'IF({errors}>0,{counted},IF({warnings}>0,"OK, "&{warned},"OK"))'
    pill = f'IF({errors}>0,{counted},IF({warnings}>0,{warned},"Checks OK"))'
    changed = ref("cg.inputs_changed")
    state = f'IF({changed}=0,"Inputs: as exported","Inputs: "&{changed}&" changed")'
    failing, warning = float(request.failing), float(request.warning)
    position = [BASE, *request.model.scenarios].index(request.scenario) + 1
    return [
        _CheckRow("Master check", "cg.status", status, request.status),
        _CheckRow("Failures", "cg.errors", f'COUNTIF({results},"ERROR"){more}', failing),
        _CheckRow("Warnings", "cg.warnings", f'COUNTIF({results},"WARNING")', warning),
        _CheckRow(
            "Changes since the export", "cg.inputs_changed", builder.places["cg.changes"], 0.0
        ),
        _CheckRow("Live scenario", "cg.scenario_number", _number(builder), float(position)),
        _CheckRow(
            "What other sheets say of inputs", "cg.input_state", state, "Inputs: as exported"
        ),
        _CheckRow("What other sheets say of checks", "cg.pill", pill, request.pill),
    ]


def _number(builder: Builder) -> str:
    """Find the live scenario's number."""
    if "cg.scenario_names" not in builder.places:
        return "1"
    return f"MATCH({ref('cg.scenario')},{ref('cg.scenario_names')},0)"
