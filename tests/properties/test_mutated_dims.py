"""Sheets with dims, variants and CSV, mutated token by token: mistakes are found, never raised."""

import random
import re
from pathlib import Path

import pytest

from calcgraph.core.source import Source
from calcgraph.engine import evaluate, make_plan
from calcgraph.graph import build_graph
from calcgraph.sheet.imports import Unreadable, read_sheets
from calcgraph.typecheck.typecheck import typecheck
from calcgraph.units import load_vocabulary

FOLDER = Path(__file__).parent / "rich"
TOKEN = re.compile(r"[A-Za-z_][\w.]*|\d[\w.-]*|\"[^\"\n]*\"|\s+|.", re.DOTALL)
ROUNDS = 25
WORDS = [
    "prev(", "sum(", "lag(", "rank(", "cumsum(", "argmin(", "first_where(", "lookup(", "index(",
    "within(", "duration(", "npv(", "irr(", "join(", "count(", "last(", "rolling_sum(", "na()",
    "month", "year", "region", "plan", "vintage", "stage", "offers", "job", "lifted", "2026-02",
    '"us"', '"8/4"', "3", "0", "2.5", "[", "]", "{", "}", ",", ":", "=", "->", "USD", "gpu", "like",
    "count", "grid", "where", "from", "to", "step", "over", "set", "fill", "values", "null", "true",
]  # fmt: skip


def texts() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.iterdir())}


def mutated(text: str, chance: random.Random) -> str:
    """Swap, delete, double, replace and insert tokens a few times."""
    tokens = TOKEN.findall(text)
    places = [at for at, token in enumerate(tokens) if not token.isspace()]
    if chance.random() < 0.7:  # names and numbers only: YAML stays whole, so more is checked
        places = [at for at in places if tokens[at][0].isalnum()]
    for _ in range(chance.randint(1, 3)):
        at, other = chance.choice(places), chance.choice(places)
        match chance.randrange(5):
            case 0:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 1:
                tokens[at] = ""
            case 2:
                tokens[at] *= 2
            case 3:
                tokens[at] = chance.choice(WORDS)
            case _:
                tokens[at] = tokens[other]
    return "".join(tokens)


def run(files: dict[str, str]) -> bool:
    """Read, check and, where nothing is wrong, evaluate; tell whether it came to that."""

    def opened(_importer: str, path: str) -> tuple[str, Source] | Unreadable:
        return (
            (path, Source(path, files[path]))
            if path in files
            else Unreadable("is not there", "write another path")
        )

    source = Source("main.yaml", files["main.yaml"])
    sheets, findings = read_sheets("main.yaml", source, opened, opened)
    graph, more = build_graph(sheets)
    model, last = typecheck(graph, load_vocabulary())
    said = [*findings, *more, *last]
    places = [(one.code.id, one.message, one.label.span) for one in said]
    assert len(set(map(str, places))) == len(places), "each is said once"
    assert all(one.hint for one in said), [one.message for one in said if not one.hint]
    if said:
        return False
    evaluate(make_plan(model))
    return True


def test_nothing_is_wrong_as_written() -> None:
    assert run(texts())


@pytest.mark.parametrize("seed", range(6))
def test_mutated_sheets_raise_nothing(seed: int) -> None:
    originals = texts()
    chance = random.Random(seed)  # noqa: S311 - nothing secret here
    names = [*originals, "main.yaml", "main.yaml"]

    for _ in range(ROUNDS):
        name = chance.choice(names)
        files = {**originals, name: mutated(originals[name], chance)}
        try:
            run(files)
        except Exception as error:
            error.add_note(files[name])
            raise
