"""The keys of a sheet: the one place that knows them, with what each is for."""

from __future__ import annotations

TOP = {
    "calcgraph": "version of the language: 1",
    "title": "what the sheet is about",
    "description": "what it answers, in a few lines",
    "conventions": "how long a `year` and a `month` are",
    "units": "units of this model: `rack: count`, `pod: 256 gpu`",
    "imports": "other sheets under an alias",
    "dims": "labels, periods and grids that cells vary over",
    "tables": "catalogues: rows with columns",
    "inputs": "what somebody sets",
    "calc": "what formulas compute",
    "checks": "what must hold",
    "scenarios": "inputs set together under a name",
    "outputs": "the headline cells",
    "charts": "pictures of series, in the workbook and in the terminal",
    "sensitivity": "what moves a result; without effect as yet",
    "tests": "figures expected at other inputs",
}
ABOUT = {
    "label": "name for people",
    "note": "what a reader should know",
    "source": "where the figure comes from",
}
NOT_YET = {"format": "the format of a number cannot be chosen yet: delete the key"}
"""Keys planned for a later version: refused like any unknown key, with the reason as the hint."""
INPUT = {
    "value": "number with unit, text, truth, date, or null",
    "unit": "the unit, where the value does not say it",
    "min": "lowest value allowed",
    "max": "highest value allowed",
    "choices": "the values allowed, or a table whose keys they are",
    "uncertain": "range for sensitivities, such as triangular(32%, 40%, 48%)",
    **ABOUT,
}
CALC = {"formula": "starts with `=`", "expect": "a published or budgeted figure", **ABOUT}
SERIES_INPUT = {
    "values": "label to value, one level for each dim, or a list for all labels of the last dim",
    "fill": "what labels left out hold: zero, previous, linear, blank or error (default)",
    "from_csv": "file with the values: a column for each dim, and `value`",
}
FILLS = ("zero", "previous", "linear", "blank", "error")
EXPECT = {
    "value": "the figure with its unit",
    "within": "tolerance: a share, or a quantity",
    "source": "where the figure comes from",
    "verdict": "`wrong` for a figure known to be wrong",
    "why": "why it is wrong",
    "at": "the label of a series, or a list of them for several dims",
}
PLACES = {"an input": {**INPUT, **SERIES_INPUT}, "a formula": CALC, "an expectation": EXPECT}
SOURCE = {"title": "", "url": "", "checked": "day it was looked up", "owner": ""}
TABLE = {
    "columns": "name to unit, `text`, `truth`, `date` or a table",
    "rows": "key to entries",
    "key": "columns whose values, joined by `/`, are a row's key; the rows are a list then",
    "from_csv": "file with the rows",
    "note": "",
    "source": "",
    "label": "",
}
COLUMN = {"unit": "", "label": "", "note": ""}
ROW = {"label": "", "note": "", "source": ""}
CHECK = {
    "name": "what is checked",
    "assert": "a formula that is true or false",
    "message": "text with holes, shown with the result",
    "severity": "error (default) or warning",
}
TEST = {"name": "what is tested", "set": "inputs", "expect": "cells and their figures"}
DIM_KINDS = {
    "a count": {"count": "how many labels: 0, 1 and so on"},
    "a time axis": {
        "from": "first period, as 2026-01",
        "to": "last period",
        "step": "month (default), quarter, year or day",
    },
    "the labels of another dim": {"like": "the dim whose labels it has"},
    "a grid": {
        "grid": "columns with the values each takes",
        "where": "condition that a row must meet, a formula of columns and constants",
    },
}
DIM = {
    **{key: text for keys in DIM_KINDS.values() for key, text in keys.items()},
    "label": "",
    "note": "",
    "source": "",
}
STEPS = ("month", "quarter", "year", "day")
CHART = {
    "type": "line, column, stacked or scatter",
    "x": "a dim or a series",
    "y": "the series shown, all in one unit",
    "title": "what stands above it; else the labels of what it shows",
    "log": "axes that go by powers of ten: x, y or both",
}
CHART_TYPES = ("line", "column", "stacked", "scatter")
AXES = ("x", "y")
SENSITIVITY = {
    "of": "the result",
    "vary": "inputs for a tornado",
    "rows": "inputs with their values, down",
    "columns": "inputs with their values, across",
}
IMPORT_KEYS = {"sheet": "path", "set": "inputs of a variant", "over": "dims of a variant"}
KINDS = {"text", "truth", "date"}
