"""The keys of a sheet, and the diagnostic codes of its shape."""

from __future__ import annotations

from calcgraph.core.diagnostics import Code

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
    "title": "the text above it; by default the labels of what it shows",
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


YAML = Code(
    "CG101",
    "not YAML",
    "The file cannot be read as YAML. Often a value with `: `, ` #`, a comma or a bracket inside "
    "of `{ }` needs quotes, or a line is indented by a tab.",
)
ENCODING = Code(
    "CG102",
    "text holds what no sheet may hold",
    "Sheets are UTF-8 without control characters, lone surrogates or Unicode line breaks: what a "
    "person sees must be what the engine reads.",
)
YAML_FEATURE = Code(
    "CG103",
    "YAML feature is not used in sheets",
    "Anchors, aliases, merge keys, tags and several documents in one file are refused: a sheet "
    "says everything in place. What several sheets share is imported.",
)
UNKNOWN_KEY = Code(
    "CG104",
    "unknown key",
    "The set of keys is closed, so that a misspelt or wrongly indented key cannot be overlooked.",
)
DUPLICATE_KEY = Code(
    "CG105",
    "duplicate key",
    "In YAML the second of two equal keys silently wins; here it is an error. Keys that differ "
    "only in upper and lower case count as equal.",
)
SHAPE = Code(
    "CG106",
    "wrong kind of value",
    "Something else is needed here: a mapping, a list, a text, or a single value.",
)
MISSING_KEY = Code("CG107", "key is missing", "A key that must be there is not.")
BAD_NAME = Code(
    "CG108",
    "not a name",
    "Names of cells, aliases, dims, tables, columns and scenarios are lower-case letters, digits "
    "and `_`, and start with a letter. A key under `inputs` or `calc` that starts with a capital "
    "letter is a heading. Dims are written in brackets after a cell's name: `cost[region, month]`. "
    "Labels and keys of rows are any text without `* ? ~`. Names of functions are taken, and so "
    "are `true`, `false`, `and`, `or`, `not`, `base` and `cg`.",
)
LIMIT = Code(
    "CG109",
    "too large",
    "Sheets have generous limits (64 MiB, 32 levels, 32,767 characters a text, 5,000,000 values a "
    "cell) so that a broken or hostile file cannot exhaust the machine.",
)
IMPORT = Code(
    "CG110",
    "file cannot be read",
    "An import is a path to another sheet, and `from_csv` one to a CSV file, relative to the file "
    "that names it. It must be a regular local file inside the model's root: the nearest directory "
    "above the evaluated sheet that holds `.git`, else the sheet's own.",
)
IMPORT_CYCLE = Code(
    "CG111",
    "sheets import each other in a circle",
    "A sheet cannot import itself, even by a detour.",
)
FLOW_VALUE = Code(
    "CG113",
    "value is cut by YAML",
    "Inside of `{ }` and `[ ]` YAML cuts a value at each comma and at brackets. A formula, note or "
    "key with one of these must be quoted.",
)
CSV = Code(
    "CG114",
    "CSV file does not fit",
    "A CSV file starts with the names of its columns and has as many fields in each line, with "
    "commas between them. A field with a comma, a quote or a line break needs double quotes, "
    "and a quote in it is doubled. A table's file has a column with the keys of its rows, then the "
    "table's columns in any order; a series' file has its dims and `value`.",
)
