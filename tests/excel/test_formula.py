"""How formulas read: golden texts, and laws about parentheses, numbers and text constants."""

import math
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcgraph.book import open_book
from calcgraph.excel.formulas.pieces import literal, number_text
from calcgraph.excel.layout.defined_names import utf16_length
from calcgraph.excel.xlsx.expressions import fill, parse_template, print_expr
from excel.conftest import Made

X254, X300 = "x" * 253, "x" * 300

GOLDEN = {
    # precedence: as few parentheses as say the same in Excel, but Excel's two traps always in them
    "sum_product": ("= a + b * c -> 1", "a+b*_c"),
    "grouped": ("= (a + b) * c -> 1", "(a+b)*_c"),
    "minus_of_minus": ("= a - (b - c) -> 1", "a-(b-_c)"),
    "over_quotient": ("= a / (b / c) -> 1", "a/(b/_c)"),
    "left_to_right": ("= a - b + c -> 1", "a-b+_c"),
    "negative_power": ("= -(a^2) -> 1", "-(a^2)"),
    "power_of_negative": ("= (-a)^2 -> 1", "(-a)^2"),
    "power_of_power": ("= a^(b^c) -> 1", "a^(b^_c)"),
    "power_then_power": ("= (a^b)^c -> 1", "(a^b)^_c"),
    "negative_times": ("= -a * b -> 1", "-a*b"),
    "conditions": (
        "= if(flag and a > 1 or not flag, 1, 0) -> 1",
        "IF(OR(AND(flag,a>1),NOT(flag)),1,0)",
    ),
    # what is not applicable is asked for only where it can occur, and once
    "na_nowhere": ("= a + b -> 1", "a+b"),
    "na_in_one": ("= a + opt -> 1", 'IF(opt="","",a+opt)'),
    "na_in_two": ("= opt * _2 + opt -> 1", 'IF(OR(opt="",_opt2=""),"",opt*_opt2+opt)'),
    "least": ("= min(a, opt) -> 1", "MIN(a,opt)"),
    "least_of_na": ("= min(opt, _2) -> 1", 'IF(COUNT(opt,_opt2)=0,"",MIN(opt,_opt2))'),
    "blank": ("= if(isblank(opt), a, b) -> 1", 'IF(opt="",a,b)'),
    "given": ("= if(isblank(opt), a, opt) -> 1", 'IF(opt="",a,opt)'),
    "not_given": ("= if(isblank(opt), a, opt + 1) -> 1", 'IF(opt="",a,opt+1)'),
    "chosen": ("= if(not isblank(opt), opt, a) -> 1", 'IF(NOT(opt=""),opt,a)'),
    "used_given": ("= given * 2 -> 1", "given*2"),
    "used_chosen": ("= chosen * 2 -> 1", "chosen*2"),
    "caught": ("= iferror(a / (b - 3), 0) -> 1", "IFERROR(a/(b-3),0)"),
    # choices
    "switched": (
        '= switch(mode, "x", 1, "y", 2, 3) -> 1',
        'IF(EXACT(mode,"x"),1,IF(EXACT(mode,"y"),2,3))',
    ),
    "graded": (
        '= ifs(a < 1, "low", a < 2, "mid", "high")',
        'IF(a<1,"low",IF(a<2,"mid","high"))',
    ),
    # units: factors are names; of a result, they multiply before they divide
    "days": ("= tokens / speed -> day", "tokens/(speed/token_per_Ttoken)/seconds_per_day"),
    "years": ("= span -> year", "span/days_per_year"),
    "months": ("= span -> month", "span*seconds_per_day/seconds_per_month"),
    "rate": ("= tokens / span -> token/s", "tokens/span*token_per_Ttoken/seconds_per_day"),
    # tables: the row of a key is found once, in a cell of its own
    "peak": ("= chips[pick].peak * 2 -> TFLOP/s/gpu", "INDEX(chips.peak,cg.row.pick)*2"),
    "ratio": (
        "= chips[pick].peak / chips[pick].hbm -> TFLOP/s/GB",
        "INDEX(chips.peak,cg.row.pick)/INDEX(chips.hbm,cg.row.pick)",
    ),
    "fixed_row": (
        '= chips["b"].peak -> TFLOP/s/gpu',
        'INDEX(chips.peak,MATCH("b",chips.key,0))',
    ),
    "price": (
        "= chips[pick].price * 2 -> USD/gpu/hour",
        'IF(INDEX(chips.price,cg.row.pick)="","",INDEX(chips.price,cg.row.pick)*2)',
    ),
    "total": ("= sum(chips.peak) -> TFLOP/s/gpu", "SUM(chips.peak)"),
    "dearest": (
        "= max(chips.price) -> USD/gpu/hour",
        'IF(COUNT(chips.price)=0,"",MAX(chips.price))',
    ),
    # numbers
    "rounded": ("= round(a / b, 2) -> 1", "ROUND(a/b,2)"),
    "digits": (
        "= a * 0.1234567890123456789 -> 1",
        "a*(0.123456789012346-3.19189119579733E-16)",
    ),
    "small": ("= a * 1e-7 -> 1", "a*1E-07"),
    # texts
    "one_place": ('= "b {b, 1}!"', '"b "&FIXED(ROUND(b,1),1,TRUE)&"!"'),
    "hole": (
        '= "a {a}"',
        '"a "&IF(a=ROUND(a,0),FIXED(a,0,TRUE),ROUND(a,5-INT(LOG10(ABS(a))))&"")',
    ),
    "joined": ('= join(", ", "one", mode)', '"one"&", "&mode'),
    "quoted": (r'= "say \"hi\" & <b>\nnext"', '"say ""hi"" & <b>"&CHAR(10)&"next"'),
    "coded": ('= "_x0041_BC"', '"_"&"x0041_BC"'),
    "long": (f'= "{X300}"', f'"{X254}"&"{"x" * 47}"'),
}
HEAD = """calcgraph: 1
title: Formulas
conventions: {year: 365 day, month: year/12}
tables:
  chips:
    columns: {peak: TFLOP/s/gpu, hbm: GB/gpu, price: USD/gpu/hour}
    rows: {a: [100, 80, 2], b: [200, 90, null]}
inputs:
  a: 2
  b: 3
  c: 5
  opt: {value: null, unit: 1}
  opt2: {value: null, unit: 1}
  pick: {value: a, choices: chips}
  mode: {value: x, choices: [x, y]}
  flag: true
  tokens: 15 Ttoken
  speed: 3 token/s
  span: 2 day
calc:
"""


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Made:
    path = tmp_path_factory.mktemp("golden") / "formulas.yaml"
    lines = [f"  {name}: '{text}'\n" for name, (text, _) in GOLDEN.items()]
    path.write_text(HEAD + "".join(lines).replace("_2", "opt2"), encoding="utf-8")
    return Made(open_book(path))


@pytest.mark.parametrize("name", GOLDEN)
def test_formula_reads_as_written(name: str, golden: Made) -> None:
    assert golden.formula(name) == GOLDEN[name][1]


def test_every_key_that_is_an_input_is_matched_once(golden: Made) -> None:
    found = [f for f in golden.written.formulas.values() if f == "MATCH(pick,chips.key,0)"]

    assert len(found) == 1


def test_addresses_in_place_of_names(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(
        "calcgraph: 1\ntitle: T\ninputs: {a: 2, tp8: 3 day}\ncalc:\n  b: = a * tp8 -> week\n",
        encoding="utf-8",
    )

    made = Made(open_book(path), as_names=False)

    assert made.formula("b") == "'Inputs'!$B$6*'Inputs'!$B$7/'Units'!$B$6"
    assert made.written.values[made.written.names["b"]] == 6 / 7


def random_tree(source: random.Random, depth: int) -> str:
    """Write arithmetic with every parenthesis that could be needed, and some that are not."""
    if depth == 0:
        return source.choice(["1", "2", "3", "5", "(4)"])
    left, right = (random_tree(source, depth - 1) for _ in "ab")
    shape = source.choice(["({}){}({})", "(({}){}({}))", "(({})){}(({}))", "max({0},({2}))"])
    text = shape.format(left, source.choice("+-*/"), right)
    return source.choice([text, f"-({text})", f"({text})", f"min(({text}),({left}))"])


def printed(text: str) -> str:
    """Print a formula that was parsed."""
    return print_expr(parse_template(text), lambda _: "")


@given(st.integers(0, 10**9), st.integers(1, 4))
def test_parentheses_that_go_change_nothing(seed: int, depth: int) -> None:
    text = random_tree(random.Random(seed), depth)  # noqa: S311

    shorter = printed(text)

    scope = {"max": max, "min": min, "__builtins__": {}}
    try:
        wanted = eval(text, scope)  # noqa: S307 - text of our own making
    except ZeroDivisionError:
        return
    assert eval(shorter, scope) == wanted  # noqa: S307
    assert len(shorter) < len(text)
    assert printed(shorter) == shorter


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('IF((a),"(b)",(c+d))', 'IF(a,"(b)",c+d)'),
        ("((a+b))*c", "(a+b)*c"),
        ("(a+b)*c", "(a+b)*c"),
        ("(a*b)+c", "a*b+c"),
        ("a-(b+c)", "a-(b+c)"),
        ("(a*(b+c))", "a*(b+c)"),
        ("-(a^2)", "-(a^2)"),
        ("(-a)^2", "(-a)^2"),
        ("(1+a)^-(b-c)", "(1+a)^-(b-c)"),
        ("x*(1E-10)", "x*1E-10"),
        ('"a"&(FIXED(a,1))&(b&c)', '"a"&FIXED(a,1)&b&c'),
        ("SUMPRODUCT((a=b)*(c>d))", "SUMPRODUCT((a=b)*(c>d))"),
        ('SUMPRODUCT(--(a<>""))', 'SUMPRODUCT(--(a<>""))'),
        ("SUM(INDEX(a,1):INDEX(a,(b)+1))", "SUM(INDEX(a,1):INDEX(a,b+1))"),
        ("PI()*(PI())", "PI()*PI()"),
        ('"un(closed"', '"un(closed"'),
        ('"a""(b"&(c)', '"a""(b"&c'),
    ],
)
def test_only_needless_parentheses_go(text: str, wanted: str) -> None:
    assert printed(text) == wanted


@pytest.mark.parametrize(
    ("template", "wanted"),
    [
        ("{0}*1", "a"),
        ("{0}*1/b/1*10", "a/b*10"),
        ("{0}*1^b+(c/1)", "a*1^b+c"),
        ('"*1"&{0}/1', '"*1"&a'),
        ("1*1E+10*1", "1*1E+10"),
        ("-INT(ROUND(-({0}/b)/1,12))*1", "-INT(ROUND(-(a/b),12))"),
    ],
)
def test_a_factor_of_1_goes(template: str, wanted: str) -> None:
    found = fill(template, parse_template("a"))

    assert print_expr(found, lambda _: "") == wanted


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_a_number_in_a_formula_is_read_back_exactly(value: float) -> None:
    if 0 < abs(value) < 1e-290:
        return  # what is left over would be below Excel's least number

    text = number_text(value)

    numerals = re.findall(r"\d[\d.]*(?:E[+-]\d+)?", text)
    digits = [re.sub(r"E.*|\.", "", numeral).lstrip("0") for numeral in numerals]
    assert max(map(len, digits)) <= 15
    assert eval(text) == value  # noqa: S307
    assert not math.isnan(value)


def read_literal(text: str) -> str:
    """Read a text constant as Excel does: pieces joined by ``&``, ``CHAR(10)`` between them."""
    found, at = "", 0
    while at < len(text):
        hit = re.compile(r'"((?:[^"]|"")*)"|CHAR\(10\)').match(text, at)
        assert hit, text[at:]
        assert utf16_length(hit[0]) <= 255
        assert not re.search(r"_x[0-9A-Fa-f]{4}_", hit[0])
        found += "\n" if hit[1] is None else hit[1].replace('""', '"')
        at = hit.end() + 1
        assert text[hit.end() : at] in {"&", ""}
    return found


@given(st.text(st.sampled_from('ab" &\n(_x0041_é😀'), max_size=700))
def test_a_text_constant_is_read_back(text: str) -> None:
    assert read_literal(literal(text)) == text


@pytest.mark.parametrize("text", ['"' * 600, "😀" * 300, "_x0041_" * 90, "\n\n", ""])
def test_awkward_text_constants_are_read_back(text: str) -> None:
    assert read_literal(literal(text)) == text
