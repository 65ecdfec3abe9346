"""Every rule of the lint fails on a fault made by hand, and what fails is never saved."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import calcgraph.excel.export as exporting
from calcgraph.book import open_book
from calcgraph.book.export import request_of
from calcgraph.excel import ExportError, workbook_bytes
from calcgraph.excel.lint import lint
from calcgraph.excel.lint_cells import Shapes
from calcgraph.excel.parts import read_parts
from excel.conftest import Made

SHEET = """calcgraph: 1
title: Small
inputs:
  price: {value: 2 USD, source: {title: list, url: "https://a.b"}, note: "=sum"}
  pieces: {value: 3, min: 1, max: 9}
calc:
  cost: = price * pieces -> USD
"""
Parts = Mapping[str, str]
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
    "the name `PIECES` stands twice": (BOOK, NAME, '<definedName name="PIECES">'),
    "the name `price` stands for nothing": (BOOK, f"{NAME}'Inputs'!$B$6", f"{NAME}#REF!"),
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
    "a text that stands elsewhere": (
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


def test_a_workbook_with_a_finding_is_not_made(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finding = "xl/worksheets/sheet3.xml: B6: it is bad"
    monkeypatch.setattr(exporting, "lint", lambda _: [finding, "xl/workbook.xml: worse"])

    with pytest.raises(ExportError) as caught:
        workbook_bytes(request_of(open_book(path)))

    (found,) = caught.value.diagnostics
    assert found.message == "`cost` (Calc!B6): it is bad"
    assert found.code.id == "CG604"
    assert found.label.span.text == "cost"


def test_a_fault_of_no_cell_is_one_of_the_sheet(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "lint", lambda _: ["xl/workbook.xml: worse"])

    with pytest.raises(ExportError) as caught:
        workbook_bytes(request_of(open_book(path)))

    assert caught.value.diagnostics[0].message == "the workbook: xl/workbook.xml: worse"
    assert caught.value.diagnostics[0].label.span.start == 0


Cli = Callable[[str], Any]
DEEP = "mod(" * 24 + "x" + " + x, 7)" * 24
REFUSED = {
    "`z` (Calc!B6): a formula of more than 8,192 characters": f"calc: {{z: '= {DEEP} -> 1'}}",
    "`z` (Calc!B6): 300 arguments; Excel takes 255": (
        f'calc: {{z: "= max({", ".join(["x"] * 300)}) -> 1"}}'
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
    shapes = Shapes(lambda _: (), lambda shape: (shape,))

    for row in ("6", "7", "10"):
        found = shapes.findings(written.format(row=row), row)
        assert found == (looked_at.format(row=row),)
