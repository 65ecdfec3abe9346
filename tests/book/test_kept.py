"""A large sheet that is kept: told from one that has changed, and the same in all it says."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import calcgraph as cg
from calcgraph.book import sheet_cache
from calcgraph.core.units import Atom, Product, Unit
from calcgraph.graph import Graph
from calcgraph.model import Model
from calcgraph.units import Vocabulary

Cli = Callable[[str], Any]
ROOT = Path(__file__).parents[2]
SHEET = """\
calcgraph: 1
imports:
  job:  parts/job.yaml
  more: {sheet: parts/job.yaml, set: {gpus: 16 gpu}}
tables:
  chips: {columns: {hbm: GB/gpu}, from_csv: parts/chips.csv}
inputs: {chip: {value: h100, choices: chips}, unused: 1 day}
calc:
  memory: = job.gpus * chips[chip].hbm -> GB
  hours:  = more.gpus * 2 [hour] -> gpu*hour
"""
JOB = "calcgraph: 1\ninputs: {gpus: 8 gpu}\ncalc:\n  days: = gpus * 1 [day/gpu] -> day\n"


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sheet with its files, kept though it is small."""
    monkeypatch.setattr(sheet_cache, "SMALL", 0)
    monkeypatch.setenv("CALCGRAPH_CACHE", str(tmp_path / "cache"))
    (tmp_path / "model" / "parts").mkdir(parents=True)
    (tmp_path / "model" / "sheet.yaml").write_text(SHEET)
    (tmp_path / "model" / "parts" / "job.yaml").write_text(JOB)
    (tmp_path / "model" / "parts" / "chips.csv").write_text("name,hbm\nh100,80\n")
    return tmp_path / "model"


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was checked, and so not taken from the cache."""
    from calcgraph.typecheck import typecheck

    found: list[str] = []
    whole = typecheck.typecheck

    def counted(graph: Graph, vocabulary: Vocabulary) -> tuple[Model, list[cg.Diagnostic]]:
        found.append(Path(graph.sheets.root).name)
        return whole(graph, vocabulary)

    monkeypatch.setattr(typecheck, "typecheck", counted)
    return found


def test_a_sheet_that_has_not_changed_is_not_checked_again(model: Path, checked: list[str]) -> None:
    books = [cg.open(model / "sheet.yaml") for _ in range(2)]

    assert checked == ["sheet.yaml"]
    assert [book["memory"] for book in books] == [640, 640]
    assert [book.set(gpus=4)["memory"] for book in books] == [320, 320]
    assert books[1].warnings == books[0].warnings
    assert books[1].fingerprint == books[0].fingerprint


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("sheet.yaml", "gpus: 16", "gpus: 32"),
        ("parts/job.yaml", "8", "9"),
        ("parts/chips.csv", "80", "90"),
    ],
)
def test_a_change_of_any_file_is_seen(
    model: Path, checked: list[str], file: str, old: str, new: str
) -> None:
    before = cg.open(model / "sheet.yaml")
    (model / file).write_text((model / file).read_text().replace(old, new))

    after = cg.open(model / "sheet.yaml")

    assert len(checked) == 2
    assert (after["memory"], after["hours"]) != (before["memory"], before["hours"])


def test_an_import_that_now_leads_elsewhere_is_refused_as_ever(model: Path) -> None:
    cg.open(model / "sheet.yaml")
    (model / "parts").rename(model.parent / "parts")
    (model / "parts").symlink_to(model.parent / "parts")

    with pytest.raises(cg.SheetError, match="lies outside of the model's root"):
        cg.open(model / "sheet.yaml")


def test_another_state_of_calcgraph_believes_nothing(
    model: Path, checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cg.open(model / "sheet.yaml")
    for at, state in enumerate(("a change of our own", None)):
        monkeypatch.setattr(sheet_cache, "_own_state", lambda state=state: state)

        assert cg.open(model / "sheet.yaml")["memory"] == 640
        assert len(checked) == at + 2


def test_a_cell_of_a_variant_is_asked_for_apart(model: Path, checked: list[str]) -> None:
    cg.open(model / "sheet.yaml", asked=["memory", "hours"])
    cg.open(model / "sheet.yaml")

    assert cg.open(model / "sheet.yaml", asked=["more.days"])["more.days"] == 16
    assert len(checked) == 2


def test_without_a_cache_nothing_is_kept(model: Path, checked: list[str]) -> None:
    for _ in range(2):
        cg.open(model / "sheet.yaml", use_cache=False)

    assert len(checked) == 2
    assert not (model.parent / "cache").exists()


@pytest.mark.parametrize(
    ("sheet", "name"),
    [("series/budget.yaml", "cash[2026-03]"), ("series/layouts.yaml", "cand.time[4/1]")],
)
def test_all_that_a_kept_sheet_says_is_the_same(
    cli: Cli, model: Path, checked: list[str], sheet: str, name: str
) -> None:
    del model
    path = ROOT / "tests" / "golden" / sheet
    for line in (
        f"eval {path} --show {name} --format json",
        f"explain {path} {name}",
        f"graph {path}",
    ):
        fresh, first, again = cli(f"{line} --no-cache"), cli(line), cli(line)

        assert fresh == first == again
        assert fresh.out
    assert len(checked) < 9


def test_a_unit_has_the_hash_of_its_own_process() -> None:
    unit = Unit(((Atom("GB", Product(), 1), 1),))  # type: ignore[arg-type]
    other = pickle.dumps(unit)
    object.__setattr__(unit, "_hash", hash(unit) + 1)  # as if texts had other hashes

    assert pickle.dumps(unit) == other
    assert hash(pickle.loads(pickle.dumps(unit))) == hash(unit) - 1  # noqa: S301 - our own
