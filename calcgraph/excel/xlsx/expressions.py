"""Excel formulas as trees: built from templates, printed once with Excel's precedence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.core.traversal import fold_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PRECEDENCE = {
    **dict.fromkeys(("=", "<>", "<", "<=", ">", ">="), 2),
    "&": 3,
    **dict.fromkeys("+-", 4),
    **dict.fromkeys("*/", 5),
    "^": 6,
    ":": 8,
}
COMPARED, POWER, NEGATIVE, RANGE, ATOM = 2, 6, 7, 8, 9
_MARK = 16
"""How long a reference is, roughly; its address is known only when the formula is printed."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, a truth value, or a short text in quotation marks, as Excel writes it."""

    text: str

    @property
    def size(self) -> int:
        """The length when printed."""
        return len(self.text)


@dataclass(frozen=True, slots=True)
class NameRef:
    """A reference to a defined name."""

    name: str

    @property
    def size(self) -> int:
        """The length when printed."""
        return len(self.name) + 2


@dataclass(frozen=True, slots=True)
class BlockRef:
    """A reference to cells of the block ``there`` from a cell of the block ``here``.

    ``rows`` and ``columns`` are codes: ``=`` for the current one, ``=-1`` for the one before,
    ``#3`` for the one at index 3, ``*`` for all, ``<`` for all and the initial value before them.
    """

    here: int
    there: int
    rows: str
    columns: str

    @property
    def size(self) -> int:
        """The length when printed, roughly."""
        return _MARK


@dataclass(frozen=True, slots=True)
class HeaderRef:
    """A reference to a header of the current block: a label's key, index, end or length.

    ``at`` is ``=`` for the current label, or ``#0`` for the first.
    """

    here: int
    dim: str
    what: str
    at: str = "="

    @property
    def size(self) -> int:
        """The length when printed, roughly."""
        return _MARK


@dataclass(frozen=True, slots=True)
class Argument:
    """A place of a template: ``{0}`` or ``{0?}`` for an argument, ``{args}`` for all of them."""

    which: str

    @property
    def size(self) -> int:
        """The length when printed."""
        return 0


@dataclass(frozen=True, slots=True)
class Prefix:
    """A sign, ``-`` or ``--``, before its operand."""

    size: int = field(init=False)
    sign: str
    operand: ExcelExpr

    def __post_init__(self) -> None:
        """Count the length once."""
        object.__setattr__(self, "size", len(self.sign) + self.operand.size)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator between two operands; ``:`` is one."""

    size: int = field(init=False)
    operator: str
    left: ExcelExpr
    right: ExcelExpr

    def __post_init__(self) -> None:
        """Count the length once."""
        size = self.left.size + len(self.operator) + self.right.size
        object.__setattr__(self, "size", size)


@dataclass(frozen=True, slots=True)
class ExcelCall:
    """A call of a worksheet function."""

    size: int = field(init=False)
    name: str
    args: tuple[ExcelExpr, ...]

    def __post_init__(self) -> None:
        """Count the length once."""
        size = len(self.name) + 2 + len(self.args) + sum(arg.size for arg in self.args)
        object.__setattr__(self, "size", size)


@dataclass(frozen=True, slots=True)
class Group:
    """An operand that keeps its parentheses even where precedence does not need them."""

    size: int = field(init=False)
    inner: ExcelExpr

    def __post_init__(self) -> None:
        """Count the length once."""
        object.__setattr__(self, "size", self.inner.size + 2)


Ref: TypeAlias = NameRef | BlockRef | HeaderRef
ExcelExpr: TypeAlias = Constant | Ref | Argument | Prefix | Operation | ExcelCall | Group

ONE, ZERO, EMPTY = Constant("1"), Constant("0"), Constant('""')


def operation(operator: str, left: ExcelExpr, right: ExcelExpr) -> ExcelExpr:
    """Combine two operands; drop a multiplication or division by 1."""
    if operator in "*/" and right == ONE:
        return left
    return Operation(operator, left, right)


def call(name: str, *args: ExcelExpr) -> ExcelCall:
    """Call a worksheet function."""
    return ExcelCall(name, args)


def is_ref(expr: ExcelExpr) -> bool:
    """Whether an expression is a reference and nothing else."""
    return isinstance(expr, NameRef | BlockRef | HeaderRef)


def closed(expr: ExcelExpr) -> ExcelExpr:
    """Keep an operation together as an operand, in parentheses."""
    return Group(expr) if _rank(expr) < RANGE else expr


def print_expr(root: ExcelExpr, address: Callable[[Ref], str]) -> str:
    """Print a formula without the ``=``; ``address`` resolves its references."""

    def visit(expr: ExcelExpr, parts: Sequence[str]) -> str:
        match expr:
            case Constant(text=text):
                return text
            case NameRef() | BlockRef() | HeaderRef():
                return address(expr)
            case Argument(which=which):
                return f"{{{which}}}"
            case ExcelCall(name=name):
                return f"{name}({','.join(parts)})"
            case Group():
                return parts[0]
            case Prefix(sign=sign, operand=operand):
                return sign + _operand(operand, parts[0], NEGATIVE + 1)
            case Operation():
                return _infix(expr, parts)

    return fold_tree(root, _parts, visit)


def _parts(expr: ExcelExpr) -> Sequence[ExcelExpr]:
    match expr:
        case ExcelCall(args=args):
            return args
        case Operation(left=left, right=right):
            return (left, right)
        case Prefix(operand=inner) | Group(inner=inner):
            return (inner,)
        case _:
            return ()


def _infix(expr: Operation, parts: Sequence[str]) -> str:
    """Print an operation: all operators are left-associative, and ``&`` on either side."""
    rank = PRECEDENCE[expr.operator]
    left = _operand(expr.left, parts[0], ATOM if rank == POWER else rank)
    right = _operand(expr.right, parts[1], rank if expr.operator == "&" else rank + 1)
    return f"{left}{expr.operator}{right}"


def _operand(expr: ExcelExpr, text: str, least: int) -> str:
    """Parenthesise an operand that binds less tightly than its operator."""
    while isinstance(expr, Group) and _rank(expr.inner) >= RANGE:
        expr = expr.inner
    return f"({text})" if isinstance(expr, Group) or _rank(expr) < least else text


def _rank(expr: ExcelExpr) -> int:
    match expr:
        case Operation(operator=operator):
            return PRECEDENCE[operator]
        case Prefix():
            return NEGATIVE
        case _:
            return ATOM


def fill(template: str, *args: ExcelExpr) -> ExcelExpr:
    """Build an expression from a template such as ``IF({0}="","",{1})`` and its arguments."""
    return _filled(parse_template(template), args)


def _filled(expr: ExcelExpr, args: Sequence[ExcelExpr]) -> ExcelExpr:
    match expr:
        case Argument(which=which):
            return args[int(which.removesuffix("?"))]
        case ExcelCall(name=name, args=(Argument(which="args"),)):
            return ExcelCall(name, tuple(args))
        case ExcelCall(name=name, args=inner):
            return ExcelCall(name, tuple(_filled(arg, args) for arg in inner))
        case Operation(operator=operator, left=left, right=right):
            return operation(operator, _filled(left, args), _filled(right, args))
        case Prefix(sign=sign, operand=operand):
            return Prefix(sign, _filled(operand, args))
        case _:
            return expr


_TOKEN = re.compile(
    r'"(?:[^"]|"")*"|\{(?:\d+\??|args)\}|\d+(?:\.\d*)?(?:E[+-]?\d+)?|[A-Za-z_][A-Za-z0-9_.]*'
    r"|<=|>=|<>|[-+*/^&=<>:(),]"
)


@lru_cache(maxsize=1024)
def parse_template(template: str) -> ExcelExpr:
    """Parse a template with places ``{0}``; it is the program's own, so errors are bugs."""
    tokens = _TOKEN.findall(template)
    assert "".join(tokens) == template, f"{template} is a formula"
    parser = _Parser([*tokens, ""])
    found = parser.operations(0)
    assert parser.next == "", f"{template} ends where a formula does"
    return found


@dataclass(slots=True)
class _Parser:
    """Reads tokens one by one, by precedence climbing; the last one is empty."""

    tokens: list[str]
    at: int = 0

    @property
    def next(self) -> str:
        """The token that comes next."""
        return self.tokens[self.at]

    def take(self) -> str:
        """Take the next token."""
        self.at += 1
        return self.tokens[self.at - 1]

    def operations(self, least: int) -> ExcelExpr:
        """Read operands and the operators between them that bind tighter than ``least``."""
        left = self.operand()
        while PRECEDENCE.get(self.next, 0) > least:
            operator = self.take()
            left = Operation(operator, left, self.operations(PRECEDENCE[operator]))
        return left

    def operand(self) -> ExcelExpr:
        """Read one operand, with its sign."""
        first = self.take()
        if first == "-":
            sign = first + self.take() if self.next == "-" else first
            return Prefix(sign, self.operations(NEGATIVE))
        if first == "(":
            inner = self.operations(0)
            assert self.take() == ")", "a parenthesis is closed"
            return inner
        if first[0] == "{":
            return Argument(first[1:-1])
        if self.next == "(" and first[0].isalpha():
            self.take()
            return ExcelCall(first, tuple(self.arguments()))
        return Constant(first)

    def arguments(self) -> list[ExcelExpr]:
        """Read the arguments of a call, up to its closing parenthesis."""
        found: list[ExcelExpr] = []
        while self.next != ")":
            found.append(self.operations(0))
            if self.next == ",":
                self.take()
        self.take()
        return found
