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
    "charts": "pictures beside the model",
    "sensitivity": "what moves a result",
    "tests": "figures expected at other inputs",
}
NOT_YET = {"dims", "charts", "sensitivity"}
ABOUT = {
    "label": "name for people",
    "note": "what a reader should know",
    "source": "where the figure comes from",
    "format": "how the number is shown in a workbook",
}
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
SERIES_INPUT = {"values", "fill", "from_csv"}
EXPECT = {
    "value": "the figure with its unit",
    "within": "tolerance: a share, or a quantity",
    "source": "where the figure comes from",
    "verdict": "`wrong` for a figure known to be wrong",
    "why": "why it is wrong",
    "at": "the period of a series",
}
PLACES = {"an input": INPUT, "a formula": CALC, "an expectation": EXPECT}
SOURCE = {"title": "", "url": "", "checked": "day it was looked up", "owner": ""}
TABLE = {
    "columns": "name to unit, `text`, `truth`, `date` or a table",
    "rows": "key to entries",
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
IMPORT = {"sheet": "path", "set": "inputs of a variant", "over": "dims of a variant"}
KINDS = {"text", "truth", "date"}
