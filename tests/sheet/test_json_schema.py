"""The schema for editors accepts what the reader reads, and no key besides."""

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from calcgraph.sheet.json_schema import json_schema

REPOSITORY = Path(__file__).parents[2]
SHEETS = sorted(
    [
        *(REPOSITORY / "sheets").rglob("*.yaml"),
        *(REPOSITORY / "docs" / "examples").glob("*.yaml"),
        *(REPOSITORY / "tests" / "golden" / "one_page").rglob("*.yaml"),
        *(REPOSITORY / "tests" / "sheet").glob("*.yaml"),
    ]
)
VALIDATOR = jsonschema.Draft7Validator(json_schema())


class Loader(yaml.SafeLoader):
    """Reads as editors do, by YAML 1.2: dates and `on` stay texts."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, rule) for tag, rule in rules if not tag.endswith(("timestamp", "bool", "int"))]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile("^[-+]?[0-9]+$"), list("-+0123456789")
)


def load(path: Path) -> Any:  # noqa: ANN401 - whatever YAML holds
    return with_text_keys(yaml.load(path.read_text(), Loader))  # noqa: S506 - a safe loader


def with_text_keys(node: object) -> object:
    """Write keys as JSON knows them: labels such as `0` are texts."""
    if isinstance(node, dict):
        return {str(key): with_text_keys(value) for key, value in node.items()}
    return [with_text_keys(item) for item in node] if isinstance(node, list) else node


def places(node: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the paths of all mappings."""
    if isinstance(node, dict):
        yield path
        for key, value in node.items():
            yield from places(value, (*path, key))
    if isinstance(node, list):
        for at, value in enumerate(node):
            yield from places(value, (*path, at))


def test_the_schema_is_a_schema_of_draft_7() -> None:
    jsonschema.Draft7Validator.check_schema(json_schema())


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_sheets_are_accepted(path: Path) -> None:
    sheet = load(path)

    found = [error.message for error in VALIDATOR.iter_errors(sheet)]

    assert found == []


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_a_misspelt_key_is_refused_wherever_keys_are_closed(path: Path) -> None:
    sheet = load(path)
    free = (
        "scenarios",
        "set",
        "expect",
        "rows",
        "values",
    )  # they hold addresses, cells, columns, labels

    accepted = []
    for place in places(sheet):
        if any(step in free for step in place):
            continue
        changed = copy.deepcopy(sheet)
        target = changed
        for step in place:
            target = target[step]
        target["Vlaue!" if not place else "vlaue!"] = 1
        if VALIDATOR.is_valid(changed):
            accepted.append(place)

    assert accepted == []


def test_the_committed_schema_is_what_the_command_prints() -> None:
    committed = json.loads((REPOSITORY / "docs" / "calcgraph.schema.json").read_text())

    assert committed == json_schema(), "run `calcgraph schema > docs/calcgraph.schema.json`"
