"""Spreadsheet engines from the package index, for a third opinion of every formula.

formulon follows Excel closely: it cuts sums of near-equal numbers to 0, rounds on 15 digits, and
has its limits (``0^0`` is #NUM!, ``COS`` above 2^27 too). It lacks ISFORMULA of a range, and reads
no number beyond a double's normal range. Its first workbook takes about 5 s.

ironcalc is quick and refuses names that Excel refuses, which makes it a judge of names. As a judge
of values it is the weaker: FIXED above 1.8e19 and of what rounds to -0, ISERROR and ISFORMULA of a
range inside of SUMPRODUCT; and it cuts nothing to 0.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from openpyxl.utils.cell import column_index_from_string, coordinate_from_string

from differential.values import Value, Values, Wrong
from differential.workbooks import read_written

if TYPE_CHECKING:
    import os
    from collections.abc import Callable


def formulon_values(path: str | os.PathLike[str]) -> Values:
    """Compute a workbook with formulon and give the value of every formula."""
    import formulon

    def read(value: formulon.Value) -> Value:
        if value.kind == formulon.ValueKind.ERROR:
            return Wrong(formulon.error_display_name(value.error_code))
        return value.to_python()

    with formulon.Workbook.load(Path(path).read_bytes()) as book:
        lost = book.read_diagnostics().undecoded_formula_count
        assert lost == 0, "formulon has read every formula"
        book.recalc()
        sheets = {book.sheet_name(index): index for index in range(book.sheet_count())}
        values: Values = {}
        for sheet, address in read_written(path).formulas:
            column, row = coordinate_from_string(address)
            at = column_index_from_string(column) - 1
            values[sheet, address] = read(book.get_value(sheets[sheet], row - 1, at))
    return values


def ironcalc_values(path: str | os.PathLike[str]) -> Values:
    """Compute a workbook with ironcalc and give the value of every formula."""
    import ironcalc

    model = ironcalc.load_from_xlsx(str(path))
    model.evaluate()
    names = [sheet["name"] for sheet in model.get_worksheets_properties()]
    values: Values = {}
    for sheet, address in read_written(path).formulas:
        column, row = coordinate_from_string(address)
        cell = names.index(sheet), row, column_index_from_string(column)
        value = model.get_cell_value(*cell)
        wrong = model.get_cell_type(*cell) == ironcalc.CellType.ErrorValue
        values[sheet, address] = Wrong(str(value)) if wrong else value
    return values


ENGINES: dict[str, Callable[[str | os.PathLike[str]], Values]] = {
    "formulon": formulon_values,
    "ironcalc": ironcalc_values,
}
