"""Every rule of the lint detects a fault made by hand; every export of the suite is linted."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import calcgraph.excel.export as exporting
from calcgraph.book import open_book
from calcgraph.book.workbook_export import request_of
from calcgraph.excel import workbook_bytes
from calcgraph.excel.sheets.builder import Builder
from calcgraph.excel.xlsx.pages import XlsxCell
from excel.conftest import Made
from excel.workbook_lint import (
    RECORDED,
    FormulaShapes,
    UnlintedExportError,
    UnsoundWorkbookError,
    lint,
    read_parts,
)

SHEET = """calcgraph: 1
title: Small
inputs:
  price: {value: 2 USD, source: {title: list, url: "https://a.b"}, note: "=sum"}
  pieces: {value: 3, min: 1, max: 9}
calc:
  cost: = price * pieces -> USD
"""
Parts = Mapping[str, str]
Cli = Callable[[str], Any]
COMMITTED = sorted(Path(__file__).parents[2].glob("exports/*.xlsx"))
BOOK, INPUTS, CALC = "xl/workbook.xml", "xl/worksheets/sheet2.xml", "xl/worksheets/sheet3.xml"
COST = "<f>price*pieces</f><v>6</v>"
NAME = '<definedName name="price">'
LINKS = "xl/worksheets/_rels/sheet2.xml.rels"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lint") / "small.yaml"
    path.write_text(SHEET, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def parts(path: Path) -> Parts:
    return read_parts(Made(open_book(path)).raw)


def formula(text: str) -> tuple[str, str, str]:
    return CALC, COST, f"<f>{text}</f><v>6</v>"


FAULTS = {
    # formulas
    "B6: a formula without a cached value": (CALC, COST, "<f>price*pieces</f>"),
    "B6: an array or shared formula": (CALC, COST, f'<f t="array" ref="B6">{COST[3:]}'),
    "a formula of more than 8,192 characters": formula("+".join(["price"] * 1366)),
    "a formula nested 65 deep; Excel takes 64": formula("ABS(" * 65 + "price" + ")" * 65),
    "256 arguments; Excel takes 255": formula(f"MAX({','.join(['price'] * 256)})"),
    "a text of more than 255 characters within": formula(f'LEN("{"x" * 254}")'),
    "the function XLOOKUP is not on the list": formula("XLOOKUP(price,pieces,pieces)"),
    "the function NOW is not on the list": formula("NOW()"),
    "the function INDIRECT is not on the list": formula('INDIRECT("A1")'),
    "the function OFFSET is not on the list": formula("OFFSET(price,1,1)"),
    "the function _xlfn.CONCAT is not on the list": formula("_xlfn.CONCAT(price)"),
    "nothing is called `prise`": formula("prise*pieces"),
    # constants
    "`nan` is not a finite number": (CALC, f"{COST}</c>", f'{COST}</c><c r="Z9"><v>nan</v></c>'),
    "`inf` is not a finite number": (CALC, f"{COST}</c>", f'{COST}</c><c r="Z9"><v>inf</v></c>'),
    "an error written as a constant": (
        CALC,
        f"{COST}</c>",
        f'{COST}</c><c r="Z9" t="e"><v>#N/A</v></c>',
    ),
    # names
    "Excel reads the name `tp8` as an address": (BOOK, NAME, '<definedName name="tp8">'),
    "`my name` is not a legal name": (BOOK, NAME, '<definedName name="my name">'),
    "the name `PIECES` is defined twice": (BOOK, NAME, '<definedName name="PIECES">'),
    "the name `price` refers to nothing": (BOOK, f"{NAME}'Inputs'!$B$6", f"{NAME}#REF!"),
    "of `Imputs`, which is no sheet": (BOOK, f"{NAME}'Inputs'!", f"{NAME}'Imputs'!"),
    # sheets
    "two sheets are called `INPUTS`": (BOOK, 'name="Calc"', 'name="INPUTS"'),
    "`A/B` is not a legal name of a sheet": (BOOK, 'name="Calc"', 'name="A/B"'),
    "`History` is not a legal name of a sheet": (BOOK, 'name="Calc"', 'name="History"'),
    "`Calc's'` is not a legal name of a sheet": (BOOK, 'name="Calc"', "name=\"Calc's'\""),
    f"`{'x' * 32}` is not a legal name of a sheet": (BOOK, 'name="Calc"', f'name="{"x" * 32}"'),
    "cells are merged": (CALC, "</sheetData>", '</sheetData><mergeCell ref="A1:B2"/>'),
    # texts
    "is not marked as a text": (INPUTS, "<t>list</t>", "<t>=1+1</t>"),
    "a text of 32,768 characters; Excel takes 32,767": (
        INPUTS,
        "<t>list</t>",
        f"<t>{'x' * 32_768}</t>",
    ),
    "a character that XML does not take": (INPUTS, "<t>list</t>", "<t>li\x01st</t>"),
    "a shared text": (
        CALC,
        f"{COST}</c>",
        f'{COST}</c><c r="Z9" s="1" t="s"><v>0</v></c>',
    ),
    # rules, links, parts
    "a rule: nothing is called `cg.none`": (INPUTS, "<formula1>1<", "<formula1>cg.none<"),
    "a link to `file:///c:/x`, which is not of the web": (LINKS, "https://a.b", "file:///c:/x"),
    "a relationship is not relative": (LINKS, 'Target="https://a.b"', 'Target="/xl/a.xml"'),
}


def test_a_sound_workbook_has_no_findings(parts: Parts) -> None:
    assert lint(parts) == []


@pytest.mark.parametrize("finding", FAULTS)
def test_rule_fails_on_its_fault(finding: str, parts: Parts) -> None:
    part, sound, faulty = FAULTS[finding]
    assert parts[part].count(sound) == 1, f"there is one {sound} in {part}"

    found = lint({**parts, part: parts[part].replace(sound, faulty)})

    assert any(finding in text for text in found), found


@pytest.mark.parametrize("name", ["xl/externalLinks/externalLink1.xml", "xl/vbaProject.bin"])
def test_parts_that_do_something_are_refused(name: str, parts: Parts) -> None:
    assert lint({**parts, name: ""}) == [f"{name}: a workbook of ours has no such part"]


# Every workbook the suite exports is linted.


@pytest.fixture
def poisoned(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Make every export hold a call of a function that no workbook of ours may hold."""

    def add_poison(builder: Builder, *_: object) -> None:
        builder.pages[0].put(1, 9, XlsxCell(1.0, "NOW()"))

    monkeypatch.setattr(exporting, "add_map", add_poison)
    yield "I1: the function NOW is not on the list of Excel 2010"
    RECORDED.clear()


def test_a_poisoned_workbook_fails_the_test_that_exports_it(poisoned: str, path: Path) -> None:
    with pytest.raises(UnsoundWorkbookError, match="the function NOW"):
        workbook_bytes(request_of(open_book(path)))

    assert any(poisoned in finding for finding in RECORDED)


def test_a_poisoned_workbook_fails_the_command_line_too(
    poisoned: str, path: Path, cli: Cli, tmp_path: Path
) -> None:
    """A command swallows exceptions: what was found is recorded, and fails the test at its end."""
    cli(f"export {path} -o {tmp_path}/out.xlsx")

    assert any(poisoned in finding for finding in RECORDED)
    assert not (tmp_path / "out.xlsx").exists()


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-m", "calcgraph", "export", "sheet.yaml", "-o", "out.xlsx"],
        [str(Path(sys.executable).with_name("calcgraph")), "export", "sheet.yaml"],
        [sys.executable, "-c", "from calcgraph.excel import workbook_bytes"],
    ],
)
def test_no_other_process_exports_without_the_lint(command: list[str]) -> None:
    with pytest.raises(UnlintedExportError):
        subprocess.run(command, check=True)


def test_another_process_lints_what_it_exports(path: Path, tmp_path: Path) -> None:
    code = (
        "import calcgraph.excel.export as exporting, excel.workbook_lint as lint\n"
        "from calcgraph.excel.xlsx.pages import XlsxCell\n"
        "exporting.add_map = lambda b, *_: b.pages[0].put(1, 9, XlsxCell(1.0, 'NOW()'))\n"
        "lint.lint_exports()\n"
        "from calcgraph.cli import main\n"
        f"main(['export', {str(path)!r}, '-o', {str(tmp_path / 'out.xlsx')!r}, '--debug'])\n"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}

    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )

    assert "UnsoundWorkbookError" in ran.stderr
    assert not (tmp_path / "out.xlsx").exists()


@pytest.mark.parametrize("name", COMMITTED, ids=lambda path: path.name)
def test_committed_workbooks_are_sound(name: Path) -> None:
    assert lint(read_parts(name.read_bytes())) == []


# What Excel does not take is refused, with the place of the cell.


DEEP = "mod(" * 24 + "x" + " + x, 7)" * 24
REFUSED = {
    "`z` (Calc!B6): a formula of more than 8,192 characters": f"calc: {{z: '= {DEEP} -> 1'}}",
    "`z` (Calc!B6): 300 arguments; Excel takes 255": (
        f'calc: {{z: "= max({", ".join(["x"] * 300)}) -> 1"}}'
    ),
    "`z` (Calc!B6): a formula nested 80 deep; Excel takes 64": (
        f"calc: {{z: '= {'floor(' * 40}x{')' * 40} -> 1'}}"
    ),
    "`check: c` (Checks!B14): a formula of more than 8,192": (
        f'calc: {{z: = x -> 1}}\nchecks:\n  - {{name: c, assert: "= {DEEP} > 0"}}'
    ),
}


@pytest.mark.parametrize("finding", REFUSED)
def test_what_excel_does_not_take_names_its_cell(
    finding: str, cli: Cli, sheet: Callable[..., str], tmp_path: Path
) -> None:
    name = sheet(f"title: T\ninputs: {{x: 3.5}}\n{REFUSED[finding]}")
    before = sorted(tmp_path.iterdir())

    ran = cli(f"export {name} -o out.xlsx")

    assert ran.code == 3
    assert f"error[CG603]: {finding}" in ran.err
    assert ran.out == ""
    assert sorted(tmp_path.iterdir()) == before


def test_formulas_do_not_grow_without_bounds(cli: Cli, sheet: Callable[..., str]) -> None:
    nested = "opt"
    for _ in range(25):
        nested = f"max(opt, {nested} + 1)"  # each stands thrice in the next: 3^25 characters
    name = sheet(
        f"title: T\ninputs: {{opt: {{value: null, unit: 1}}}}\ncalc: {{z: '= {nested} -> 1'}}"
    )

    ran = cli(f"export {name} -o out.xlsx")

    assert ran.code == 3
    assert "`z` (Calc!B6): a formula of more than 8,192 characters" in ran.err


ALIKE = {
    "an address": ("A{row}+$B${row}", "A1+A1"),
    "a longer number": ("A1{row}", "A1"),
    "a name": ("x{row}+A{row}", "x{row}+A1"),
    "a text": ('"A{row} {row}"&A{row}', '"A1 {row}"&A1'),
    "a sheet": ("'Cost {row}'!A{row}", "'Cost {row}'!A1"),
    "a call": ("LOG{row}(A{row})", "LOG{row}(A1)"),
}


@pytest.mark.parametrize("name", ALIKE)
def test_formulas_are_told_apart_by_all_but_addresses(name: str) -> None:
    """A row's number is hidden to tell formulas apart: in nothing that is no address."""
    written, looked_at = ALIKE[name]
    shapes = FormulaShapes(lambda _: (), lambda shape: (shape,))

    for row in ("6", "7", "10"):
        found = shapes.findings(written.format(row=row), row)
        assert found == (looked_at.format(row=row),)
