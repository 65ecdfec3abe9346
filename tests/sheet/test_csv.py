"""CSV text: fields as Python's reader gives them, each with its place."""

import csv
import io
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcgraph.core.source import Source
from calcgraph.sheet.csv_reader import read_csv
from calcgraph.sheet.declarations import TableDecl
from sheet.reading_of import read, read_all, read_one

CHIPS = "tables:\n  chips: {columns: {hbm: GB, price: USD}, from_csv: chips.csv}\n"
PLAIN = st.text(st.sampled_from("ab8 ,\"'\n;é"), max_size=6).map(str.strip)


def fields(text: str) -> list[list[str]]:
    lines, findings = read_csv(Source("a.csv", text))
    assert findings == []
    return [[field.text.text for field in line.fields] for line in lines]


@given(
    rows=st.lists(st.lists(PLAIN, min_size=2, max_size=4), min_size=1, max_size=4),
    newline=st.sampled_from(["\n", "\r\n"]),
    every=st.booleans(),
)
def test_what_python_writes_is_read_back(
    rows: list[list[str]], newline: str, *, every: bool
) -> None:
    file = io.StringIO()
    quoting: Literal[0, 1] = csv.QUOTE_ALL if every else csv.QUOTE_MINIMAL
    csv.writer(file, lineterminator=newline, quoting=quoting).writerows(rows)
    held = [row for row in rows if any(row)]
    if not held:
        return

    assert fields(file.getvalue()) == held


@given(st.lists(st.lists(PLAIN, min_size=2, max_size=3), min_size=1, max_size=3))
def test_each_character_knows_its_place(rows: list[list[str]]) -> None:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    text = file.getvalue()

    lines, _ = read_csv(Source("a.csv", text))

    for line in lines:
        for field in line.fields:
            places = [field.text.at(index) for index in range(len(field.text.text))]
            assert [text[place] for place in places] == list(field.text.text)


def test_quotes_hold_together_and_do_not_make_texts() -> None:
    assert fields('a,b\n"1,5", "x ""y"" z" \n 5" disk ,\n') == [
        ["a", "b"],
        ["1,5", 'x "y" z'],
        ['5" disk', ""],
    ]
    lines, _ = read_csv(Source("a.csv", 'a,b\n"1",2\n'))
    assert not lines[1].fields[0].quoted


@pytest.mark.parametrize("text", ["", "\n\n", ",,\n", "  \n"])
def test_an_empty_file_is_one_finding(text: str) -> None:
    lines, findings = read_csv(Source("a.csv", text))

    assert lines == []
    assert [finding.message for finding in findings] == ["the file is empty"]


def test_a_text_longer_than_a_cell_holds_is_refused() -> None:
    lines, findings = read_csv(Source("a.csv", f"a,b\n1,{'x' * 32_768}\n"))

    assert lines == []
    assert [finding.code.id for finding in findings] == ["CG109"]


def rows(table: TableDecl) -> list[tuple[str, list[str | None]]]:
    return [
        (row.label, [entry.text.text if entry else None for entry in row.entries])
        for row in table.rows
    ]


@pytest.mark.parametrize("head", ["name", "key", "chips", ""])
def test_the_first_column_holds_the_keys_and_the_others_any_order(head: str) -> None:
    text = f"{head},price,hbm\nH100,2.49,80\nB200,,180 GB\n"

    (table,) = read_one(CHIPS, chips_csv=text).tables

    assert rows(table) == [("H100", ["80", "2.49"]), ("B200", ["180 GB", None])]
    assert [row.key.span.place for row in table.rows] == ["chips.csv:2:1", "chips.csv:3:1"]


KEYED = "{columns: {region: text, size: 1, price: USD}, key: [region, size]"
EXPECTED = [("us/8", ["us", "8", "5"]), ("eu/16", ["eu", "16", "6"])]


def test_the_key_is_joined_of_columns() -> None:
    written = f"  a: {KEYED}, rows: [[us, 8, 5], {{size: 16, region: eu, price: 6}}]}}\n"
    filed = f"  b: {KEYED}, from_csv: b.csv}}\n"

    sheet = read_one(f"tables:\n{written}{filed}", b_csv="size,region,price\n8,us,5\n16,eu,6\n")

    assert [rows(table) for table in sheet.tables] == [EXPECTED, EXPECTED]
    assert [key.text.text for key in sheet.tables[0].keys] == ["region", "size"]


def test_a_joined_key_knows_its_places() -> None:
    (table,) = read_one(f"tables:\n  a: {KEYED}, rows: [[us, 8, 5]]}}\n").tables

    key = table.rows[0].key.text

    source = key.source.text
    assert [source[key.at(index)] for index in range(5)] == ["u", "s", ",", "8", ","]


def test_the_files_are_kept_with_the_sheets() -> None:
    text = "name,hbm,price\nH100,80,2.49\n"

    sheets = read(CHIPS, chips_csv=text)

    assert {key: source.text for key, source in sheets.data.items()} == {"chips.csv": text}


@pytest.mark.parametrize(
    "text",
    [
        "name,hbm\nH100,80\n",
        "name,hbm,price,price\nH100,80,2,2\n",
        "name;hbm;price\nH100;80;2\n",
        "name,hbm,price\nH100,80\n",
        "name,hbm,price\nH100,80,2\nh100,80,2\n",
        'name,hbm,price\n"H100,80,2\n',
        "name,hbm,price\nH1\x0000,80,2\n",
        "",
    ],
)
def test_a_broken_file_is_one_finding_and_loses_the_table(text: str) -> None:
    sheets, found = read_all(CHIPS, chips_csv=text)

    assert len(found) == 1
    assert found[0].label.span.source.name == "chips.csv"
    assert sheets.sheets["sheet"].tables[0].columns == ()


def test_a_file_that_cannot_be_opened_is_one_finding_in_the_sheet() -> None:
    sheets, found = read_all(CHIPS)

    assert [finding.message for finding in found] == ["`chips.csv` does not exist"]
    assert found[0].label.span.place == "sheet:3:53"
    assert sheets.sheets["sheet"].tables[0].columns == ()
