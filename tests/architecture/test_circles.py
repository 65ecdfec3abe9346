"""Import circles between modules, where imports for type checking count like any other."""

import ast
from collections.abc import Iterator
from pathlib import Path

import networkx as nx

PACKAGE = Path(__file__).parents[2] / "calcgraph"


def module_sources(package: Path) -> dict[str, str]:
    """Read all modules of a package, by their dotted names."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = [package.name, *path.relative_to(package).with_suffix("").parts]
        name = ".".join(parts).removesuffix(".__init__")
        found[name] = path.read_text("utf-8")
    return found


def imported(text: str, modules: dict[str, str]) -> Iterator[str]:
    """List the modules that one imports: at its head, for type checking and in functions."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module in modules:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in modules else node.module


def import_circles(modules: dict[str, str]) -> list[list[str]]:
    """Find the modules that import each other in a circle, set by set."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    for name, text in modules.items():
        graph.add_edges_from((name, other) for other in imported(text, modules) if other != name)
    components = nx.strongly_connected_components(graph)
    return sorted(sorted(component) for component in components if len(component) > 1)


def test_an_import_for_type_checking_closes_a_circle() -> None:
    modules = {
        "p.above": "from p.below import f",
        "p.below": "if TYPE_CHECKING:\n    from p.above import T",
        "p.apart": "import p.above",
    }

    assert import_circles(modules) == [["p.above", "p.below"]]


def test_no_modules_import_each_other_in_a_circle() -> None:
    circles = import_circles(module_sources(PACKAGE))

    assert circles == []
