"""An editor with the YAML language server helps with a sheet: by the real server, over stdio."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from calcgraph.sheet import schema
from editor.language_server import LanguageServer, find_server

CLONE = Path(__file__).parents[2]
SCHEMA = CLONE / "docs" / "calcgraph.schema.json"
SHEETS = sorted((CLONE / "sheets").rglob("*.yaml"))
MODELINE = "# yaml-language-server: $schema=../docs/calcgraph.schema.json\n"
MISSING = "no YAML language server: `.ci/run editor` installs one, CALCGRAPH_YAML_SERVER names it"


@pytest.fixture(scope="module")
def command() -> str:
    """The server; where it must be there (as in `.ci/run editor`) a missing one is a failure."""
    found = find_server()
    if not found and os.environ.get("CALCGRAPH_NEED_EDITOR"):
        pytest.fail(MISSING)
    if not found:
        pytest.skip(MISSING)
    return found


@pytest.fixture(scope="module")
def server(command: str) -> Iterator[LanguageServer]:
    with LanguageServer.running(command) as running:
        yield running


@pytest.fixture
def opened(request: pytest.FixtureRequest) -> Path:
    """A sheet that is only in the editor; each test has its own."""
    name: str = request.node.name
    return CLONE / "sheets" / f"{sum(name.encode())}.yaml"


def test_nothing_is_underlined_in_a_right_sheet(server: LanguageServer) -> None:
    for path in SHEETS:
        up = "../" * len(path.relative_to(CLONE).parts[:-1])
        modeline = f"# yaml-language-server: $schema={up}docs/calcgraph.schema.json\n"

        found = server.problems(path, modeline + path.read_text(encoding="utf-8"))

        assert found == [], path.name


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("inputs: {gpus: {value: 3 gpu, mni: 1 gpu}}", "Property mni is not allowed."),
        ("input: {gpus: 3 gpu}", "Property input is not allowed."),
        (
            "checks: [{name: n, assert: = gpus > 1, severity: eror}]",
            'Value is not accepted. Valid values: "error", "warning".',
        ),
    ],
)
def test_a_mistake_is_underlined_at_its_line(
    server: LanguageServer, opened: Path, line: str, message: str
) -> None:
    text = f"{MODELINE}calcgraph: 1\ntitle: wrong\n{line}\ncalc: {{}}\n"

    (found,) = server.problems(opened, text)

    assert found["message"] == message
    assert found["range"]["start"]["line"] == 3


def test_a_schema_named_in_the_settings_serves_as_well(command: str, opened: Path) -> None:
    with LanguageServer.running(command, {SCHEMA.as_uri(): "*.yaml"}) as server:
        (found,) = server.problems(opened, "calcgraph: 1\ncalk: {}\n")

    assert found["message"] == "Property calk is not allowed."
    assert found["range"]["start"]["line"] == 1


def test_keys_are_offered_with_what_they_are_for(server: LanguageServer, opened: Path) -> None:
    server.problems(opened, f"{MODELINE}calcgraph: 1\ninputs:\n  gpus:\n    value: 3 gpu\n    \n\n")

    of_a_cell = server.completions(opened, (5, 4))
    of_the_sheet = server.completions(opened, (6, 0))

    assert of_a_cell["min"] == schema.INPUT["min"] == "lowest value allowed"
    assert "value" not in of_a_cell  # it is there already
    assert "formula" not in of_a_cell
    assert of_the_sheet["scenarios"] == schema.TOP["scenarios"]
    assert "inputs" not in of_the_sheet


def test_a_key_says_what_it_is_for_under_the_mouse(server: LanguageServer, opened: Path) -> None:
    server.problems(
        opened, f"{MODELINE}calcgraph: 1\ninputs:\n  gpus: {{value: 3 gpu, max: 9 gpu}}\n"
    )

    assert schema.TOP["inputs"] in server.hover(opened, (2, 2))
    assert schema.INPUT["max"] in server.hover(opened, (3, 24))
