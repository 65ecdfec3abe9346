"""Texts stay texts: nothing that a sheet says becomes a formula, an error, a link to elsewhere."""

import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcgraph.book import open_book
from calcgraph.excel.xlsx.writer import coded, is_web, looks_computed
from excel.conftest import Made

Make = Callable[[str], Any]

DANGEROUS = (
    "=cmd|'/C calc'!A0",
    '=HYPERLINK("http://x","y")',
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "\t=1+1",
    "\n=1",
    "\uff1d1+1",
    "\uff0b1",
    "\uff0d1",
    "\uff20x",
)
LOOKALIKES = ("#N/A", "#REF!", "#DIV/0!", "TRUE", "1e5", "2026-01-31")
TEXTS = (*DANGEROUS, *LOOKALIKES)


def said(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def saying_sheet(texts: tuple[str, ...]) -> str:
    """Write a sheet that says each text wherever a sheet takes one."""
    head = f"""title: {said(texts[0])}
description: {said(texts[0])}
outputs: [{", ".join(f"z{at}" for at in range(len(texts)))}]
"""
    blocks: dict[str, list[str]] = {
        "tables": [], "inputs": [], "calc": [], "checks": [], "scenarios": []
    }  # fmt: skip
    for at, text in enumerate(texts):
        it = said(text)
        # a value that starts with `=` is a formula, and refused
        value = '"plain"' if text.strip().startswith("=") else it
        source = f"source: {{title: {it}, url: {it}, owner: {it}}}"
        about = f"label: {it}, note: {it}, {source}"
        blocks["tables"].append(
            f"  t{at}: {{label: {it}, source: {it},"
            f" columns: {{c: {{unit: text, label: {it}}}, n: 1}},"
            f" rows: {{{it}: [{it}, 1], plain: [a, 2]}}}}\n"
        )
        blocks["inputs"].append(
            f"  x{at}_: {{value: {value}, choices: [{value}, b], {about}}}\n"
            f"  y{at}_: {{value: 1, {about}}}\n  k{at}_: {{value: {value}, choices: t{at}}}\n"
        )
        blocks["calc"].append(
            f'  z{at}: {{formula: "= y{at}_ + t{at}[k{at}_].n -> 1", {about},'
            f" expect: {{value: 2, source: {it}}}}}\n"
        )
        blocks["checks"].append(f'  - {{name: {said(f"{text}{at}")}, assert: "= y{at}_ > 0"}}\n')
        blocks["scenarios"].append(f"  s{at}: {{y{at}_: 2, note: {it}}}\n")
    return head + "".join(f"{key}:\n{''.join(lines)}" for key, lines in blocks.items())


@pytest.fixture(scope="module")
def saying(tmp_path_factory: pytest.TempPathFactory) -> Made:
    path = tmp_path_factory.mktemp("saying") / "sheet.yaml"
    path.write_text(f"calcgraph: 1\n{saying_sheet(TEXTS)}", encoding="utf-8")
    return Made(open_book(path))


@pytest.fixture(scope="module")
def cells(saying: Made) -> list[Any]:
    return [cell for sheet in saying.opened for row in sheet.iter_rows() for cell in row]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_kept_as_texts(text: str, cells: list[Any]) -> None:
    found = [
        cell for cell in cells if isinstance(cell.value, str) and cell.value.strip() == text.strip()
    ]

    assert len(found) >= 12
    assert {cell.data_type for cell in found} == {"s"}
    if text in DANGEROUS:
        assert all(cell.quotePrefix for cell in found)


def test_no_text_becomes_a_formula_or_an_error(saying: Made, tmp_path: Path) -> None:
    path = tmp_path / "plain.yaml"
    stripped = [text.strip() for text in TEXTS]
    plain = tuple(f"plain{stripped.index(text)}" for text in stripped)
    path.write_text(f"calcgraph: 1\n{saying_sheet(plain)}", encoding="utf-8")

    assert set(saying.written.formulas) == set(Made(open_book(path)).written.formulas)
    assert not [part for part in parts(saying.raw).values() if b't="e"' in part]


def parts(raw: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(raw)) as book:
        return {name: book.read(name) for name in book.namelist()}


def decoded(text: str) -> str:
    """Read a text as Excel does (ST_Xstring): each ``_xHHHH_`` is a character."""
    return re.sub(r"_x([0-9A-Fa-f]{4})_", lambda hit: chr(int(hit[1], 16)), text)


@given(st.text(st.sampled_from("_x0041AF5f "), max_size=40))
def test_coded_texts_are_read_back(text: str) -> None:
    assert decoded(coded(text)) == text


@pytest.mark.parametrize("text", ["_x0041_BC", "_x0041_x0042_", "_x005F_x0041_", "__x0041__"])
def test_codes_are_escaped_in_cells_and_cached_values(text: str, make: Make) -> None:
    made = make(
        f"title: T\ninputs: {{x: {{value: 1, label: {text}}}}}\ncalc: {{y: '= \"{text}\"'}}"
    )

    texts = re.findall(r"<t[^>]*>([^<]*)</t>", b"".join(parts(made.raw).values()).decode())
    assert text in {decoded(item) for item in texts}
    assert text not in texts
    assert decoded(str(made.written.cached[made.written.names["y"]])) == text
    literals = re.findall(r'"[^"]*"', made.formula("y"))
    assert "".join(item[1:-1] for item in literals) == text
    assert all(decoded(item) == item for item in literals)


ELSEWHERE = (
    "file:///c:/windows",
    "javascript:alert(1)",
    r"\\evil\share\x",
    "http://a b",
    "mailto:a@b.c",
    "ftp://a.b",
    "Checks",
    "'Checks'!A1",
    "#Checks!A1",
    "//a.b",
    "https://a.b/" + "x" * 2068,
    "http://",
    "https://a.b/\u00a0x",
)
WEB = ("https://a.b/c?d=e&f='g'", "HTTP://A.B", "https://é.example/ü")


def test_only_the_web_is_linked(make: Make) -> None:
    lines = "".join(
        f"  x{at}_: {{value: 1, source: {{title: at {at}, url: {said(url)}}}}}\n"
        for at, url in enumerate((*ELSEWHERE, *WEB))
    )

    made = make(f"title: T\ninputs:\n{lines}calc: {{y: = x0_ -> 1}}")

    linked = [c for sheet in made.opened for row in sheet.iter_rows() for c in row if c.hyperlink]
    targets = [cell.hyperlink.target for cell in linked if cell.hyperlink.target]
    assert sorted(targets) == sorted((*WEB, *WEB))  # on Inputs and on Sources
    places = [cell for cell in linked if not cell.hyperlink.target]
    assert all(cell.value.endswith("›") or cell.value == "‹ Summary" for cell in places)
    assert set(ELSEWHERE) <= made.texts()


@pytest.mark.parametrize("url", ELSEWHERE)
def test_elsewhere_is_not_the_web(url: str) -> None:
    assert not is_web(url)


@pytest.mark.parametrize("text", ["a=1", "1-1", "a@b", " =1", ""])
def test_harmless_texts_are_not_marked(text: str) -> None:
    assert not looks_computed(text)
