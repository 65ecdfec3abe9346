"""Tokens to a syntax tree, by operator precedence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.lang import codes
from calcgraph.lang.cursor import Cursor
from calcgraph.lang.expr import (
    Call,
    Entry,
    Expr,
    Formula,
    Hole,
    Name,
    Period,
    Text,
    Truth,
    walk,
)
from calcgraph.lang.literals import read_arrow, read_constant, refuse_period
from calcgraph.lang.templates import read_template
from calcgraph.lang.tokens import Token, read_tokens
from calcgraph.lang.wrong import Wrong

if TYPE_CHECKING:
    from calcgraph.core.source import Slice, Span

CHARACTERS = 32_768
DECIMALS = 15
PARTS = 10_000
COMPARISONS = {"=": "==", "==": "==", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">"}
COMPARISONS[">="] = ">="
BINARY = {"or": 1, "and": 2, **dict.fromkeys(COMPARISONS, 4), "+": 5, "-": 5, "*": 6, "/": 6}
BINARY |= {"^": 8, "**": 8}
NOT, COMPARISON, NEGATIVE, POWER = 3, 4, 7, 8


def parse_formula(text: Slice) -> Formula | Diagnostic:
    """Read ``a / b -> day``, without the leading ``=``."""
    if len(text.text) > CHARACTERS:
        message = f"formula has {len(text.text):,} characters; {CHARACTERS:,} is the most"
        return Diagnostic(codes.TOO_BIG, message, Label(text.part(0, 1).whole), "split it")
    tokens = read_tokens(text)
    if isinstance(tokens, Diagnostic):
        return tokens
    if len(tokens) > PARTS:
        label = Label(text.span(tokens[PARTS].start, tokens[PARTS].end))
        message = f"formula has more than {PARTS:,} parts"
        return Diagnostic(codes.TOO_BIG, message, label, "split it into cells of their own")
    try:
        return Parser(Cursor(text, tokens)).formula()
    except Wrong as wrong:
        return wrong.finding


def parse_template(text: Slice) -> Text | Diagnostic:
    """Read a message: a text without quotes whose holes are formulas."""
    try:
        return read_template(text, lambda hole: _read_hole(hole, 0), escapes=False)
    except Wrong as wrong:
        return wrong.finding


def _read_hole(text: Slice, depth: int) -> tuple[Expr, Hole]:
    """Read ``x -> GiB, 1``: any formula without texts, perhaps a unit and a number of decimals."""
    tokens = read_tokens(text)
    if isinstance(tokens, Diagnostic):
        raise Wrong(tokens)
    cut, decimals = len(text.text), None
    if len(tokens) > 2 and tokens[-3].text == "," and tokens[-2].text.isdigit():  # noqa: PLR2004
        cut, decimals = tokens[-3].start, int(tokens[-2].text)
        if decimals > DECIMALS:
            Cursor(text, tokens).fail(f"{decimals} decimals", tokens[-2], f"at most {DECIMALS}")
        tokens = [*tokens[:-3], tokens[-1]]
    formula = Parser(Cursor(text.part(0, cut), tokens, depth)).formula()
    inner = next((part for part in walk(formula.expr) if isinstance(part, Text)), None)
    if inner is not None:
        raise Wrong(Diagnostic(codes.SYNTAX, "a text inside of a text", Label(inner.span)))
    return formula.expr, Hole(text.whole, formula.unit, decimals)


@dataclass(frozen=True, slots=True)
class Parser:
    """Reads one formula by operator precedence."""

    cursor: Cursor

    def formula(self) -> Formula:
        """Read to the end, with the arrow if there is one."""
        if self.cursor.next.kind == "end":
            self.cursor.fail(
                "the formula is empty", self.cursor.next, "write what it computes after `=`"
            )
        expr = self.expression(0)
        unit = None
        if self.cursor.next.text == "->":
            unit = read_arrow(self.cursor)
        if self.cursor.next.kind != "end":
            self.cursor.unexpected()
        return Formula(expr, unit, self.cursor.text.text)

    def expression(self, least: int) -> Expr:
        """Read operators that bind at least as tight as ``least``; chains are read in a loop."""
        self.cursor.deeper()
        left = self.prefix()
        while True:
            token = self.cursor.next
            rank = BINARY.get(token.text, 0) if token.kind in {"mark", "name"} else 0
            if rank == 0 or rank < least:
                break
            left = self.infix(left, token, rank)
        self.cursor.depth -= 1
        return left

    def infix(self, left: Expr, token: Token, rank: int) -> Expr:
        """Read the right side of an operator whose left side is known."""
        self.cursor.position += 1
        mark = self.cursor.span(token)
        if rank == POWER:
            right = self.exponent(left)
            return Call(_join(left, right), "^", (left, right), mark)
        right = self.expression(rank + 1)
        if rank == COMPARISON and self.cursor.next.text in COMPARISONS:
            self.cursor.fail(
                "comparisons do not chain",
                self.cursor.next,
                f"write `{left.span.text} {token.text} {right.span.text} and "
                f"{right.span.text} {self.cursor.next.text} …`",
                code=codes.AMBIGUOUS,
            )
        function = COMPARISONS.get(token.text, token.text)
        return Call(_join(left, right), function, (left, right), mark)

    def exponent(self, left: Expr) -> Expr:
        """Read what follows ``^``: a sign is fine, a second ``^`` is not."""
        if self.cursor.next.text == "-":
            right = self.negative(self.cursor.take())
        else:
            right = self.expression(POWER + 1)
        if self.cursor.next.text in {"^", "**"}:
            base, power = left.span.text, right.span.text
            mark, last = self.cursor.next, self.power_text()
            self.cursor.fail(
                f"`{base}^{power}^{last}` can be read in two ways: add parentheses",
                mark,
                f"write `({base}^{power})^{last}` or `{base}^({power}^{last})`",
                code=codes.AMBIGUOUS,
            )
        return right

    def prefix(self) -> Expr:
        """Read a sign, ``not``, or what an operator works on."""
        token = self.cursor.next
        if token.text == "not" and token.kind == "name":
            self.cursor.take()
            arg = self.expression(NOT)
            return Call(
                _cover(self.cursor.span(token), arg), "not", (arg,), self.cursor.span(token)
            )
        if token.text == "-":
            return self.negative(self.cursor.take())
        if token.text == "+":
            self.cursor.fail("a leading `+` says nothing", token, "leave it out")
        return self.primary()

    def negative(self, token: Token) -> Expr:
        """Read what follows a sign; with ``^`` behind, Excel and Python disagree."""
        if self.cursor.next.text == "-":
            self.cursor.fail(
                "two signs in a row", self.cursor.next, "leave both out, or use parentheses"
            )
        arg = self.primary()
        if self.cursor.next.text in {"^", "**"}:
            text, power = arg.span.text, self.power_text()
            self.cursor.fail(
                f"`-{text}^{power}` can be read in two ways: add parentheses",
                token,
                f"write `-({text}^{power})` or `(-{text})^{power}`",
                code=codes.AMBIGUOUS,
            )
        return Call(_cover(self.cursor.span(token), arg), "neg", (arg,), self.cursor.span(token))

    def power_text(self) -> str:
        """Return the source text of the exponent after the next `^`."""
        self.cursor.take()
        sign = "-" if self.cursor.next.text == "-" else ""
        if sign:
            self.cursor.take()
        return sign + self.primary().span.text

    def primary(self) -> Expr:
        """Read a number, name, call, entry, text, or parentheses."""
        token = self.cursor.take()
        match token.kind:
            case "number":
                return read_constant(self.cursor, token)
            case "name" if token.text in {"true", "false"}:
                return Truth(self.cursor.span(token), token.text == "true")
            case "name" if token.text not in {"and", "or"}:
                return self.name(token)
            case "text":
                return self.quoted(token)
            case "period":
                refuse_period(self.cursor, token)
            case "mark" if token.text == "(":
                return self.group(token)
            case _:
                pass
        if token.kind != "end":
            self.cursor.position -= 1
        return self.cursor.unexpected()

    def group(self, token: Token) -> Expr:
        """Read to the closing parenthesis."""
        inner = self.expression(0)
        self.cursor.expect(")", token)
        return inner

    def name(self, token: Token) -> Expr:
        """Read a call, or a name with its dots and perhaps an entry."""
        if self.cursor.next.text == "(":
            return self.call(token)
        name = self.dotted(token)
        if self.cursor.next.text != "[":
            return name
        opening = self.cursor.take()
        keys = self.arguments("]", opening, keys=True)
        column = None
        if self.cursor.next.text == ".":
            self.cursor.take()
            column = self.dotted(self.cursor.word("a column's name"))
        end = column.span.end if column else self.cursor.end_of_last()
        return Entry(name.span.until(end), name, keys, column)

    def dotted(self, token: Token) -> Name:
        """Read ``alias.name``."""
        path = [token.text]
        last = token
        while (
            self.cursor.next.text == "."
            and self.cursor.tokens[self.cursor.position + 1].kind == "name"
        ):
            self.cursor.take()
            last = self.cursor.take()
            path.append(last.text)
        return Name(self.cursor.text.span(token.start, last.end), tuple(path))

    def call(self, token: Token) -> Expr:
        """Read the arguments of a function; its name is not case-sensitive."""
        opening = self.cursor.take()
        args = self.arguments(")", opening)
        mark = self.cursor.span(token)
        span = mark.until(self.cursor.end_of_last())
        function = token.text.lower()
        if function == "neg":
            self.cursor.fail("there is no function `neg`", token, "write `-x`")
        if function in {"and", "or"} and len(args) > 1:  # `AND(a, b, c)`, as a spreadsheet has it
            return reduce(lambda left, right: Call(span, function, (left, right), mark), args)
        return Call(span, function, args, mark)

    def arguments(self, closing: str, opening: Token, *, keys: bool = False) -> tuple[Expr, ...]:
        """Read comma-separated arguments up to ``closing``."""
        found: list[Expr] = []
        if self.cursor.next.text == closing and not keys:
            self.cursor.take()
            return ()
        while True:
            if keys and self.cursor.next.kind == "period":
                token = self.cursor.take()
                found.append(Period(self.cursor.span(token), token.text))
            else:
                found.append(self.expression(0))
            if self.cursor.next.text != ",":
                break
            self.cursor.refuse_thousands()
            self.cursor.take()
        self.cursor.expect(closing, opening)
        return tuple(found)

    def quoted(self, token: Token) -> Expr:
        """Read a text in quotes with its holes."""
        inner = self.cursor.text.part(token.start + 1, token.end - 1)
        found = read_template(inner, lambda hole: _read_hole(hole, self.cursor.depth), escapes=True)
        return replace(found, span=self.cursor.span(token))


def _join(left: Expr, right: Expr) -> Span:
    return left.span.until(right.span.end)


def _cover(first: Span, expr: Expr) -> Span:
    return first.until(expr.span.end)
