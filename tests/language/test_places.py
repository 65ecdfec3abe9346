"""A finding points at the very characters, however YAML has the formula written."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calcgraph.core.diagnostics import errors
from properties.pipeline import read

WORDS = ["first", "second", "third"]


def indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.split("\n"))


STYLES = {
    "plain": lambda lines: "= " + " ".join(lines),
    "plain over lines": lambda lines: "= " + "\n      ".join(lines),
    "single quotes": lambda lines: "'= " + "\n      ".join(lines).replace("'", "''") + "'",
    "double quotes": lambda lines: (
        '"= '
        + " ".join(lines).replace("\\", "\\\\").replace('"', '\\"').replace("+", "\\x2B")
        + '"'
    ),
    "double quotes over lines": lambda lines: (
        '"= '
        + " \\\n      ".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
        + '"'
    ),
    "folded": lambda lines: ">-\n" + indented("= " + "\n".join(lines)),
    "folded with gaps": lambda lines: ">\n" + indented("= " + "\n\n".join(lines)),
    "literal": lambda lines: "|\n" + indented("= " + "\n".join(lines)),
}


@pytest.mark.parametrize("style", STYLES)
@settings(max_examples=25)
@given(data=st.data())
def test_every_unknown_name_is_found_where_it_stands(style: str, data: st.DataObject) -> None:
    between = st.sampled_from(["+ 1 *", "- (2) +", "/ 2.5 -", "+ 3 [GB] *"])
    lines = [WORDS[0], *(f"{data.draw(between)} {word}" for word in WORDS[1:])]
    if style != "plain" and data.draw(st.booleans()):
        lines.insert(
            0, 'if("it\'s é" == "a\\"b", 1, 2) +' if "quotes" in style else '"é" == "ü" or'
        )

    _, findings = read(f"calc:\n  é: 1\n  x: {STYLES[style](lines)}\n")

    unknown = [f.label.span for f in errors(findings) if f.message.startswith("unknown name")]
    assert [span.text for span in unknown] == WORDS


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("calc:\n  x: = 1 + abc", "sheet.yaml:3:12"),
        ("calc:\n  x: '= ''abc'", "sheet.yaml:3:9"),
        ('calc:\n  x: "= \\"é\\" == abc"', "sheet.yaml:3:18"),
        ("calc:\n  x: >-\n    = 1 +\n\n    abc", "sheet.yaml:6:5"),
        ("calc:\n  x: |\n    = 1\n      + abc", "sheet.yaml:5:9"),
        ("calc:\n  x: {formula: = 1 + abc}", "sheet.yaml:3:22"),
    ],
)
def test_columns_are_exact(text: str, place: str) -> None:
    _, findings = read(text)

    assert errors(findings)[0].label.span.place == place
