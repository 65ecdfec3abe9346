"""The mistakes a sheet's shape can hold."""

from __future__ import annotations

from calcgraph.core.diagnostic import Code

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
    "says everything where it stands. What several sheets share is imported.",
)
UNKNOWN_KEY = Code(
    "CG104",
    "unknown key",
    "The set of keys is closed, so that a misspelt or wrongly indented key cannot be overlooked.",
)
DUPLICATE_KEY = Code(
    "CG105",
    "key stands twice",
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
    "letter is a heading. Dims stand in brackets behind a cell's name: `cost[region, month]`. "
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
    "commas between them. A field with a comma, a quote or a line break stands in double quotes, "
    "and a quote in it is doubled. A table's file has a column with the keys of its rows, then the "
    "table's columns in any order; a series' file has its dims and `value`.",
)
