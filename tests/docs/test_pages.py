"""Pages are found, their links lead somewhere, and the code they name exists."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = sorted((ROOT / "docs").glob("*.md"))
PAGES = [*sorted(ROOT.glob("*.md")), *GUIDE]
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
NAMED_CODE = re.compile(r"`([\w/]+\.py): (\w+)`")
NAMED_PATH = re.compile(r"`((?:calcgraph|tests|units|sheets|docs|\.ci)/[\w/.]*)`")

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)


def links_of(page: Path) -> list[str]:
    prose = FENCED.sub("", page.read_text(encoding="utf-8"))
    return [target for target in LINK.findall(prose) if "://" not in target]


def anchors_of(page: Path) -> list[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^a-z0-9 _-]", "", head.lower()).replace(" ", "-") for head in headings]


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in links_of(page):
        file, _, anchor = target.partition("#")
        path = page.parent / file if file else page
        assert path.exists(), target
        assert not anchor or anchor in anchors_of(path), target


@pytest.mark.parametrize("index", ["README.md", "docs/README.md"])
def test_every_page_of_the_guide_is_linked(index: str) -> None:
    path = ROOT / index

    linked = {(path.parent / target.partition("#")[0]).resolve() for target in links_of(path)}

    assert set(GUIDE) - linked - {path} == set()


def test_every_function_that_the_architecture_names_exists() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = NAMED_CODE.findall(text)

    missing = [
        (module, name)
        for module, name in named
        if name not in top_level(ROOT / "calcgraph" / module)
    ]

    assert len(named) > 10
    assert missing == []


def top_level(module: Path) -> set[str]:
    if not module.exists():
        return set()
    nodes = ast.parse(module.read_text(encoding="utf-8")).body
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_every_path_that_is_named_exists(name: str) -> None:
    text = FENCED.sub("", (ROOT / name).read_text(encoding="utf-8"))
    made_by_the_reader = {
        "calcgraph/report/tsv.py",
        "tests/bugs/NNN_what_went_wrong.yaml",
        "tests/errors/CGnnn_what.yaml",
    }

    missing = {path for path in NAMED_PATH.findall(text) if not (ROOT / path).exists()}

    assert missing - made_by_the_reader == set()
