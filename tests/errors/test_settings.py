"""What a stranger may write on the command line: exit code, words, and the place they point at."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

CLUSTER = str(Path(__file__).parent / "parts" / "cluster.yaml")
Run = Callable[..., Any]


class Refusal(NamedTuple):
    """A setting, the code and words of its refusal, the text marked, and what the hint says."""

    setting: str
    code: str
    words: str
    marked: str
    hint: str


REFUSED = [
    Refusal("gpus=", "CG502", "`gpus` is given no value", "", "write `gpus=…`"),
    Refusal("name=", "CG502", "`name` is given no value", "", '`name=""` for an empty text'),
    Refusal("gpus=5 token", "CG402", "`5 token` is token, but gpu is needed", "5 token", "in gpu"),
    Refusal("cap=5 EUR", "CG402", "`5 EUR` is EUR, but USD is needed", "5 EUR", "in USD"),
    Refusal("gpus=16 gpus", "CG404", "unknown or refused unit `gpus`", "gpus", "write `gpu`"),
    Refusal("gpus=1 kgpu", "CG404", "unknown or refused unit `kgpu`", "kgpu", "`gpu`"),
    Refusal("gpus=4", "CG504", "`gpus` is below its min of 8 gpu", "4", "from 8 gpu to 100000 gpu"),
    Refusal("gpus=1M", "CG504", "`gpus` is above its max of 100000 gpu", "1M", "to 100000 gpu"),
    Refusal("gpus=-5", "CG504", "below its min", "-5", "from 8 gpu"),
    Refusal("mfu=40", "CG504", "`mfu` is above its max of 65%", "40", "did you mean 40%?"),
    Refusal("\u0445=5", "CG309", "is not an address", "\u0445", "U+0445 CYRILLIC SMALL LETTER HA"),
    Refusal("hw.margin=20", "CG501", "`20` without `%` would be 2,000%", "20", "write `20%`"),
    Refusal("hw.margin=$5", "CG501", "`$5` is not a number", "$5", "write `5%`"),
    Refusal("gpus=$5", "CG501", "`$5` is not a number", "$5", "write `5 gpu`"),
    Refusal("shards=3", "CG504", "`shards` is not one of its choices", "3", "one of 1, 2, 4"),
    Refusal("twice=4", "CG309", "`twice` is calculated and cannot be set", "twice", "on `gpus`"),
    Refusal("who=x", "CG309", "calculated", "who", "`late`, `name`, `start`"),
    Refusal("gpsu=4", "CG309", "there is no input `gpsu`", "gpsu", "did you mean `gpus`?"),
    Refusal("GPUS=64", "CG309", "there is no input `GPUS`", "GPUS", "did you mean `gpus`?"),
    Refusal("a b=5", "CG309", "`a b` is not an address of an input", "a b", "table[key].column"),
    Refusal("gpus[1]=5", "CG309", "`gpus` is a single value", "gpus[1]", "leave out"),
    Refusal(
        "hw.chips[h10].peak=9",
        "CG309",
        "the table `hw.chips` has no row `h10`",
        "hw.chips[h10].peak",
        "did you mean `h100`?",
    ),
    Refusal(
        "hw.chips[h100].pek=9",
        "CG309",
        "the table `hw.chips` has no column `pek`",
        "hw.chips[h100].pek",
        "did you mean `peak`?",
    ),
    Refusal("hw.chips[h100]=9", "CG309", "is a row", "hw.chips[h100]", "add a column: peak, price"),
    Refusal("hw.chips[].peak=9", "CG309", "no row given", "hw.chips[].peak", "h100, b200"),
    Refusal("hw.chips=9", "CG309", "`hw.chips` is a table", "hw.chips", "hw.chips[key].column"),
    Refusal("hw.chips.peak=9", "CG309", "is a column", "hw.chips.peak", "hw.chips[key].peak"),
    Refusal("hw[h100].peak=9", "CG309", "`hw` is not a table", "hw[h100].peak", "table[key]"),
    Refusal("hw.chips[h100].price=9 EUR/gpu/hour", "CG402", "EUR", "9 EUR/gpu/hour", "USD/gpu"),
    Refusal("gpus=null", "CG506", "`gpus` cannot be empty", "null", "give it a value"),
    Refusal('gpus="16"', "CG501", "a quoted value is a text", "16", "leave the quotes out: 16"),
    Refusal('name="x', "CG502", "this text has no end", '"x', 'close it with `"`'),
    Refusal("gpus=bad", "CG501", "`bad` is not a number", "bad", "`1 gpu`"),
    Refusal("gpus==64", "CG501", "`=64` is not a number", "=64", "`1 gpu`"),
    Refusal("gpus=1e400", "CG501", "1e400 is out of the range of numbers", "1e400", "1.8e308"),
    Refusal("gpus=NaN", "CG501", "`NaN` is not a number", "NaN", "write a number"),
    Refusal("gpus=inf", "CG501", "`inf` is not a number", "inf", "write a number"),
    Refusal("gpus=-Infinity", "CG501", "`-Infinity` is not", "-Infinity", "write a number"),
    Refusal("gpus=\u0661\u0662", "CG501", "digits 0 to 9", "\u0661\u0662", "write `12`"),
    Refusal("gpus=\uff11\uff12", "CG501", "digits 0 to 9", "\uff11\uff12", "write `12`"),
    Refusal("gpus=0x10", "CG501", "not written in decimal digits", "0x10", "write `16`"),
    Refusal("gpus=1 000", "CG501", "a space inside a number", "000", "write `1_000`"),
    Refusal("gpus=15 k gpu", "CG404", "no unit", "k gpu", "write `15k gpu`"),
    Refusal("gpus=80gpu", "CG501", "a space is missing", "gpu", "write `80 gpu`"),
    Refusal("cap=$5", "CG501", "`$5` is not a number", "$5", "write `5 USD`"),
    Refusal("name=a\x1b[31m", "CG102", "U+001B ESCAPE", "\\x1b", "delete it"),
    Refusal("name=a\u202eb", "CG102", "RIGHT-TO-LEFT OVERRIDE", "\\u202e", "delete it"),
    Refusal("name=a\u200bb", "CG102", "ZERO WIDTH SPACE", "\\u200b", "delete it"),
    Refusal("name=a\udcffb", "CG102", "U+DCFF", "\\udcff", "delete it"),
    Refusal("chip=h1", "CG502", "`h1` is not a key of `hw.chips`", "h1", "did you mean `h100`?"),
    Refusal("late=yes", "CG502", "`yes` is not true or false", "yes", "write `true`"),
    Refusal("start=2026-02-30", "CG503", "there is no day 2026-02-30", "2026-02-30", "28 days"),
    Refusal("start=tomorrow", "CG503", "`tomorrow` is not a day", "tomorrow", "2026-01-31"),
]


def marked(err: str) -> str:
    """Give what the first line of carets points at; nothing where it points behind the line."""
    lines = err.splitlines()
    at = next(index for index, line in enumerate(lines) if set(line.strip(" |")) == {"^"})
    start, end = lines[at].index("^"), lines[at].rindex("^") + 1
    return lines[at - 1][start:end]


@pytest.mark.parametrize("case", REFUSED, ids=[ascii(case.setting) for case in REFUSED])
def test_setting_is_refused_at_its_place(case: Refusal, run: Run) -> None:
    ran = run("eval", CLUSTER, "--set", case.setting)

    assert (ran.code, ran.out) == (2, "")
    assert f"error[{case.code}]" in ran.err
    assert case.words in ran.err.splitlines()[0]
    assert marked(ran.err) == case.marked
    assert case.hint in ran.err.splitlines()[-3]
    assert " --> --set:1:" in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--set", "gpus"), "--set takes NAME=VALUE, not `gpus`"),
        (("--set", "=5"), "--set takes NAME=VALUE, not `=5`"),
        (("--set", "gpus=1,000"), "write gpus=1_000 for one number"),
        (("--set", "gpus=2,048,000"), "write gpus=2_048_000 for one number"),
        (("--set", "gpus=16,"), "a value is missing next to a comma"),
        (("--set", "gpus=" + ",".join(["16"] * 10_001)), "10,001 cases; 10,000 is the most"),
        (("--scenario", "bgi"), "there is no scenario `bgi`; did you mean `big`?"),
        (("--scenario", ""), "there are: big, bigger"),
        (("--show", "twise"), "there is no cell `twise`; did you mean `twice`?"),
        (("--show", ""), "there is no cell ``"),
        (("--show", "hw"), "`hw` is an imported sheet, no cell; name one: `hw.…`"),
        (("--show", "hw.chips"), "`hw.chips` is a table, no cell; name a column: `hw.chips.peak`"),
        (("--format", "xml"), "invalid choice: 'xml'"),
        (("--frob",), "unrecognized arguments: --frob"),
        (("--sho", "twice"), "unrecognized arguments: --sho"),
        (("--set",), "expected one argument"),
    ],
)
def test_command_line_is_refused(arguments: tuple[str, ...], words: str, run: Run) -> None:
    ran = run("eval", CLUSTER, *arguments)

    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


@pytest.mark.parametrize(
    "arguments", [("nonsense",), (), ("explain", CLUSTER, "twise"), ("errors", "CG999")]
)
def test_other_commands_refuse_too(arguments: tuple[str, ...], run: Run) -> None:
    ran = run(*arguments)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err
    assert "Traceback" not in ran.err


def test_every_refused_setting_is_named_in_order(run: Run) -> None:
    ran = run("eval", CLUSTER, "--set", "mfu=worse", "--set", "gpus=bad", "--set", "chip=none")

    heads = [line for line in ran.err.splitlines() if line.startswith("error")]
    assert [word in head for word, head in zip(("worse", "bad", "none"), heads, strict=True)] == [
        True,
        True,
        True,
    ]


def cells(ran: Any) -> dict[str, Any]:  # noqa: ANN401 - a JSON document
    found: dict[str, Any] = json.loads(ran.out)["cells"]
    return found


@pytest.mark.parametrize(
    ("settings", "cell", "value"),
    [
        (("gpus=16",), "twice", 32),
        (("gpus= 16 gpu ",), "twice", 32),
        ((" gpus =1k",), "twice", 2000),
        (("gpus=1_000",), "twice", 2000),
        (("gpus=16", "gpus=64"), "twice", 128),
        (("mfu=50%",), "rate", 256),  # 512 GPUs of 1 PFLOP/s
        (("mfu=0.5",), "rate", 256),
        (("hw.chips[h100].peak=3000",), "rate", 614.4),
        (("hw.chips[h100].peak=3 PFLOP/s/gpu",), "rate", 614.4),
        (('hw.chips["h100"].peak=3000',), "rate", 614.4),
        (("chip=b200",), "rate", 409.6),
        (("margin=0",), "cost", 1280),
        (("hw.margin=0",), "cost", 1280),
        (("cap=2 kUSD", "margin=0"), "spare", 720),
        (("cap=2 kUSD", "cap=null"), "spare", 0),
        (('name="a, b"',), "who", "a, b 2026-01-31 false"),
        (('name=""',), "who", " 2026-01-31 false"),
        (("name=null hypothesis",), "who", "null hypothesis 2026-01-31 false"),
        (("late=true", "start=2026-07"), "who", "base 2026-07-01 true"),
        (("start=2028-02-28",), "day_2", "2028-02-29"),
    ],
)
def test_setting_is_taken(
    settings: tuple[str, ...], cell: str, value: float | str, run: Run
) -> None:
    words = [word for setting in settings for word in ("--set", setting)]

    ran = run("eval", CLUSTER, *words, "--format", "json")

    expected = pytest.approx(value, rel=1e-12) if isinstance(value, float | int) else value
    assert cells(ran)[cell]["value"] == expected
    assert "error" not in ran.err


def test_bare_name_of_an_import_is_said_to_be_taken(run: Run) -> None:
    ran = run("eval", CLUSTER, "--set", "margin=0")

    assert "`margin` is `hw.margin`" in ran.err


def test_lists_make_the_product_first_list_slowest(run: Run) -> None:
    ran = run("eval", CLUSTER, "--set", "gpus=16,48", "--set", "mfu=10%,20%", "--format", "json")

    cases = json.loads(ran.out)["cases"]
    assert [case["cells"]["rate"]["value"] for case in cases] == pytest.approx([1.6, 3.2, 4.8, 9.6])


def test_scenarios_stack_and_settings_win(run: Run) -> None:
    ran = run("eval", CLUSTER, "--scenario", "bigger", "--set", "gpus=2k", "--format", "json")

    assert cells(ran)["rate"]["value"] == pytest.approx(1000)
