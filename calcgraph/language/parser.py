"""Tokens to a syntax tree: precedence climbing over a cursor, with text templates and literals."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, NoReturn

from calcgraph.core.diagnostics import Code, Diagnostic, Label
from calcgraph.core.numbers import read_number
from calcgraph.language.ast import (
    Call,
    EntryExpr,
    Expr,
    Formula,
    Hole,
    Name,
    Number,
    Period,
    Text,
    Truth,
    UnitText,
    walk,
)
from calcgraph.language.tokens import (
    AMBIGUOUS,
    NUMBER_FORM,
    SYNTAX,
    TOO_BIG,
    UNIT_PLACE,
    Token,
    read_tokens,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from calcgraph.core.source import Slice, Span

    ReadHole = Callable[[Slice], tuple[Expr, Hole]]


class FormulaError(Exception):
    """Carries a finding out of a formula that cannot be read; never leaves this package."""

    def __init__(self, finding: Diagnostic) -> None:
        """Hold the finding."""
        super().__init__(finding.message)
        self.finding = finding


DEPTH = 64
_FOREIGN = {
    "&&": "write `and`",
    "||": "write `or`",
    "!": "write `not`",
    "&": 'join texts with `join("", a, b)` or write "{a}{b}"',
    "|": "write `or`",
    "%": "write `mod(a, b)` for the remainder, `40%` for a percentage",
    "//": "write `floor(a / b, 1)`",
}


class Cursor:
    """Goes through the tokens of one formula; ``position`` is the next one."""

    def __init__(self, text: Slice, tokens: list[Token], depth: int = 0) -> None:
        """Start at the first token, ``depth`` levels deep."""
        self.text = text
        self.tokens = tokens
        self.position = 0
        self.depth = depth

    @property
    def next(self) -> Token:
        """The token to come."""
        return self.tokens[self.position]

    def word(self, what: str) -> Token:
        """Consume a name, or report that one is missing."""
        if self.next.kind != "name":
            self.fail(f"{what} is missing here", self.next, f"write {what} after this")
        return self.take()

    def take(self) -> Token:
        """Consume the next token and return it; the end token is never consumed."""
        token = self.tokens[self.position]
        if token.kind != "end":
            self.position += 1
        return token

    def expect(self, closing: str, opening: Token) -> None:
        """Consume a closing mark, or report what is left open."""
        if self.next.text == closing:
            self.take()
            return
        if self.next.kind == "end":
            self.fail(f"`{opening.text}` is not closed", opening, f"add `{closing}`")
        self.unexpected(closing)

    def unexpected(self, closing: str = "") -> NoReturn:
        """Report an unexpected token, with the likely cause where one is known."""
        token = self.next
        before = self.tokens[self.position - 1] if self.position else None
        if token.kind == "end":
            hint = f"write what follows `{before.text}`" if before else "write a formula"
            self.fail("the formula ends too early", before or token, hint)
        if token.text in _FOREIGN:
            self.fail(f"`{token.text}` is not an operator here", token, _FOREIGN[token.text])
        if token.text in {"=", "=="} and before is None:
            self.fail("a formula starts with one `=`", token, "leave the second one out")
        if token.text == "[":
            self.fail(
                "a unit in brackets follows a number",
                token,
                "write `x * 1 [unit]`, or `-> unit` at the end",
                code=UNIT_PLACE,
            )
        if token.text == "->":
            hint = "keep the part in a cell of its own, with its unit"
            self.fail("`->` is allowed only once, at the end of a formula", token, hint, UNIT_PLACE)
        if before and before.kind == "number":
            self.behind_number(before, token)
        if (before and token.kind in {"name", "number"}) or token.text == "(":
            hint = f"write `{before.text if before else ''} * {token.text}`"
            if before and before.kind == "number" and token.kind == "name":
                hint += f", or `{before.text} [{token.text}]` where it is a unit"
            self.fail("an operator is missing here", token, hint)
        wanted = f", `{closing}` was expected" if closing else ""
        hint = f"write `{closing}`" if closing else "leave it out, or write what it works on"
        self.fail(f"`{token.text}` is not allowed here{wanted}", token, hint)

    def behind_number(self, before: Token, token: Token) -> None:
        """Report a number continued after a space, a comma or a second point."""
        if token.text == ",":
            after = self.tokens[self.position + 1]
            right = f"{before.text}_{after.text}" if after.kind == "number" else before.text
            hint = f"write {right}"
            self.fail("a number contains a comma", token, hint, NUMBER_FORM)
        if token.kind == "number" and token.text.startswith("."):
            hint = f"write {before.text}"
            self.fail("a number has one decimal point", token, hint, NUMBER_FORM)
        if token.kind in {"number", "text"}:
            hint = f"write {before.text}_{token.text}" if token.kind == "number" else ""
            self.fail(f"`{token.text}` follows a number", token, hint, NUMBER_FORM)

    def refuse_thousands(self) -> None:
        """Refuse `1,000` as two arguments: it reads as one number."""
        before, comma, after = self.tokens[self.position - 1 : self.position + 2]
        touches = before.end == comma.start and comma.end == after.start
        if touches and before.kind == after.kind == "number" and re.fullmatch(r"0\d\d", after.text):
            hint = f"write {before.text}_{after.text}, or a space behind the comma"
            message = "is this comma in a number, or between two?"
            self.fail(message, comma, hint, NUMBER_FORM)

    def deeper(self) -> None:
        """Count a level of nesting."""
        self.depth += 1
        if self.depth > DEPTH:
            self.fail(
                f"formula is nested deeper than {DEPTH} levels",
                self.next,
                "split it into cells of their own",
                code=TOO_BIG,
            )

    def fail(self, message: str, token: Token, hint: str = "", code: Code = SYNTAX) -> NoReturn:
        """Stop with a finding at a token."""
        end = max(token.end, token.start)
        if token.kind == "end" and self.position:
            token = self.tokens[self.position - 1]
            end = token.end
        raise FormulaError(Diagnostic(code, message, Label(self.text.span(token.start, end)), hint))

    def span(self, token: Token) -> Span:
        """Return the source span of a token."""
        return self.text.span(token.start, token.end)

    def end_of_last(self) -> int:
        """Return the source offset after the last token read."""
        last = self.tokens[self.position - 1]
        return self.text.span(last.start, last.end).end


def read_constant(cursor: Cursor, token: Token) -> Number:
    """Read a constant and the unit in brackets behind it."""
    value = read_number(token.text)
    if value is None:
        cursor.fail(
            f"{token.text} is out of the range of numbers",
            token,
            "a double holds up to about 1.8e308",
            code=NUMBER_FORM,
        )
    span, unit = cursor.span(token), None
    if cursor.next.text == "[":
        unit = _bracket_unit(cursor)
        span = span.until(cursor.text.at(cursor.tokens[cursor.position - 1].end - 1) + 1)
    return Number(span, value, token.text, unit)


def _bracket_unit(cursor: Cursor) -> UnitText:
    """Read ``[USD/gpu/hour]``; the unit's own text is not cut into tokens."""
    opening = cursor.take()
    depth, index = 1, cursor.position
    while depth and cursor.tokens[index].kind != "end":
        depth += {"[": 1, "]": -1}.get(cursor.tokens[index].text, 0)
        index += 1
    if depth:
        cursor.fail("this bracket has no end", opening, "close the unit with `]`")
    closing = cursor.tokens[index - 1]
    cursor.position = index
    inner = cursor.text.part(opening.end, closing.start)
    if not inner.text.strip():
        cursor.fail("the unit is empty", opening, "write a unit, or leave the brackets out")
    return UnitText(inner.whole, inner.text.strip())


def read_arrow(cursor: Cursor) -> UnitText:
    """Read the unit behind ``->``: all that follows."""
    arrow = cursor.take()
    start = cursor.next
    index = cursor.position
    while cursor.tokens[index].kind != "end":
        if cursor.tokens[index].text == "->":
            cursor.fail("a second `->`", cursor.tokens[index], "one unit, at the end", UNIT_PLACE)
        index += 1
    if start.kind == "end":
        cursor.fail("no unit after `->`", arrow, "write a unit, such as `-> day`", UNIT_PLACE)
    cursor.position = index
    inner = cursor.text.part(start.start, cursor.tokens[index - 1].end)
    return UnitText(inner.whole, inner.text)


def refuse_period(cursor: Cursor, token: Token) -> NoReturn:
    """Refuse a date outside of a key: it would read as a subtraction."""
    parts = token.text.split("-")
    day = parts[2] if len(parts) > 2 else "1"  # noqa: PLR2004 - year, month, day
    plain = [part.lstrip("0") for part in (*parts[:2], day)]
    cursor.fail(
        f"`{token.text}` reads as a date and as a subtraction",
        token,
        f"write `date({', '.join(plain)})`, or put spaces around `-`",
        code=AMBIGUOUS,
    )


_ESCAPES = {"n": "\n", '"': '"', "\\": "\\", "{": "{", "}": "}"}


def read_template(text: Slice, read_hole: ReadHole, *, escapes: bool) -> Text:
    """Cut a text at its holes; raises ``FormulaError`` with a finding."""
    pieces: list[str] = []
    holes: list[Hole] = []
    args: list[Expr] = []
    piece: list[str] = []
    position, raw = 0, text.text
    while position < len(raw):
        char = raw[position]
        if char == "\\" and escapes:
            piece.append(_escape(text, position))
            position += 2
        elif char == "{":
            end = _closing(text, position)
            if not raw[position + 1 : end].strip():
                _fail(text, position, "`{}` is empty", "write what to show, as in `{x}`")
            arg, hole = read_hole(text.part(position + 1, end))
            args.append(arg)
            holes.append(hole)
            pieces.append("".join(piece))
            piece = []
            position = end + 1
        elif char == "}":
            _fail(
                text,
                position,
                "`}` closes nothing",
                "write `\\}` in a quoted text, or leave it out",
            )
        else:
            piece.append(char)
            position += 1
    pieces.append("".join(piece))
    return Text(text.whole, tuple(pieces), tuple(holes), tuple(args))


def _escape(text: Slice, position: int) -> str:
    char = text.text[position + 1]
    if char not in _ESCAPES:
        _fail(text, position, f"`\\{char}` means nothing", 'known are \\n, \\" and \\\\')
    return _ESCAPES[char]


def _closing(text: Slice, position: int) -> int:
    end = text.text.find("}", position)
    if end < 0:
        _fail(text, position, "`{` is not closed", "add `}` behind the formula")
    return end


def _fail(text: Slice, position: int, message: str, hint: str) -> NoReturn:
    label = Label(text.span(position, position + 1))
    raise FormulaError(Diagnostic(SYNTAX, message, label, hint))


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
        return Diagnostic(TOO_BIG, message, Label(text.part(0, 1).whole), "split it")
    tokens = read_tokens(text)
    if isinstance(tokens, Diagnostic):
        return tokens
    if len(tokens) > PARTS:
        label = Label(text.span(tokens[PARTS].start, tokens[PARTS].end))
        message = f"formula has more than {PARTS:,} parts"
        return Diagnostic(TOO_BIG, message, label, "split it into cells of their own")
    try:
        return Parser(Cursor(text, tokens)).formula()
    except FormulaError as wrong:
        return wrong.finding


def parse_template(text: Slice) -> Text | Diagnostic:
    """Read a message: a text without quotes whose holes are formulas."""
    try:
        return read_template(text, lambda hole: _read_hole(hole, 0), escapes=False)
    except FormulaError as wrong:
        return wrong.finding


def _read_hole(text: Slice, depth: int) -> tuple[Expr, Hole]:
    """Read ``x -> GiB, 1``: any formula without texts, perhaps a unit and a number of decimals."""
    tokens = read_tokens(text)
    if isinstance(tokens, Diagnostic):
        raise FormulaError(tokens)
    cut, decimals = len(text.text), None
    if len(tokens) > 2 and tokens[-3].text == "," and tokens[-2].text.isdigit():  # noqa: PLR2004
        cut, decimals = tokens[-3].start, int(tokens[-2].text)
        if decimals > DECIMALS:
            Cursor(text, tokens).fail(f"{decimals} decimals", tokens[-2], f"at most {DECIMALS}")
        tokens = [*tokens[:-3], tokens[-1]]
    formula = Parser(Cursor(text.part(0, cut), tokens, depth)).formula()
    inner = next((part for part in walk(formula.expr) if isinstance(part, Text)), None)
    if inner is not None:
        raise FormulaError(Diagnostic(SYNTAX, "a text inside of a text", Label(inner.span)))
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
                code=AMBIGUOUS,
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
                code=AMBIGUOUS,
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
                code=AMBIGUOUS,
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
        return EntryExpr(name.span.until(end), name, keys, column)

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
