"""Runs under the system's Python, which has `uno`: one LibreOffice, asked in lines of JSON.

    /usr/bin/python3 office_server.py SOFFICE FOLDER

A line on stdin is ``{"do": …, "path": …}``; the line that answers on stdout is ``{"gives": …}`` or
``{"failed": "why"}``. LibreOffice ends with this process, and this process with its stdin. Floats
travel as JSON's shortest exact text, so nothing is rounded on the way.
"""

# ruff: noqa: ANN401 - what UNO gives has no types

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.lang import DisposedException

# com.sun.star.sheet.FormulaResult and com.sun.star.sheet.CellFlags
VALUE, STRING, ERROR = 1, 2, 4
CONTENTS = 1 | 2 | 4 | 16
LOGICAL = {"TRUE": True, "FALSE": False}
PATIENCE = 90.0

# com.sun.star.document.UpdateDocMode.NO_UPDATE, MacroExecMode.NEVER_EXECUTE
QUIETLY = {"Hidden": True, "UpdateDocMode": 0, "MacroExecutionMode": 0}

# 0 is "always": what a file says its formulas come to is never believed.
PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"
           xmlns:xs="http://www.w3.org/2001/XMLSchema"
           xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
 <prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop>
 <prop oor:name="ODFRecalcMode" oor:op="fuse"><value>0</value></prop>
</item>
<item oor:path="/org.openoffice.Setup/L10N">
 <prop oor:name="ooLocale" oor:op="fuse"><value>en-US</value></prop>
 <prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>en-US</value></prop>
</item>
</oor:items>
"""


def start(soffice: str, folder: Path) -> subprocess.Popen[bytes]:
    """Start LibreOffice with a profile of its own, listening at a pipe of its own."""
    user = folder / "profile" / "user"
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(PROFILE, encoding="utf-8")
    command = [
        soffice,
        "--headless",
        "--norestore",
        "--nologo",
        "--nodefault",
        "--nolockcheck",
        f"-env:UserInstallation={(folder / 'profile').as_uri()}",
        f"--accept=pipe,name={pipe_name()};urp;",
    ]
    return subprocess.Popen(command, stdout=sys.stderr, stdin=subprocess.DEVNULL)


def pipe_name() -> str:
    return f"calcgraph{os.getpid()}"


def connect(office: subprocess.Popen[bytes]) -> Any:
    """Give LibreOffice's desktop, as soon as it listens."""
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext(
        "com.sun.star.bridge.UnoUrlResolver", local
    )
    address = f"uno:pipe,name={pipe_name()};urp;StarOffice.ComponentContext"
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            context = resolver.resolve(address)
        except NoConnectException:
            if office.poll() is not None:
                sys.exit(f"soffice ended with code {office.returncode}")
            if time.monotonic() > deadline:
                sys.exit(f"soffice does not listen after {PATIENCE:.0f} s")
            time.sleep(0.05)
        else:
            manager = context.ServiceManager
            return manager.createInstanceWithContext("com.sun.star.frame.Desktop", context)


def properties(values: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


class Opened:
    """A workbook while it is open."""

    def __init__(self, desktop: Any, path: str) -> None:
        self.desktop = desktop
        self.path = path

    def __enter__(self) -> Any:
        url = uno.systemPathToFileUrl(self.path)
        self.document = self.desktop.loadComponentFromURL(url, "_blank", 0, properties(QUIETLY))
        if self.document is None:
            message = f"LibreOffice cannot open {self.path}"
            raise ValueError(message)
        return self.document

    def __exit__(self, *_: object) -> None:
        self.document.close(True)  # noqa: FBT003 - UNO knows no keywords


def find_cell(document: Any, target: str) -> Any:
    """Find a cell by a defined name, or as ``Sheet!B5``."""
    names = document.NamedRanges
    if names.hasByName(target):
        cells = names.getByName(target).getReferredCells()
        if cells is None:
            message = f"the name {target} refers to no cell"
            raise ValueError(message)
        return cells.getCellByPosition(0, 0)
    sheet, found, address = target.rpartition("!")
    if not found or not document.Sheets.hasByName(sheet.strip("'")):
        message = f"there is no name or cell {target}"
        raise ValueError(message)
    return document.Sheets.getByName(sheet.strip("'")).getCellRangeByName(address)


def put(cell: Any, value: Any) -> None:
    """Put a value into a cell as if typed: a truth is a number here, nothing empties the cell."""
    if value is None:
        cell.clearContents(CONTENTS)
    elif isinstance(value, str):
        cell.setString(value)
    else:
        cell.setValue(float(value))


def places(ranges: Any) -> Iterator[tuple[int, int]]:
    for area in ranges.RangeAddresses:
        for row in range(area.StartRow, area.EndRow + 1):
            for column in range(area.StartColumn, area.EndColumn + 1):
                yield row, column


def read_cells(sheet: Any) -> list[list[Any]]:
    """Give row, column, value, formula or none, error code or 0, of each cell not empty."""
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)  # noqa: FBT003
    end = cursor.RangeAddress
    area = sheet.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow)
    data, texts = area.getDataArray(), area.getFormulaArray()
    formulas = set(places(sheet.queryFormulaCells(VALUE | STRING | ERROR)))
    wrong = set(places(sheet.queryFormulaCells(ERROR)))
    cells = []
    for row, (values, written) in enumerate(zip(data, texts)):  # noqa: B905 - alike by their making
        for column, value in enumerate(values):
            place = (row, column)
            if value == "" and place not in formulas:
                continue
            formula = written[column] if place in formulas else None
            if place in wrong:
                cell = sheet.getCellByPosition(column, row)
                cells.append([row, column, cell.String, formula, cell.getError()])
                continue
            if value in {0.0, 1.0}:
                shown = sheet.getCellByPosition(column, row).String
                value = LOGICAL.get(shown, value)  # noqa: PLW2901
            cells.append([row, column, value, formula, 0])
    return cells


def read_values(sheet: Any) -> list[list[Any]]:
    """Give the same of each cell but its formula, and a truth as 1 or 0: quick for large sheets."""
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)  # noqa: FBT003
    end = cursor.RangeAddress
    data = sheet.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow).getDataArray()
    cells = {
        (row, column): [row, column, value, None, 0]
        for row, values in enumerate(data)
        for column, value in enumerate(values)
        if value != ""
    }
    for row, column in places(sheet.queryFormulaCells(ERROR)):
        cell = sheet.getCellByPosition(column, row)
        cells[row, column] = [row, column, cell.String, None, cell.getError()]
    return list(cells.values())


def held(cell: Any) -> Callable[[], None]:
    """Give what puts back what a cell holds.

    A text's ``String`` has what its format adds, and a truth that was typed in is ``=TRUE()`` here:
    both are put back as formulas, which they are in an editing line.
    """
    formula, number = cell.Formula, cell.Value
    if cell.Type.value == "VALUE":
        return lambda: cell.setValue(number)
    return lambda: cell.setFormula(formula)


def recalculate_each(
    desktop: Any, path: str, changes: list[list[list[Any]]]
) -> list[dict[str, Any]]:
    """Open once; change, compute all, give every value and change back, for each set of changes."""
    found = []
    with Opened(desktop, path) as document:
        sheets = document.Sheets
        for some in changes:
            cells = [find_cell(document, target) for target, _ in some]
            put_back = [held(cell) for cell in cells]
            for cell, (_, value) in zip(cells, some):  # noqa: B905 - alike by their making
                put(cell, value)
            document.calculateAll()
            names = sheets.ElementNames
            found.append({name: read_values(sheets.getByName(name)) for name in names})
            for one in put_back:
                one()
    return found


def recalculate(desktop: Any, path: str, changes: list[list[Any]]) -> dict[str, Any]:
    """Open, change, compute all, and give every cell."""
    with Opened(desktop, path) as document:
        for target, value in changes:
            put(find_cell(document, target), value)
        document.calculateAll()
        sheets = document.Sheets
        return {name: read_cells(sheets.getByName(name)) for name in sheets.ElementNames}


def save(desktop: Any, path: str, out: str, format: str) -> None:  # noqa: A002 - its name in JSON
    """Write a workbook as another file."""
    with Opened(desktop, path) as document:
        url = uno.systemPathToFileUrl(out)
        document.storeToURL(url, properties({"FilterName": format, "Overwrite": True}))


REQUESTS: dict[str, Callable[..., Any]] = {
    "recalculate": recalculate,
    "recalculate each": recalculate_each,
    "save": save,
}


def answer(desktop: Any, line: str) -> dict[str, Any]:
    request = json.loads(line)
    try:
        return {"gives": REQUESTS[request.pop("do")](desktop, **request)}
    except DisposedException:
        return {"failed": "LibreOffice crashed"}
    except Exception as error:  # noqa: BLE001 - whoever asked decides what it means
        return {"failed": f"{type(error).__name__}: {error}"}


def end(office: subprocess.Popen[bytes], desktop: Any) -> None:
    """End LibreOffice; asked politely it takes its pipes along."""
    with contextlib.suppress(DisposedException):
        desktop.terminate()
    try:
        office.wait(10)
    except subprocess.TimeoutExpired:
        office.kill()


def main() -> None:
    soffice, folder = sys.argv[1:]
    office = start(soffice, Path(folder))
    desktop = connect(office)
    try:
        print(json.dumps({"gives": "ready"}), flush=True)  # noqa: T201 - stdout is the wire
        for line in sys.stdin:
            print(json.dumps(answer(desktop, line)), flush=True)  # noqa: T201
    finally:
        end(office, desktop)


main()
