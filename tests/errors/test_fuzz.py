"""No bytes end in a traceback or in exit code 70: sheets are mutated, and each run ends well."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calcgraph.core.resources import sheet_paths

Run = Callable[..., Any]
HERE = Path(__file__).parent
DOCUMENTED = {0, 1, 3, 4}
ROUNDS = 25
PIECES = [
    *b"{}[]:,&*!|>'\"%@`#-?=\n\t ~\0\xff",
    b": ", b" #", b"- ", b"->", b"[GB]", b"= ", b"1e400", b"0", b"null", b"%", b"\xe2\x80\xae",
    b"\xd1\x80", b"(" * 70, b"-a^b", b"{x", b"if(", b"chips[", b".", b"\\", b"\r", b"<<: ",
    b"999999999999999999999", b"year", b"sum(", b"value:", b"inputs:\n", b"\n  ", b"^-1",
]  # fmt: skip


def sheet_of_everything() -> bytes:
    """A sheet that has each part of the language once."""
    return (HERE / "parts" / "cluster.yaml").read_bytes()


def small_estimate() -> bytes:
    """An example of the guide, cut small; what it imports is beside it."""
    raw = (HERE.parents[1] / "docs" / "examples" / "estimate.yaml").read_bytes()
    raw = raw.replace(b"../../sheets/catalog", b"catalog")
    return raw.partition(b"\nchecks:")[0][:6000] + b"\n"


def mutated(raw: bytes, chance: random.Random) -> bytes:
    """Cut, double, swap, overwrite and insert a few times."""
    text = bytearray(raw)
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(text) + 1)
        end = min(at + chance.randint(1, 40), len(text))
        piece = chance.choice(PIECES)
        inserted = bytes([piece]) if isinstance(piece, int) else piece
        match chance.randrange(5):
            case 0:
                del text[at:end]
            case 1:
                text[at:at] = text[at:end]
            case 2:
                text[at:at] = inserted
            case 3:
                text[at : at + len(inserted)] = inserted
            case _:
                other = chance.randrange(len(text) + 1)
                text[at:at] = text[other : other + chance.randint(1, 60)]
    return bytes(text)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("original", [sheet_of_everything, small_estimate])
def test_mutated_sheet_ends_in_a_documented_code(
    original: Callable[[], bytes], seed: int, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "margins.yaml").write_bytes((HERE / "parts" / "margins.yaml").read_bytes())
    (tmp_path / "catalog").symlink_to(Path(sheet_paths()["llama70b"]).parent / "catalog")
    sheet = tmp_path / "sheet.yaml"
    raw, chance = original(), random.Random(seed)  # noqa: S311 - nothing secret here

    for _ in range(ROUNDS):
        sheet.write_bytes(mutated(raw, chance))
        ran = run(chance.choice(["eval", "check"]), str(sheet), "--root", "/")

        assert ran.code in DOCUMENTED, sheet.read_bytes()
        assert "Traceback" not in ran.err
        assert ran.code in {0, 1} or ran.err, "a refusal says why"
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", ran.err), "escaped when shown"


@pytest.mark.parametrize("seed", range(3))
def test_mutated_import_ends_in_a_documented_code(seed: int, run: Run, tmp_path: Path) -> None:
    (tmp_path / "sheet.yaml").write_bytes(sheet_of_everything())
    raw = (HERE / "parts" / "margins.yaml").read_bytes()
    chance = random.Random(seed)  # noqa: S311 - nothing secret here

    for _ in range(ROUNDS):
        (tmp_path / "margins.yaml").write_bytes(mutated(raw, chance))
        ran = run("eval", str(tmp_path / "sheet.yaml"), "--root", str(tmp_path))

        assert ran.code in DOCUMENTED, (tmp_path / "margins.yaml").read_bytes()
        assert "Traceback" not in ran.err


FORMULA = [
    "1", "2.5", "40%", "12k", "3 [GB]", "gpus", "mfu", "name", "late", "start", "hw.margin",
    "hw.chips", "hw.chips[chip]", "hw.chips[chip].price", 'hw.chips["h100"].peak', '"a {gpus, 1}"',
    "+", "-", "*", "/", "^", "**", "<", "<=", "=", "==", "<>", "and", "or", "not", "(", ")", ",",
    "if(", "max(", "round(", "sum(", "ifs(", "switch(", "iferror(", "join(", "date(", "na()",
    "lookup(", "rank(", "mod(", "->", "-> GB", "-> %", "[", "]", "{", "}", ".", "%", "true",
    "hw.chips.peak", "argmax(", "count(", "isblank(", "cap",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_any_row_of_tokens_ends_in_a_documented_code(seed: int, run: Run, tmp_path: Path) -> None:
    (tmp_path / "margins.yaml").write_bytes((HERE / "parts" / "margins.yaml").read_bytes())
    inputs = sheet_of_everything().partition(b"\ncalc:")[0].decode()
    chance = random.Random(seed)  # noqa: S311 - nothing secret here

    for _ in range(15):
        lines = [
            f"  c{number}: >-\n    = {' '.join(chance.choices(FORMULA, k=chance.randint(1, 9)))}\n"
            for number in range(20)
        ]
        (tmp_path / "sheet.yaml").write_text(f"{inputs}\ncalc:\n{''.join(lines)}")
        ran = run("eval", str(tmp_path / "sheet.yaml"), "--root", str(tmp_path))

        assert ran.code in DOCUMENTED, lines
        assert "Traceback" not in ran.err


@pytest.mark.parametrize("seed", range(4))
def test_any_setting_ends_in_a_documented_code(seed: int, run: Run) -> None:
    chance = random.Random(seed)  # noqa: S311 - nothing secret here
    names = [
        "gpus",
        "chip",
        "mfu",
        "cap",
        "name",
        "start",
        "late",
        "hw.chips[h100].peak",
        "who",
        "",
    ]
    signs = "0123456789.,_-+eE%kMBT [](){}\"'=\u0661\u202e\x1b$\u20ac/*^~ gpuUSD"

    for _ in range(40):
        name, length = chance.choice(names), chance.randint(0, 12)
        value = "".join(chance.choices(signs, k=length))
        ran = run("eval", str(HERE / "parts" / "cluster.yaml"), "--set", f"{name}={value}")

        assert ran.code in {0, 1, 2, 3}, (name, value)
        assert "Traceback" not in ran.err
