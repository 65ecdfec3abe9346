"""Where a number comes from: the numbers put in give the result, and every fact has its place."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import calcgraph as cg

Cli = Callable[[str], Any]
Write = Callable[..., str]
ROOT = Path(__file__).parents[2]
UNITS = {"GFLOP": 1e9, "YFLOP": 1e24, "EFLOP": 1e18, "TFLOP": 1e12, "FLOP": 1.0}
UNITS |= {"day": 86_400.0, "hour": 3600.0, "s": 1.0, "MUSD": 1e6, "USD": 1.0}
UNITS |= {"param": 1.0, "token": 1.0, "gpu": 1.0, "layer": 1.0}


def parts_of(root: cg.Explanation) -> Iterator[cg.Explanation]:
    todo = [root]
    while todo:
        found = todo.pop(0)
        yield found
        todo = [*found.parts, *todo]


@pytest.fixture(scope="module")
def estimate() -> cg.Book:
    monkey = pytest.MonkeyPatch()
    monkey.chdir(ROOT)
    book = cg.open("docs/examples/estimate.yaml")
    monkey.undo()
    return book


def by_hand(text: str) -> float:
    """Read the numbers of an explanation with plain Python, units as factors to base units."""
    text = (
        re.sub(r"\[(.*?)\]", r"* (\1)", text)
        .replace("15T", "15000000000000")
        .replace("%", " * 0.01")
    )
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    text = re.sub(r"(?<=\d) (?=[A-Za-z])", " * ", text)  # a value binds its unit by a product
    text = re.sub(r"[A-Za-z]+", lambda hit: f"{UNITS[hit.group()]:.1f}", text)
    return float(eval(text))  # noqa: S307 - our own text, of digits by now


@pytest.mark.parametrize(
    ("name", "unit", "numbers"),
    [
        ("train_time", 86_400, "6.35 YFLOP / (6.332 EFLOP/s)"),
        ("total_flops", 1e24, "423.3 GFLOP/token * 15T token"),
        ("flops_per_token", 1e9, "6 [FLOP/param/token] * 70,553,706,496 param"),
        ("cluster_peak", 1e18, "16,000 gpu * 989.4 TFLOP/s/gpu"),
        ("cluster_rate", 1e18, "15.83 EFLOP/s * 40%"),
        ("gpu_hours", 3600, "16,000 gpu * 11.61 day"),
        ("attention_width", 1, "2 * 64 * 128 + 2 * 8 * 128"),
        ("norm_per_layer", 1, "2 * 1 * 8,192 * 1 [param/layer]"),
    ],
)
def test_numbers_put_in_give_the_result(
    estimate: cg.Book, name: str, unit: float, numbers: str
) -> None:
    found = estimate.explain(name, depth=0)

    assert found.numbers == numbers
    value = estimate[name]
    assert isinstance(value, float)
    assert by_hand(numbers) / unit == pytest.approx(value, rel=1e-3)  # four digits are shown


SHEET = """
inputs:
  low: {value: -3 m, label: Depth, note: below the sea, source: {title: survey, owner: geo,
    checked: 2026-01-02, url: "https://example.com"}}
  rate: 12.5%
  name: plain
  none: {value: null, unit: m}
  zero: 0 m
calc:
  above: = 10 [m] - low -> m
  square: = low^2 -> m^2
  growth: = (1 + rate)^2 -> 1
  share: = rate^2 -> 1
  ratio: = above / (square / 1 [m]) -> 1
  minus: = -low -> m
  double: = 2 * low -> m
  text: '= "{name} {low, 1}"'
  asked: = if(name == "plain", above, low) -> m
  blank: = if(isblank(none), low, none) -> m
  failed: = above / zero -> 1
  later: = failed * 2 -> 1
  spread: = (above + square / 1 [m]) * rate -> m
  alone: = 2 * 3 -> 1
"""


@pytest.mark.parametrize(
    ("name", "numbers", "result"),
    [
        ("above", "10 [m] - (-3 m)", "13 m"),
        ("square", "(-3 m)^2", "9 m^2"),
        ("share", "(12.5%)^2", "0.01563"),
        ("growth", "(1 + 12.5%)^2", "1.266"),
        ("ratio", "13 m / (9 m^2 / 1 [m])", "1.444"),
        ("minus", "-(-3 m)", "3 m"),
        ("double", "2 * (-3 m)", "-6 m"),
        ("text", '"{"plain"} {-3 m, 1}"', "plain -3.0 m"),
        ("asked", 'if("plain" == "plain", 13 m, -3 m)', "13 m"),
        ("blank", "if(isblank(n/a), -3 m, n/a)", "-3 m"),
        ("failed", "13 m / 0 m", "#div0 (division by zero)"),
        ("later", "#div0 * 2", "#div0 (because of `failed`)"),
        ("spread", "(13 m + 9 m^2 / 1 [m]) * 12.5%", "2.75 m"),
        ("alone", "", "6"),
    ],
)
def test_signs_units_and_texts_read_as_they_are_meant(
    sheet: Write, name: str, numbers: str, result: str
) -> None:
    found = cg.open(sheet(SHEET)).explain(name)

    assert (found.numbers, found.result) == (numbers, result)


def test_an_input_tells_its_place_note_and_source(sheet: Write) -> None:
    found = cg.open(sheet(SHEET)).explain("low")

    assert found == cg.Explanation(
        name="low",
        label="Depth",
        result="-3 m",
        kind="input",
        place="sheet.yaml:4",
        note="below the sea",
        source="survey, checked 2026-01-02, owner geo, https://example.com",
    )


def test_every_cell_is_told_once_and_above_where_it_is_named_again(estimate: cg.Book) -> None:
    told: set[str] = set()
    for part in parts_of(estimate.explain("train_time")):
        if part.kind == "entry":
            continue
        assert (part.name in told) == part.seen, part.name
        told.add(part.name)
        assert not (part.seen and part.parts)
    assert {"gpus", "chip", "model", "d_model", "mfu", "tokens"} <= told


def test_every_cell_above_is_told_down_to_the_inputs(estimate: cg.Book) -> None:
    told = {part.name for part in parts_of(estimate.explain("train_time")) if part.kind != "entry"}
    graph = estimate.graph
    above = {"train_time"}
    todo = ["train_time"]
    while todo:
        needs = [need for need in graph.predecessors(todo.pop()) if need not in above]
        above.update(needs)
        todo += needs

    assert told == {name for name in above if estimate.cell(name).kind != "column"}


def test_results_are_the_values_of_the_book(estimate: cg.Book) -> None:
    for part in parts_of(estimate.explain("cost")):
        if part.kind != "entry":
            assert part.result == estimate.text(part.name)


def test_places_point_at_the_line_that_defines_the_cell(estimate: cg.Book) -> None:
    for part in parts_of(estimate.explain("cost")):
        file, _, line = part.place.rpartition(":")
        text = (ROOT / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        if part.kind != "entry":
            assert re.match(rf"\s+{part.name}:", text), part.place


def test_an_entry_of_a_table_tells_its_row(estimate: cg.Book) -> None:
    parts = {part.name: part for part in parts_of(estimate.explain("chip_peak"))}

    entry = parts["hw.accelerators[h100_sxm].peak_bf16"]
    assert (entry.result, entry.kind, entry.note) == ("989.4 TFLOP/s/gpu", "entry", "dense")
    assert entry.source.startswith("NVIDIA data sheets;")
    assert entry.row_note.startswith("nvidia-smi reports")
    file, _, line = entry.place.rpartition(":")
    assert file == "sheets/catalog/accelerators.yaml"
    assert (
        "peak_bf16: 989.4" in (ROOT / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
    )
    assert parts["chip"].result == "h100_sxm"


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_depth_is_how_far_down_it_goes(estimate: cg.Book, depth: int) -> None:
    def deep(found: cg.Explanation) -> int:
        return max((1 + deep(part) for part in found.parts), default=0)

    assert deep(estimate.explain("cost", depth)) == depth


def test_an_explanation_follows_what_is_set(estimate: cg.Book) -> None:
    assert estimate.set(gpus=512).explain("gpu_hours").numbers == "512 gpu * 362.7 day"


def test_a_chain_of_thousands_of_cells_is_told(sheet: Write) -> None:
    lines = "\n".join(f"  c{at + 1}: = c{at} + 1 -> 1" for at in range(2000))
    book = cg.open(sheet(f"inputs: {{c0: 0}}\ncalc:\n{lines}\n"))

    assert sum(1 for _ in parts_of(book.explain("c2000"))) == 2001


def test_json_is_the_same_tree(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, estimate: cg.Book
) -> None:
    monkeypatch.chdir(ROOT)

    root = json.loads(cli("explain docs/examples/estimate.yaml cost --format json").out)

    def check(found: dict[str, Any], part: cg.Explanation) -> None:
        keys = ("name", "label", "result", "kind", "place", "formula", "numbers", "note", "source")
        assert {key: found.get(key, "") for key in keys} == {k: getattr(part, k) for k in keys}
        assert found.get("told_above", False) == part.seen
        assert len(found["parts"]) == len(part.parts)
        for below, other in zip(found["parts"], part.parts, strict=True):
            check(below, other)

    check(root, estimate.explain("cost"))


def test_the_tree_gives_a_long_source_once(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    out = cli("explain docs/examples/estimate.yaml params").out

    assert out.count("Hugging Face config.json of each model") == 1
    assert out.count("source: as for arch.models[llama3_70b].gated") > 5
    assert out.count("note on the row: GPU-hours are those of Llama 3.1") == 1
    assert "(told above)" in out


def test_a_tree_tells_an_entry_once(cli: Cli, sheet: Write) -> None:
    name = sheet(
        "tables: {t: {source: book, columns: {a: 1}, rows: {x: [3], y: [4]}}}\n"
        "inputs: {key: {value: x, choices: t}}\n"
        'calc:\n  b: "= t[key].a + 1 -> 1"\n  c: "= t[key].a * b + t[\\"y\\"].a -> 1"\n'
    )

    assert cli(f"explain {name} c").out.splitlines() == [
        "c = 16  sheet.yaml:6",
        '│  = t[key].a * b + t["y"].a -> 1',
        "│  = 3 * 4 + 4",
        "├─ t[x].a = 3  sheet.yaml:2",
        "│     source: book",
        "├─ key = x  sheet.yaml:3",
        "├─ b = 4  sheet.yaml:5",
        "│  │  = t[key].a + 1 -> 1",
        "│  │  = 3 + 1",
        "│  ├─ t[x].a = 3  (told above)",
        "│  └─ key = x  (told above)",
        "└─ t[y].a = 4  sheet.yaml:2",
        "      source: book",
    ]
