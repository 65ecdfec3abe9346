"""What each engine can be asked, and what it is known to get wrong: others must get it right.

The expected values are Excel's, by its documentation and recorded results. An engine that is named
as wrong may have been mended meanwhile, so nothing is asked of it here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from differential.office import Office
from differential.values import Value, Values, Wrong, agree

NUMBERS, TRUTHS, TEXTS, GAPS = "$A$1:$A$3", "$B$1:$B$3", "$C$1:$C$3", "$D$1:$D$3"
COLUMNS = ([2.0, 4.0, 6.0], [True, False, True], ["one", "two", "~x"], [None, 5.5, -7.0])

# Formula, what Excel gives, and who is known to give something else.
TABLE: tuple[tuple[str, Value, str], ...] = (
    ("0.1+0.2=0.3", True, ""),
    ("0.1+0.2-0.3", 0.0, "ironcalc"),
    ("ROUND(2.5,0)", 3.0, ""),
    ("ROUND(-2.5,0)", -3.0, ""),
    ("ROUND(1.005,2)", 1.01, ""),
    ("ROUND(0.06,0)", 0.0, ""),
    ("ROUND(0.6,-2)", 0.0, ""),
    ("ROUNDUP(0.05,0)", 1.0, ""),
    ("ROUNDUP(0.3,-2)", 100.0, ""),
    ("ROUNDUP(0.1+0.2,1)", 0.3, ""),
    ("ROUND(0.75/(0.1/7),0)", 53.0, "libreoffice"),  # of 52.49999999999999: on 15 digits 52.5
    ("FIXED(0.7*0.75*7,2,TRUE)", "3.68", "libreoffice ironcalc"),
    ("FIXED(1234.565,2,TRUE)", "1234.57", ""),
    ("FIXED(-0.01,1,TRUE)", "0.0", "ironcalc"),
    ("FIXED(6.3E+24,0,TRUE)", "6300000000000000000000000", "ironcalc"),
    ('ROUND(1/3,6)&""', "0.333333", ""),
    ('TRUE&""', "TRUE", "libreoffice"),
    ("1=TRUE", False, "libreoffice"),
    ('5<""', True, ""),
    ("-2^2", 4.0, ""),
    ("2^-1", 0.5, ""),
    ("0^0", Wrong("#NUM!"), "libreoffice"),
    ("COS(1E+10)", Wrong("#NUM!"), "libreoffice ironcalc"),
    ("1/0", Wrong("#DIV/0!"), ""),
    ("EXP(1000)", Wrong("#NUM!"), ""),
    ('IF("",1,2)', Wrong("#VALUE!"), ""),
    ('MAX("",3)', Wrong("#VALUE!"), ""),
    ("IFERROR(LN(-1),7)", 7.0, ""),
    ('EXACT("a","A")', False, ""),
    ('"a"="A"', True, ""),
    (f"SUM({GAPS})", -1.5, ""),
    (f"COUNT({GAPS})", 2.0, ""),
    (f"COUNT({TRUTHS})", 0.0, "libreoffice"),
    (f"COUNTIF({TRUTHS},TRUE)", 2.0, ""),
    (f'SUMPRODUCT(--({GAPS}<>""))', 2.0, ""),
    (f"INDEX({NUMBERS},MATCH(MAX({GAPS}),{GAPS},0))", 4.0, ""),
    (f'MATCH("~x",{TEXTS},0)', Wrong("#N/A"), ""),
    (f'INDEX({GAPS},MATCH(TRUE,INDEX({GAPS}<>"",0),0))', 5.5, "formulon"),
    (f'LOOKUP(2,1/({TEXTS}<>""),{TEXTS})', "~x", "formulon"),
    (f"SUMPRODUCT(--({TRUTHS}))", 2.0, ""),
    (f"SUMPRODUCT(MAX(({NUMBERS}>3)*ROW({NUMBERS})))", 3.0, "formulon"),
    (f'INDEX({GAPS},1)=""', True, ""),
    (f"INDEX({GAPS},1)", 0.0, ""),
    ("DATE(2026,2,30)", 46083.0, ""),
)


@pytest.fixture(scope="module")
def workbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("engines") / "engines.xlsx"
    book = openpyxl.Workbook()
    for column, values in enumerate(COLUMNS, 1):
        for row, value in enumerate(values, 1):
            book.active.cell(row, column, value)
    for row, (formula, _, _) in enumerate(TABLE, 1):
        book.active.cell(row, 6, f"={formula}")
    book.save(path)
    return path


def wrong_answers(name: str, values: Values) -> dict[str, tuple[Value, Value]]:
    """Give what an engine gets wrong though it is not known to."""
    answers = {
        formula: values.get(("Sheet", f"F{row}")) for row, (formula, *_) in enumerate(TABLE, 1)
    }
    return {
        formula: (excel, answers[formula])
        for formula, excel, wrong in TABLE
        if name not in wrong.split() and not agree(excel, answers[formula])
    }


def test_libreoffice(workbook: Path, office: Office) -> None:
    assert wrong_answers("libreoffice", office.recalculate(workbook).values) == {}


@pytest.mark.parametrize("name", ["formulon", "ironcalc"])
def test_engine(name: str, workbook: Path, request: pytest.FixtureRequest) -> None:
    evaluate: Callable[[Path], Values] = request.getfixturevalue(name)

    assert wrong_answers(name, evaluate(workbook)) == {}


def test_everything_is_right_with_somebody() -> None:
    assert all(len(wrong.split()) < 3 for _, _, wrong in TABLE)
