"""Does the model hold together: checks of the sheet, of the workbook, and published figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import NUMBER, Kind
from calcgraph.core.value import Failure
from calcgraph.evaluate import compute_part
from calcgraph.excel.builder import cached
from calcgraph.excel.formula import number_text
from calcgraph.excel.grid import Spot, ref
from calcgraph.excel.places import place_text, source_key
from calcgraph.excel.request import BASE
from calcgraph.excel.spelling import COMPARISONS, comparison, condition
from calcgraph.excel.style import number_format
from calcgraph.model import Apply
from calcgraph.render.results import label_of

if TYPE_CHECKING:
    from calcgraph.analysis.results import CheckResult, FigureResult
    from calcgraph.core.value import Value
    from calcgraph.excel.builder import Builder
    from calcgraph.excel.grid import Cached, Page

WIDTHS = (54, 18, 14, 10, 18, 12, 12, 15, 60, 16)
HEADS = (
    "Check", "Value", "Unit", "Must be", "Limit", "Tolerance", "Counts as", "Result", "In words", "YAML",
)  # fmt: skip
MODEL_FIRST = 14
CLOSE = "1E-9"


def add_checks(builder: Builder) -> None:
    """Write the master check, the sheet's checks, and what every workbook checks of itself."""
    purpose = "Does the model hold together? One master check is shown on every sheet."
    page = builder.page("Checks", "Checks", purpose, WIDTHS)
    builder.heads(page, HEADS, (2, 5, 6))
    builder.section(page, "Master check", len(HEADS))
    page.row = MODEL_FIRST - 1
    builder.section(page, "Checks of the model", len(HEADS))
    for check in builder.request.checks:
        _check_row(builder, page, check)
    builder.section(page, "Checks of the workbook", len(HEADS))
    _workbook_checks(builder, page)
    _master(builder, page, page.row - 1)
    page.words.append(f"H{MODEL_FIRST}:H{page.row - 1}")


def _check_row(builder: Builder, page: Page, check: CheckResult) -> None:
    request, row = builder.request, page.row
    cell = request.model.cells[check.cell]
    place = place_text(request.model.graph.nodes[check.cell].decl.key.span)
    word = "ERROR" if check.is_error else "WARNING"
    result = "–" if check.ok is None else "OK" if check.ok else word
    page.put(row, 1, Spot(check.name))
    apart = comparison(builder.spelling, cell)
    if apart is not None and isinstance(cell.op, Apply):
        left, right = (_computed(builder, at, check) for at in (0, 1))
        shape = number_format(left, NUMBER)
        page.put(row, 2, Spot(cached(left), apart.left, "calc", shape))
        page.put(row, 4, Spot(COMPARISONS[apart.mark], style="status"))
        page.put(row, 5, Spot(cached(right), apart.right, "calc", number_format(right, NUMBER)))
        mark = apart.mark.removesuffix(" in check")
        page.put(
            row, 6, Spot(1e-9 if mark in {"==", "!="} else None, style="constant", format="0E+00")
        )
        test = _comparing(mark, row)
        page.put(
            row, 8, Spot(result, f'IF(ISERROR(B{row}),"{word}",IF({test},"OK","{word}"))', "status")
        )
    else:
        _truth(builder, page, check, (word, result))
    page.put(row, 3, Spot(style="unit"))
    page.put(row, 7, Spot("error" if check.is_error else "warning", style="status"))
    _in_words(builder, page, check)
    page.put(row, 10, Spot(place, style="place"))
    builder.grow(page, (check.name, 1, 10), (check.message, 9, 9))
    page.row += 1


def _comparing(mark: str, row: int) -> str:
    if mark in {"==", "!="}:
        inside = f"ABS(B{row}-E{row})<={CLOSE}*MAX(ABS(B{row}),ABS(E{row}))"
        return inside if mark == "==" else f"NOT({inside})"
    return f"B{row}{mark}E{row}"


def _truth(builder: Builder, page: Page, check: CheckResult, words: tuple[str, str]) -> None:
    """Show a condition as TRUE or FALSE where it is no comparison of two numbers."""
    row = page.row
    word, result = words
    piece = condition(builder.spelling, builder.request.model.cells[check.cell])
    text = piece.text
    if piece.tests:
        tests = ",".join(f'{test}=""' for test in dict.fromkeys(piece.tests))
        text = f'IF(OR({tests}),"",{text})'
    value = builder.request.now.values[check.cell]
    page.put(row, 2, Spot(cached(value), text, "calc"))
    page.put(row, 4, Spot("TRUE", style="status"))
    page.put(row, 5, Spot(style="calc"))
    page.put(row, 6, Spot(style="constant"))
    formula = f'IF(ISERROR(B{row}),"{word}",IF(B{row}="","–",IF(B{row},"OK","{word}")))'
    page.put(row, 8, Spot(result, formula, "status"))


def _in_words(builder: Builder, page: Page, check: CheckResult) -> None:
    model = builder.request.model
    following = check.cell + 1
    is_message = following < len(model.cells) and model.cells[following].kind == "message"
    op = model.cells[following].op if is_message else None
    if op is None:
        page.put(page.row, 9, Spot(style="note"))
        return
    value = builder.request.now.values[following]
    page.put(page.row, 9, Spot(cached(value), builder.spelling.text(op), "note"))


def _computed(builder: Builder, at: int, check: CheckResult) -> Value:
    """Compute one side of a comparison: a cell of its own in the workbook, part of one here."""
    op = builder.request.model.cells[check.cell].op
    assert isinstance(op, Apply), "only a comparison is taken apart"
    return compute_part(builder.request.now, check.cell, op.args[at])


def _workbook_checks(builder: Builder, page: Page) -> None:
    request = builder.request
    inputs = next((p for p in builder.pages if p.name == "Inputs"), None)
    rows: list[tuple[str, str, Cached, str]] = []
    if inputs is not None:
        statuses = f"'{inputs.name}'!$J$5:$J${inputs.row - 1}"
        bad = f'COUNTA({statuses})-COUNTIF({statuses},"OK")-COUNTIF({statuses},"CHANGED")'
        rows.append(("every input is of its kind and within its bounds", bad, 0.0, "0"))
    errors = sum(
        isinstance(request.now.values[c.number], Failure)
        for c in request.model.cells
        if c.kind == "calc"
    )
    live = ref("cg.live_values")
    rows.append(
        (
            "no cell fails that did not fail at export",
            f"SUMPRODUCT(--ISERROR({live}))",
            float(errors),
            str(errors),
        )
    )
    for name, formula, value, limit in rows:
        row = page.row
        page.put(row, 1, Spot(name))
        page.put(row, 2, Spot(value, formula, "calc", "0"))
        page.put(row, 4, Spot("≤", style="status"))
        page.put(row, 5, Spot(float(limit), style="constant", format="0"))
        page.put(row, 7, Spot("error", style="status"))
        page.put(
            row,
            8,
            Spot("OK", f'IF(ISERROR(B{row}),"ERROR",IF(B{row}<=E{row},"OK","ERROR"))', "status"),
        )
        _fill(page, row)
        page.row += 1
    row = page.row
    page.put(row, 1, Spot("every result equals the engine's, as exported"))
    page.put(row, 2, Spot(0.0, f"SUMPRODUCT(--({ref('cg.parity')}=FALSE))", "calc", "0"))
    page.put(row, 4, Spot("=", style="status"))
    page.put(row, 5, Spot(0.0, style="constant", format="0"))
    page.put(row, 6, Spot(1e-9, style="constant", format="0E+00"))
    page.put(row, 7, Spot("error", style="status"))
    text = (
        f'IF({ref("cg.scenario")}<>{ref("cg.exported_scenario")},"other scenario",'
        f'IF({ref("cg.inputs_changed")}>0,"inputs changed",IF(B{row}=0,"OK","ERROR")))'
    )
    page.put(row, 8, Spot("OK", text, "status"))
    _fill(page, row)
    page.row += 1


def _fill(page: Page, row: int) -> None:
    for column, style in ((3, "unit"), (6, "constant"), (9, "note"), (10, "place")):
        page.spots.setdefault((row, column), Spot(style=style))


def _master(builder: Builder, page: Page, last: int) -> None:
    """Count what does not hold; these cells have names that every page shows."""
    request = builder.request
    results = f"$H${MODEL_FIRST}:$H${last}"
    figures = builder.places.get("cg.figure_results", "")
    more = f'+COUNTIF({figures},"DIFFERS")' if figures else ""
    errors, warnings = ref("cg.errors"), ref("cg.warnings")
    counted = f'{errors}&IF({errors}=1," ERROR"," ERRORS")'
    warned = f'{warnings}&IF({warnings}=1," WARNING"," WARNINGS")'
    changed = ref("cg.inputs_changed")
    scenarios = "cg.scenario_names" in builder.places
    number = f"MATCH({ref('cg.scenario')},{ref('cg.scenario_names')},0)" if scenarios else "1"
    names = [BASE, *request.model.scenarios]
    rows: list[tuple[str, str, str, Cached]] = [
        ("Master check", "cg.status", f'IF({errors}>0,{counted},IF({warnings}>0,"OK, "&{warned},"OK"))', request.status),
        ("Checks and figures that fail", "cg.errors", f'COUNTIF({results},"ERROR"){more}', float(request.failing)),
        ("Warnings", "cg.warnings", f'COUNTIF({results},"WARNING")', float(request.warning)),
        ("Inputs that differ from the export", "cg.inputs_changed", builder.places["cg.changes"], 0.0),
        ("Number of the live scenario", "cg.scenario_number", number, float(names.index(request.scenario) + 1)),
        ("Text for other sheets: inputs", "cg.input_state", f'IF({changed}=0,"Inputs: as exported","Inputs: "&{changed}&" changed")', "Inputs: as exported"),
        ("Text for other sheets: checks", "cg.pill", f'IF({errors}>0,{counted},IF({warnings}>0,{warned},"Checks OK"))', request.pill),
    ]  # fmt: skip
    for row, (label, name, formula, value) in enumerate(rows, 6):
        page.put(row, 1, Spot(label))
        page.put(row, 2, Spot(value, formula, "calc", "0_)" if isinstance(value, float) else ""))
        for column in range(3, len(HEADS) + 1):
            page.put(row, column, Spot(style="text"))
        builder.name(page, name, row, 2)


FIGURE_WIDTHS = (40, 17, 14, 28, 17, 12, 12, 16, 10, 46, 40, 16)
FIGURE_HEADS = (
    "Figure", "Model", "Unit", "Key", "Published", "Difference", "Within", "Result", "Figure is",
    "Why it is wrong", "Source", "YAML",
)  # fmt: skip


def add_figures(builder: Builder) -> None:
    """Write published figures beside the model's; known wrong ones fail where they agree."""
    figures = builder.request.figures
    if not figures:
        return
    purpose = "Published or budgeted figures beside the model's own."
    page = builder.page("Expectations", "Expectations", purpose, FIGURE_WIDTHS)
    builder.heads(page, FIGURE_HEADS, (2, 5, 6, 7))
    first = page.row
    for figure in figures:
        _figure_row(builder, page, figure)
    builder.places["cg.figure_results"] = (
        f"{page.at(first, 8, sheet=True)}:{page.at(page.row - 1, 8)}"
    )
    page.words.append(f"H{first}:H{page.row - 1}")


def _figure_row(builder: Builder, page: Page, result: FigureResult) -> None:
    row, cell, figure = page.row, result.cell, result.figure
    decl = figure.decl
    shape = number_format(result.actual, cell.type)
    is_number = cell.type.kind is Kind.NUMBER
    unit = str(cell.type.unit) if is_number and not cell.type.unit.percent else ""
    label = label_of(builder.request.model, cell)
    name = ref(builder.spelling.cells[cell.number])
    guarded = f'IF({name}="","",{name})' if cell.may_be_na else name
    page.put(row, 1, Spot(label))
    page.put(row, 2, Spot(cached(result.actual), guarded, "link", shape))
    page.put(row, 3, Spot("" if unit == "1" else unit, style="unit"))
    page.put(row, 4, Spot(cell.name, style="key"))
    page.put(row, 5, Spot(figure.expected, style="constant", format=shape))
    _difference(page, row, result)
    _figure_result(page, row, result)
    page.put(row, 9, Spot("wrong" if result.known_wrong else "right", style="status"))
    page.put(row, 10, Spot(decl.why or None, style="note"))
    title = source_key(decl.source) if decl.source else ""
    page.put(
        row, 11, Spot(title or None, style="note", link=decl.source.url if decl.source else "")
    )
    page.put(row, 12, Spot(place_text(figure.place), style="place"))
    builder.grow(page, (label, 1, 10), (decl.why, 10, 9), (title, 11, 9))
    page.row += 1


def _difference(page: Page, row: int, result: FigureResult) -> None:
    figure, actual = result.figure, result.actual
    if isinstance(actual, float) and isinstance(figure.expected, float):
        formula, shape = f"B{row}-E{row}", "#,##0.0000_);-#,##0.0000_)"
        value = actual - figure.expected
        if figure.expected:
            formula, shape = f"B{row}/E{row}-1", "+0.00%;-0.00%;0%"
            value = actual / figure.expected - 1
        page.put(row, 6, Spot(value, formula, "calc", shape))
        size = abs(figure.expected)
        share = figure.tolerance / size if size else figure.tolerance
        page.put(row, 7, Spot(share, style="constant", format="0.00%" if size else "0.0000"))
    else:
        page.put(row, 6, Spot(style="calc"))
        page.put(row, 7, Spot(style="constant"))


def _figure_result(page: Page, row: int, result: FigureResult) -> None:
    agrees, differs = ("DIFFERS", "KNOWN") if result.known_wrong else ("OK", "DIFFERS")
    figure = result.figure
    if isinstance(figure.expected, float):
        test = f"ROUND(ABS(B{row}-E{row})/{_scale(figure.tolerance)},9)<={_ratio(figure.tolerance)}"
    else:
        test = f"EXACT(B{row},E{row})"
    judged = f'IF(ISERROR(B{row}),"DIFFERS",IF({test},"{agrees}","{differs}"))'
    if result.ok is None:
        page.put(row, 8, Spot("inputs set", '"inputs set"', "status"))
        return
    moved = f'IF({ref("cg.inputs_changed")}>0,"inputs changed",{judged})'
    text = f'IF({ref("cg.scenario")}<>"{BASE}","other scenario",{moved})'
    word = "OK" if not result.known_wrong else "KNOWN"
    page.put(row, 8, Spot(word if result.ok else "DIFFERS", text, "status"))


def _scale(tolerance: float) -> str:
    """Divide by the tolerance where there is one, so that rounding works on plain numbers."""
    return number_text(tolerance) if tolerance else "1"


def _ratio(tolerance: float) -> str:
    return "1" if tolerance else "0"
