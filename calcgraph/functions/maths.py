"""Arithmetic beyond the operators, powers, logarithms and angles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.functions import unit_rules as rules
from calcgraph.functions.spec import Example, Function

if TYPE_CHECKING:
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
