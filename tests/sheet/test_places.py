"""A finding points at the very characters, however YAML quotes, folds or escapes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcgraph.core.diagnostics import Diagnostic
from calcgraph.core.source import Source
from calcgraph.graph import build_graph
from calcgraph.sheet.imports import read_sheets
from calcgraph.sheet.reader import read_sheet

HEAD = "calcgraph: 1\ninputs: {gpus: 512 gpu}\ncalc:\n"
SPELLINGS = {
    "plain": "  x: = 2 * gpsu\n",
    "plain over lines": "  x: = 2 *\n      gpsu\n",
    "single quotes": "  x: '= 2 * gpsu'\n",
    "doubled quotes": "  x: '= if(\"it''s\" = \"x\", 1, gpsu)'\n",
    "double quotes": '  x: "= 2 * gpsu"\n',
    "escaped quotes": '  x: "= if(\\"a\\" = \\"b\\", 1, gpsu)"\n',
    "escapes of all lengths": '  x: "= if(\\"\\x41\\u00e9\\U0001F600\\" = \\"\\\\n\\", 1, gpsu)"\n',
    "escaped line end": '  x: "= 2 * \\\n     gpsu"\n',
    "double quotes over lines": '  x: "= 2\n     * gpsu"\n',
    "folded": "  x: >-\n    = 2 *\n      gpsu\n",
    "folded with an empty line": "  x: >\n    = 2 *\n\n    gpsu\n",
    "literal": "  x: |\n    = 2 *\n      gpsu\n",
    "literal, indented by four": "  x: |4\n      = 2 * gpsu\n",
    "flow": '  x: {formula: "= 2 * gpsu"}\n',
    "flow, plain": "  x: {formula: = 2 * gpsu}\n",
    "behind a note": "  x: {note: caf\u00e9 \U0001f600, formula: = 2 * gpsu}\n",
    "with a comment": "  x: = 2 * gpsu   # a comment\n",
    "explicit key": "  ? x\n  : = 2 * gpsu\n",
}


def findings(text: str) -> list[Diagnostic]:
    sheets, found = read_sheets(
        "sheet", Source("sheet", text), lambda _, path: ("", Source(path, ""))
    )
    return [*found, *build_graph(sheets)[1]]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_finding_points_at_the_name(spelling: str, line_end: str) -> None:
    text = (HEAD + spelling).replace("\n", line_end)

    found = findings(text)

    assert [one.message for one in found] == ["unknown name `gpsu`"]
    span = found[0].label.span
    assert span.text == "gpsu"
    assert span.start == text.index("gpsu")


@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_any_text_is_read_or_refused_inside_of_itself(text: str) -> None:
    _, found = read_sheet(Source("sheet", text))

    assert found, "no text without `calcgraph: 1` is a sheet"
    for one in found:
        assert 0 <= one.label.span.start <= one.label.span.end <= len(text)
        line, column = one.label.span.source.position(one.label.span.start)
        assert (line, column) >= (1, 1)


@given(st.text("abc: \n-{}[],'\"#&*!|>%@=12", max_size=60))
def test_any_marks_of_yaml_are_read_or_refused(text: str) -> None:
    _, found = read_sheet(Source("sheet", HEAD + text))

    assert all(one.label.span.end <= len(HEAD + text) for one in found)
    assert all(one.message for one in found)
