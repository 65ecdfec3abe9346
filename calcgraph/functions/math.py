"""Rows of mathematics and of rounding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.functions import unit_rules as rules
from calcgraph.functions.spec import Example, Function

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.functions.spec import Draw, UnitRule


def _pure(name: str, doc: str, example: tuple[str, str], draw: Draw, **texts: str) -> Function:
    """Make a row for a function of one pure number."""
    return Function(
        name=name,
        params=("x",),
        doc=doc,
        units=rules.pure,
        python=texts.get("python", f"math.{name}({{0}})"),
        array=texts.get("array", f"np.{name}({{0}})"),
        excel=texts.get("excel", f"{name.upper()}({{0}})"),
        examples=(Example(*example),),
        rejects=(f"{name}(1 [GB])", f"{name}()", f"{name}(true)"),
        draws=(draw,),
    )


def _quantity(
    name: str, doc: str, units: UnitRule, example: tuple[str, str], **texts: str
) -> Function:
    """Make a row for a function of one number with any unit."""
    return Function(
        name=name,
        params=("x",),
        doc=doc,
        units=units,
        python=texts["python"],
        array=texts["array"],
        excel=f"{name.upper()}({{0}})",
        examples=(Example(*example),),
        rejects=(f'{name}("a")', f"{name}(1, 2)"),
        draws=("positive",) if name == "sqrt" else ("number",),
        carries=frozenset({0} if name != "sign" else ()),
    )


MATH_ROWS = (
    _quantity(
        "abs",
        "The absolute value.",
        rules.same_unit,
        ("abs(-(3 [USD]))", "3 USD"),
        python="abs({0})",
        array="np.abs({0})",
    ),
    _quantity(
        "sign",
        "The sign: 1, 0 or -1.",
        rules.dimensionless_result,
        ("sign(-(3 [USD]))", "-1"),
        python="fn.sign({0})",
        array="np.sign({0})",
    ),
    _quantity(
        "sqrt",
        "The square root, of the unit too.",
        rules.root(2),
        ("sqrt(16 [GB^2])", "4 GB"),
        python="math.sqrt({0})",
        array="np.sqrt({0})",
    ),
    _pure("exp", "e to the power of x.", ("exp(0)", "1"), "digits"),
    _pure(
        "ln",
        "The natural logarithm.",
        ("ln(exp(2))", "2"),
        "positive",
        python="math.log({0})",
        array="np.log({0})",
    ),
    _pure("log10", "The logarithm to base 10.", ("log10(1000)", "3"), "positive"),
    _pure("log2", "The logarithm to base 2.", ("log2(8)", "3"), "positive", excel="LOG({0},2)"),
    _pure("cos", "The cosine of an angle in radians.", ("cos(0)", "1"), "number"),
    _pure("sin", "The sine of an angle in radians.", ("sin(0)", "0"), "number"),
    Function(
        name="pi",
        params=(),
        doc="The number pi.",
        units=rules.constant,
        python="math.pi",
        array="np.pi",
        excel="PI()",
        examples=(Example("round(pi(), 4)", "3.1416"),),
        rejects=("pi(1)",),
    ),
)


def _digits(excel: str) -> Callable[[Sequence[str]], str]:
    return lambda args: f"{excel}({args[0]},{args[1] if len(args) > 1 else '0'})"


def _step(args: Sequence[str]) -> str:
    return args[1] if len(args) > 1 else "1"


def _floor(args: Sequence[str]) -> str:
    return f"INT(ROUND({args[0]}/{_step(args)},12))*{_step(args)}"


def _ceil(args: Sequence[str]) -> str:
    return f"-INT(ROUND(-{args[0]}/{_step(args)},12))*{_step(args)}"


ROUNDING_ROWS = (
    *(
        row
        for name, python, doc, examples in (
            (
                "round",
                "round_half_up",
                "To a number of digits, half away from zero; a quantity to a step.",
                (
                    Example("round(2.5)", "3"),
                    Example("round(-2.5, 0)", "-3"),
                    Example("round(1.005, 2)", "1.01"),
                    Example("round(2.6 [gpu], 1 [gpu])", "3 gpu"),
                ),
            ),
            (
                "roundup",
                "round_up",
                "Away from zero to a number of digits; a quantity to a step.",
                (
                    Example("roundup(2.1)", "3"),
                    Example("roundup(-2.1, 0)", "-3"),
                    Example("roundup(0.1 + 0.2, 1)", "0.3"),
                    Example("roundup(21 [gpu], 8 [gpu])", "24 gpu"),
                ),
            ),
            (
                "rounddown",
                "round_down",
                "Towards zero to a number of digits; a quantity to a step.",
                (
                    Example("rounddown(2.9)", "2"),
                    Example("rounddown(1.29, 1)", "1.2"),
                    Example("rounddown(21 [gpu], 8 [gpu])", "16 gpu"),
                ),
            ),
        )
        for row in (
            Function(
                name=name,
                params=("x", "digits or step?"),
                doc=doc,
                units=rules.rounding(name),
                python=f"fn.{python}({{args}})",
                array=f"vec.{python}({{args}})",
                excel=_digits(name.upper()),
                examples=examples,
                rejects=(
                    f"{name}(1 [GB])",
                    f"{name}(1 [GB], 2)",
                    f"{name}(1 [GB], 1 [day])",
                    f"{name}(true)",
                ),
                draws=("number", "digits"),
            ),
            Function(
                name=f"{name} to step",
                params=("x", "step"),
                doc=doc,
                units=rules.same,
                python="fn."
                + {"round": "round_to", "roundup": "round_up_to", "rounddown": "round_down_to"}[
                    name
                ]
                + "({0}, {1})",
                array="vec."
                + {"round": "round_to", "roundup": "round_up_to", "rounddown": "round_down_to"}[
                    name
                ]
                + "({0}, {1})",
                excel=f"{name.upper()}({{0}}/{{1}},0)*{{1}}",
                draws=("number", "positive"),
                hidden=True,
            ),
        )
    ),
    Function(
        name="floor",
        params=("x", "step?"),
        doc="Rounds down to a multiple of a step (1 for a pure number).",
        units=rules.stepped,
        python="fn.floor({args})",
        array="vec.floor({args})",
        excel=_floor,
        examples=(
            Example("floor(-1.5)", "-2"),
            Example("floor(0.3 / 0.1)", "3"),
            Example("floor(21 [gpu], 8 [gpu])", "16 gpu"),
        ),
        rejects=("floor(1 [GB])", "floor(1 [GB], 1)", "floor(true)"),
        draws=("number", "positive"),
    ),
    Function(
        name="ceil",
        params=("x", "step?"),
        doc="Rounds up to a multiple of a step (1 for a pure number).",
        units=rules.stepped,
        python="fn.ceiling({args})",
        array="vec.ceiling({args})",
        excel=_ceil,
        examples=(
            Example("ceil(1.2)", "2"),
            Example("ceil(0.1 + 0.2, 0.1)", "0.3"),
            Example("ceil(270.9 [gpu], 8 [gpu])", "272 gpu"),
        ),
        rejects=("ceil(1 [GB])", "ceil(1 [GB], 1 [day])", 'ceil("a")'),
        draws=("number", "positive"),
    ),
    Function(
        name="mod",
        params=("x", "divisor"),
        doc="The remainder of a division, with the divisor's sign.",
        units=rules.same,
        python="fn.mod({0}, {1})",
        array="vec.mod({0}, {1})",
        excel=("IF(ROUND({0}/{1},12)=INT(ROUND({0}/{1},12)),0,{0}-{1}*INT(ROUND({0}/{1},12)))"),
        examples=(
            Example("mod(7, 3)", "1"),
            Example("mod(-7, 3)", "2"),
            Example("mod(0.3, 0.1)", "0"),
            Example("mod(100 [gpu], 8 [gpu])", "4 gpu"),
        ),
        rejects=("mod(100 [gpu], 8)", "mod(1)", "mod(1, true)"),
        draws=("number", "positive"),
    ),
)
