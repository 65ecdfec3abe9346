"""Cases computed together give what each gives alone, with inputs of every kind."""

import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

import calcgraph as cg
from calcgraph.core.values import Series
from calcgraph.engine import case_arrays, cases
from calcgraph.model import Change
from calcgraph.units import load_vocabulary

LEAF = """calcgraph: 1
dims: {month: {from: 2026-01, to: 2026-06}}
inputs: {growth: 2%, start: 100 USD}
calc:
  sales[month]: = prev(sales, start) * (1 + growth) -> USD
  total: = sum(sales) -> USD
"""
SHEET = """calcgraph: 1
title: inputs of every kind
imports:
  leaf: leaf.yaml
  high: {sheet: leaf.yaml, set: {growth: = growth * 2}}
  plan: {sheet: leaf.yaml, over: region, set: {growth: = growths}}
dims: {month: {from: 2026-01, to: 2026-06}, region: [us, eu]}
tables:
  chips:
    columns: {rate: TFLOP/s/gpu, price: USD/gpu/hour, vendor: text}
    rows: {h100: [989, 2.5, A], b200: [2250, 4.4, B], old: {rate: 312, vendor: C}}
inputs:
  gpus: {value: 512 gpu, min: 1 gpu}
  chip: {value: h100, choices: chips}
  model: {value: dense, choices: [dense, moe]}
  spot: false
  opens: 2026-03-01
  limit: {value: null, unit: USD/hour}
  divisor: 4
  growth: 2%
  growths[region]: {unit: "1", values: {us: 1%, eu: 3%}}
  fx[month]: {unit: USD/EUR, fill: previous, values: {2026-01: 1.08, 2026-04: 1.10}}
calc:
  rate: = gpus * chips[chip].rate -> PFLOP/s
  cost: = gpus * chips[chip].price * if(spot, 0.4, 1) -> USD/hour
  share: = 1 / divisor
  share_or: = iferror(share * 10, 7)
  root[month]: = sqrt(divisor - index(month)) * share -> 1
  mean_root: = mean(root)
  open[month]: = month >= opens
  opened: = count(open)
  cap: = min(limit, cost) -> USD/hour
  in_force: = if(isblank(limit), cost, limit) -> USD/hour
  words: '= "{gpus} of {chip}: {cost, 1}, {model}"'
  euros[month]: = cost / fx -> EUR/hour
  cash[month, region]: = prev(cash, 0, month) * (1 + growths) + if(open, 10, 0) / divisor -> 1
  last_cash[region]: = last(cash, month)
  best: = argmax(last_cash)
  moe_cost: '= switch(model, "moe", cost / 2, cost) -> USD/hour'
  later: = opens + 30 [day]
  plain: = leaf.total -> USD
  doubled: = high.total -> USD
  lifted[region]: = plan.total -> USD
  steady: = sum(fx) -> USD/EUR
checks:
  - {name: cheap enough, assert: "= cost <= 2000 [USD/hour]", message: "{cost} for {gpus}"}
  - {name: open in time, assert: = open, severity: warning, message: "{opens} is late"}
  - {name: has a share, assert: = share < 1, message: "{share}"}
scenarios: {next: {chip: b200}}
outputs: [cost]
"""
GIVEN = {
    "gpus": ["1 gpu", "512", "1000"],
    "chip": ["h100", "b200", "old"],
    "model": ["dense", "moe"],
    "spot": ["true", "false"],
    "opens": ["2026-01-15", "2026-12-31"],
    "limit": ["null", "700 USD/hour"],
    "divisor": ["0", "1", "-2", "5.5"],
    "growth": ["0", "10%"],
    "growths[eu]": ["0", "7%"],
    "fx[2026-03]": ["1.2", "0"],
    "chips[b200].price": ["null", "3 USD/gpu/hour"],
    "leaf.start": ["1 kUSD", "0"],
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> cg.Book:
    folder = tmp_path_factory.mktemp("model")
    (folder / "leaf.yaml").write_text(LEAF)
    (folder / "sheet.yaml").write_text(SHEET)
    return cg.open(folder / "sheet.yaml", use_cache=False)


@pytest.fixture(autouse=True)
def _over_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "WORTH", 0)


def assert_alike(one: cg.Book, other: cg.Book) -> None:
    for cell in one.model.cells:
        first, second = (
            list(value.data) if isinstance(value, Series) else [value]
            for value in (one.evaluation.values[cell.number], other.evaluation.values[cell.number])
        )
        assert first == second, cell.name
        assert list(map(type, first)) == list(map(type, second)), cell.name
    assert one.checks == other.checks
    assert one.expectations == other.expectations
    assert one.settings == other.settings
    assert one.fingerprint == other.fingerprint


@pytest.mark.parametrize("few", [1, 8])
@pytest.mark.parametrize("names", [*([name] for name in GIVEN), ["chip", "divisor"], list(GIVEN)])
def test_cases_together_are_cases_alone(
    names: list[str], few: int, book: cg.Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(case_arrays, "FEW", few)
    lists = [GIVEN[name] for name in names]
    some = list(product(*lists)) if len(names) < 3 else list(zip(*(v * 6 for v in lists)))[:9]  # noqa: B905
    settings = [dict(zip(names, values, strict=True)) for values in some]

    found = list(book.each(settings))

    for one, given in zip(found, settings, strict=True):
        assert_alike(one, book.set(given))


def test_cases_lie_on_top_of_what_was_set(book: cg.Book) -> None:
    before = book.set({"fx[2026-03]": 1.3, "spot": True}).scenario("next")

    found = list(before.each([{"fx[2026-05]": x, "gpus": 8} for x in (1.0, 2.0)]))

    for one, x in zip(found, (1.0, 2.0), strict=True):
        assert_alike(one, before.set({"fx[2026-05]": x, "gpus": 8}))
        assert one["fx"] == (1.08, 1.08, 1.3, 1.1, x, x)


def test_cases_may_change_different_inputs_or_none(book: cg.Book) -> None:
    settings = [{"gpus": 8}, {}, {"divisor": 0}, {"spot": True, "gpus": 16}]

    found = list(book.each(settings))

    assert found[1] is book
    for one, given in zip(found, settings, strict=True):
        assert_alike(one, book.set(given))


def test_a_refused_value_is_told_before_any_case(book: cg.Book) -> None:
    with pytest.raises(cg.SettingError, match="gpus"):
        book.each([{"gpus": 1}, {"gpus": 0}])


def test_only_the_cases_that_fail_are_computed_alone(
    book: cg.Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(case_arrays, "FEW", 1)
    alone: list[str] = []
    compute = case_arrays.compute_unit
    monkeypatch.setattr(
        case_arrays,
        "compute_unit",
        lambda *given: (alone.append(book.model.cells[given[2][0]].name), compute(*given)),
    )

    found = list(book.each([{"divisor": x} for x in [3, *range(5, 100), 0]]))

    failed = found[-1].evaluation.failures
    names = {book.model.cells[number].name for number in failed} - {"check: has a share"}
    assert names >= {"share", "root", "mean_root", "cash", "last_cash"}
    # What fails is computed alone in the one case it fails in, as is what reads it.
    assert alone.count("share") == alone.count("share_or") == alone.count("last_cash") == 1
    assert alone.count("cash") == 1
    assert alone.count("root") == 2  # in the case of 3 the root of a negative number
    assert not {"share", "cash"} & {
        book.model.cells[number].name for one in found[:-1] for number in one.evaluation.failures
    }


def test_blocks_are_as_large_as_there_is_room(
    book: cg.Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    make = case_arrays.CaseBlock
    monkeypatch.setattr(
        case_arrays,
        "CaseBlock",
        lambda *given: (sizes.append(len(next(iter(given[2].values())))), make(*given))[1],
    )
    monkeypatch.setattr(
        case_arrays, "ROOM", 400
    )  # `gpus` reaches 14 values and texts that take more

    found = list(book.each([{"gpus": n} for n in range(1, 41)]))

    assert [one["gpus"] for one in found] == list(range(1, 41))
    assert sum(sizes) == 40
    assert len(sizes) > 1
    assert len(set(sizes[:-1])) == 1


def test_cases_that_have_no_room_together_are_computed_one_by_one(
    book: cg.Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(case_arrays, "ROOM", 1)
    monkeypatch.delattr(case_arrays, "CaseBlock")

    assert [one["gpus"] for one in book.each([{"gpus": n} for n in range(1, 9)])] == [*range(1, 9)]


@pytest.mark.parametrize(
    ("count", "size", "way"),
    [
        (10, 300, "together"),
        (9, 300, "alone"),
        (10, 3, "alone"),
        (15_000, 3, "together"),
        (14_999, 3, "alone"),
    ],
)
def test_cases_are_computed_together_where_it_is_worth_it(
    count: int,
    size: int,
    way: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    (tmp_path / "sheet.yaml").write_text(
        f"calcgraph: 1\ndims: {{n: {{count: {size}}}}}\n"
        "inputs: {a: 4}\ncalc:\n  steady[n]: = n + 1\n  varies: = a * 2\n"
    )
    one = cg.open(tmp_path / "sheet.yaml", use_cache=False).evaluation
    number = one.plan.model.graph.names["a"]
    ways: list[str] = []
    monkeypatch.setattr(case_arrays, "evaluate_blocks", lambda *_: ways.append("together") or [one])
    monkeypatch.setattr(cases, "recompute", lambda *_: ways.append("alone") or one)

    next(cases.evaluate_cases(one, [[Change(number, None, 1.0)]] * count))

    assert ways == [way]


def test_few_cases_of_a_small_sheet_need_no_numpy(tmp_path: Path) -> None:
    (tmp_path / "leaf.yaml").write_text(LEAF)
    (tmp_path / "sheet.yaml").write_text(SHEET)
    load_vocabulary()  # into the cache: to read it from the definitions takes pint, thus numpy
    code = (
        "import sys; from calcgraph.cli import main; "
        "main(['eval', 'sheet.yaml', '--set', 'gpus=1,2,3', '--format', 'csv']); "
        "print('numpy' in sys.modules, file=sys.stderr)"
    )

    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    assert ran.stdout.startswith("name,unit,label,kind,")
    assert ran.stderr.splitlines()[-1] == "False"
