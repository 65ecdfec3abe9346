"""``calcgraph new``: a sheet that runs at once, with what an editor needs beside it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calcgraph.sheet.json_schema import json_schema

Cli = Callable[[str], Any]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def schema_of(sheet: Path) -> object:
    """Read the schema that the sheet's first line names, as an editor would."""
    first = sheet.read_text().splitlines()[0]
    return json.loads(
        (sheet.parent / first.removeprefix("# yaml-language-server: $schema=")).read_text()
    )


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("budget", "budget.yaml"),
        ("budget.yaml", "budget.yaml"),
        ("budget.yml", "budget.yml"),
        ("plans/q3-costs", "plans/q3-costs.yaml"),
        ("'our costs'", "our costs.yaml"),
        ("70b", "70b.yaml"),
        ("Überblick", "Überblick.yaml"),
    ],
)
def test_a_new_sheet_runs_and_checks_without_a_warning(cli: Cli, name: str, file: str) -> None:
    made = cli(f"new {name}")
    *_, following = made.out.splitlines()
    checked = cli(f"check '{file}'")
    evaluated = cli(following.removeprefix("next: calcgraph "))

    assert (made.code, made.err) == (0, "")
    assert (checked.code, checked.err) == (0, "")
    assert checked.out == f"{file}: OK: 1 of 1 checks hold\n"
    assert "Cost of the run  240  USD  cost" in evaluated.out  # 8 gpu * 12 hour * 2.50 USD
    assert schema_of(Path(file)) == json_schema()


def test_a_copy_brings_what_it_imports_and_each_names_the_schema(cli: Cli) -> None:
    made = cli("new mine --from llama70b")

    assert made.code == 0
    assert cli("eval mine.yaml --show cost").code == 0
    for name in ("mine.yaml", "catalog/models.yaml", "training/planner.yaml"):
        assert f"wrote {name}\n" in made.out
        assert schema_of(Path(name)) == json_schema()


def test_a_second_copy_shares_the_catalogues(cli: Cli) -> None:
    cli("new mine --from llama70b")

    again = cli("new yours --from sheets/llama70b.yaml")

    assert again.out == "wrote yours.yaml\nnext: calcgraph eval yours.yaml\n"


def test_nothing_of_the_user_is_overwritten_unless_forced(cli: Cli) -> None:
    cli("new mine --from llama70b")
    Path("catalog/models.yaml").write_text("calcgraph: 1\ntitle: my own\n")

    again = cli("new mine --from llama70b")
    other = cli("new yours --from llama70b")
    forced = cli("new yours --from llama70b --force")

    assert again.code == 4
    assert again.err == "calcgraph: mine.yaml already exists; --force overwrites it\n"
    assert other.code == 4
    assert other.err == "calcgraph: catalog/models.yaml already exists; --force overwrites it\n"
    assert forced.code == 0
    assert "wrote catalog/models.yaml\n" in forced.out


def test_an_untouched_new_sheet_is_still_there_already(cli: Cli) -> None:
    cli("new budget")

    assert cli("new budget").code == 4
    assert cli("new budget --force").code == 0


def test_an_old_schema_gives_way_and_a_foreign_file_does_not(cli: Cli) -> None:
    schema = Path("calcgraph.schema.json")
    schema.write_text('{"title": "calcgraph sheet"}')
    renewed = cli("new budget")
    schema.write_text("mine")
    refused = cli("new other")

    assert "wrote calcgraph.schema.json\n" in renewed.out
    assert refused.code == 4
    assert not Path("other.yaml").exists()
    assert schema.read_text() == "mine"


@pytest.mark.parametrize(
    "name", ["''", ".", "..", "plans/", ".yaml", "'a: b'", "'{x}'", "-- -x", "'#1'"]
)
def test_a_bad_name_is_refused_and_nothing_written(cli: Cli, name: str) -> None:
    refused = cli(f"new {name}")

    assert refused.code == 2
    assert (
        "does not name a sheet: write letters, digits, `_` or `-`, such as `budget`" in refused.err
    )
    assert list(Path().iterdir()) == []


def test_a_misspelt_shipped_sheet_is_named_right(cli: Cli) -> None:
    refused = cli("new mine --from llama70")

    assert refused.code == 4
    assert refused.err == "calcgraph: no sheet `llama70` is shipped; did you mean `llama70b`?\n"


def test_a_copy_out_of_a_folder_stays_inside_of_the_new_one(cli: Cli, tmp_path: Path) -> None:
    made = cli("new inner/mine --from training/hardware")

    assert made.code == 0
    assert cli("check inner/mine.yaml").code == 0
    written = {line.removeprefix("wrote ") for line in made.out.splitlines()[:-1]}
    assert "inner/catalog/accelerators.yaml" in written
    found = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {Path(name) for name in written}
    assert all(path.parts[0] == "inner" for path in found)
