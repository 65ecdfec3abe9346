"""Where a breach of Excel's limits is reported: at its cell, or at the sheet if it is of none."""

from calcgraph.excel.limits import FORMULA_SIZE, HINTS, Breach, not_taken
from properties.pipeline import model_of

MODEL = model_of("title: One cell\ninputs:\n  gpus: 8\ncalc:\n  twice: = 2 * gpus\n")


def test_a_breach_of_no_cell_is_reported_at_the_sheet() -> None:
    breach = Breach("Checks", None, FORMULA_SIZE, "a rule: too long")

    found = not_taken(MODEL, None, breach)

    assert found.code is FORMULA_SIZE
    assert found.message == "Checks: a rule: too long"
    assert (found.label.span.file_line, found.label.text) == ("sheet.yaml:1", "this sheet")
    assert found.hint == HINTS[FORMULA_SIZE.id]


def test_a_breach_is_reported_at_the_formula_of_its_cell() -> None:
    cell = MODEL.cell("twice")
    assert cell is not None
    breach = Breach("Calculations", (7, 2), FORMULA_SIZE, "too long")

    found = not_taken(MODEL, cell.number, breach)

    assert found.message == "`twice` (Calculations!B7): too long"
    assert found.label.span.file_line == "sheet.yaml:6"
