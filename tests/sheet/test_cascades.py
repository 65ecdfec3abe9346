"""One mistake is one finding: what stands on a broken declaration is not blamed for it."""

import pytest

from calcgraph.core.diagnostics import Diagnostic
from calcgraph.core.source import Source
from calcgraph.graph import build_graph
from calcgraph.sheet.imports import Unreadable, read_sheets
from calcgraph.typecheck.typecheck import typecheck
from calcgraph.units import load_vocabulary

USES = """\
calc:
  twice: {formula: = a * 2 -> gpu, expect: 4 gpu}
  more:  = twice + 1 [gpu]
checks:
  - {name: enough, assert: "= a >= 8 [gpu]", message: "only {a} and {more}"}
outputs: [twice, a]
scenarios:
  big: {a: 1024 gpu}
tests:
  - {name: small, set: {a: 8 gpu}, expect: {more: 17 gpu}}
"""
BROKEN = [
    "input: {a: 2 gpu}",
    "inputs: [a]\ninput: {a: 2 gpu}",
    "inputs:\n  - a: 2 gpu",
    "inputs: {a: 2 gpus}",
    "inputs: {a: 2,5 gpu}",
    "inputs: {a: {value: 1,000 gpu}}",
    "inputs: {a: {value: 1,000 gpu, min: 8 gpu}}",
    "inputs: {a: {vlaue: 2 gpu}}",
    "inputs:\n  a:",
    "inputs: {a: }",
    "inputs: {a: [1 gpu, 2 gpu]}",
    "inputs: {a: = 2 * 3}",
    "inputs: {a: {value: = 2}}",
    "inputs: {a: {value: 2 gpu, unit: token}}",
    "inputs: {a: {value: 2 gpu, min: 3 token}}",
    "inputs: {a: {value: 2 gpu, min: 3 gpu}}",
    "inputs: {a: {value: 2 gpu, min: 3 gpu, max: 1 gpu}}",
    "inputs: {a: {value: 2 gpu, choices: []}}",
    "inputs: {a: {value: 2 gpu, choices: [3 gpu]}}",
    "inputs: {a: {value: 2 gpu, choices: nowhere}}",
    'inputs: {a: "2 gpu"}',
    "inputs: {a: 2026-02-30}",
    "inputs: {a: $5}",
    "inputs: {A: 2 gpu}",
    "inputs:\n  cluster:\n    a: 2 gpu",
    "inputs:\n  One:\n    Two:\n      a: 2 gpu",
    "inputs:\n  b:\n    value: 2 gpu\n    a: 2 gpu",
    "inputs: {a[month]: 2 gpu}",
    "inputs: {a: {unit: gpu, values: {2026-01: 3}}}",
    "units: {pod: 4 rack}\ninputs: {a: 2 pod}",
    "tables: {a: [1, 2]}",
    "imports: {a: nowhere.yaml}",
    "imports: {a: {set: {}}}",
]


def findings(text: str) -> list[Diagnostic]:
    def nothing(_: str, __: str) -> Unreadable:
        return Unreadable("does not exist")

    sheets, found = read_sheets("sheet", Source("sheet", text), nothing)
    graph, tied = build_graph(sheets)
    _, settled = typecheck(graph, load_vocabulary())
    return [*found, *tied, *settled]


def test_uses_of_a_sound_input_are_sound() -> None:
    assert findings(f"calcgraph: 1\ninputs: {{a: 2 gpu}}\n{USES}") == []


@pytest.mark.parametrize("broken", BROKEN)
def test_broken_declaration_is_the_only_finding(broken: str) -> None:
    found = findings(f"calcgraph: 1\n{broken}\n{USES}")

    lines = {one.label.span.source.position(one.label.span.start)[0] for one in found}
    assert len(found) in {1, 2}, [one.message for one in found]  # two where it is wrong twice
    assert max(lines) <= 1 + broken.count("\n") + 1


@pytest.mark.parametrize(
    "table",
    [
        "{columns: [hbm], rows: {h100: [80]}}",
        "{columns: {Old: GB, hbm: GB}, rows: {h100: [80, 80]}}",
        "{columns: {hbm: GB}, rows: [h100]}",
        "{columns: {hbm: GB}, rows: {h100: 80}}",
        "{columns: {hbm: GB}, rows: {h100: [80, 90]}}",
        "{columns: {hbm: GB}, rows: {h100: [8O]}}",
        "{columns: {hbm: GB}}",
        "{rows: {h100: [80]}}",
        "[h100]",
    ],
)
def test_broken_table_is_the_only_finding(table: str) -> None:
    uses = (
        "inputs: {chip: {value: h100, choices: chips}}\n"
        'calc: {a: "= chips[chip].hbm -> GB", b: "= max(chips.hbm) + a"}\n'
        'tests: [{name: more, set: {"chips[h100].hbm": 90}, expect: {a: 90 GB}}]\n'
    )

    found = findings(f"calcgraph: 1\ntables:\n  chips: {table}\n{uses}")

    places = [one.label.span.source.position(one.label.span.start)[0] for one in found]
    assert places == [3], [one.message for one in found]


@pytest.mark.parametrize("formula", ["= b *", "= nowhere", "= 1 + 2 [gpu]", "= nosuch(1)", "2 gpu"])
def test_broken_formula_is_the_only_finding(formula: str) -> None:
    text = f"calcgraph: 1\ncalc:\n  a: {formula}\n{USES.partition('scenarios')[0]}"
    text = text.replace("\ncalc:\n  twice", "\n  twice")

    found = findings(text)

    assert len(found) == 1, [one.message for one in found]


def test_each_circle_is_said_once_and_their_users_not_at_all() -> None:
    text = "calcgraph: 1\ncalc: {a: = b, b: = a, c: = c + 1, d: = a + c, e: = d * 2, f: = 1 + 1}\n"

    found = findings(text)

    assert [one.message for one in found] == [
        "circular reference: a -> b -> a",
        "circular reference: c -> c",
    ]


@pytest.mark.parametrize("length", [2, 13, 60])
def test_whole_circle_is_printed(length: int) -> None:
    names = [f"c{number}" for number in range(length)]
    cells = "".join(f"  {a}: = {b}\n" for a, b in zip(names, [*names[1:], names[0]], strict=True))

    (found,) = findings(f"calcgraph: 1\ncalc:\n{cells}")

    assert found.message == f"circular reference: {' -> '.join([*names, names[0]])}"


def test_circle_of_5000_cells_is_found_and_cut_short() -> None:
    cells = "".join(f"  c{number}: = c{(number + 1) % 5_000}\n" for number in range(5_000))

    (found,) = findings(f"calcgraph: 1\ncalc:\n{cells}")

    assert "c0 -> c1 -> c2" in found.message
    assert "… ->" in found.message
    assert len(found.message) < 2000
