"""What all tests share: Hypothesis, a cache of their own, the command line, sheets from texts."""

import os
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings

from calcgraph.cli import main
from excel.workbook_lint import RECORDED, lint_exports

HERE = Path(__file__).parent
BENCH = HERE / "bench"
# What a first change can break, in seconds: `pytest -m fast -n 0`. Whole packages of tests, less
# those that draw examples, run the largest sheet or start processes.
FAST = {
    HERE / "bugs",
    HERE / "errors",
    HERE / "functions",
    HERE / "golden",
    HERE / "language",
    HERE / "report",
    HERE / "sheet",
    HERE / "typecheck",
    HERE / "units",
}
NOT_FAST = {
    "test_arrays.py",
    "test_edges.py",
    "test_fuzz.py",
    "test_json_schema.py",
    "test_limits.py",
    "test_llama70b_values.py",
    "test_loading.py",
    "test_roundtrip.py",
}
LONG = {HERE / name for name in ("differential", "excel", "drafts", "models")}

# Never assert on time: a slow machine must not turn a law into a failure. The same examples are
# drawn in every run, so that one is as good as another; CALCGRAPH_EXPLORE=1 draws others.
EXPLORE = bool(os.environ.get("CALCGRAPH_EXPLORE"))
settings.register_profile(
    "calcgraph", deadline=None, print_blob=True, derandomize=not EXPLORE, database=None
)
settings.load_profile("calcgraph")


def pytest_configure() -> None:
    """Lint every workbook that any test exports, from the first import of a test on."""
    lint_exports()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip ``tests/bench`` unless it is named; under ``-m fast``, do not even import the others."""
    if collection_path == BENCH and not any("bench" in Path(arg).parts for arg in config.args):
        return True
    if config.option.markexpr != "fast":
        return None
    is_slow_folder = collection_path.parent == HERE and collection_path.is_dir()
    if collection_path.name in NOT_FAST or (is_slow_folder and collection_path not in FAST):
        return True
    return None


def is_fast(item: pytest.Item) -> bool:
    """Decide by folder, module and kind of test; take a third of the golden diagnostics."""
    if not FAST & set(item.path.parents) or item.path.name in NOT_FAST:
        return False
    if item.path.name == "test_errors.py":
        return crc32(item.nodeid.encode()) % 3 == 0
    draws = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    return not draws and "[llama70b" not in item.name


@pytest.hookimpl(tryfirst=True)  # before pytest looks at `-m`
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark fast tests; skip the longest within the README's commands, where they have just run."""
    for item in items:
        if is_fast(item):
            item.add_marker(pytest.mark.fast)
    if os.environ.get("CALCGRAPH_README"):
        skip = pytest.mark.skip(reason="steps `tests` and `office` of .ci/run run them")
        for item in items:
            if LONG & set(item.path.parents):
                item.add_marker(skip)


@dataclass(frozen=True)
class Ran:
    """The exit code and output of a command."""

    code: int
    out: str
    err: str


Cli = Callable[[str], Ran]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the user's cache out of the tests, and the tests out of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CALCGRAPH_CACHE", str(tmp_path_factory.mktemp("own") / "cache"))
        yield


@pytest.fixture(autouse=True)
def _sound_workbooks() -> Iterator[None]:
    """Fail where a workbook had findings although the exception about them was swallowed."""
    yield
    findings, RECORDED[:] = [*RECORDED], []
    assert not findings, findings


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run a command line in this process: ``cli("eval sheet.yaml --set gpus=512")``."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def run(line: str) -> Ran:
        capsys.readouterr()
        try:
            code = main(shlex.split(line))
        except SystemExit as stop:
            code = int(stop.code or 0)  # argparse ends with a number
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run


@pytest.fixture
def sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Write a sheet into the test's own folder, change to it, and return the sheet's name."""
    monkeypatch.chdir(tmp_path)

    def write(text: str, name: str = "sheet.yaml") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"calcgraph: 1\n{text}", encoding="utf-8")
        return name

    return write
