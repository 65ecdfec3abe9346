"""The position of a parser in its tokens, and the diagnostics it raises there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.lang import codes
from calcgraph.lang.wrong import Wrong

if TYPE_CHECKING:
    from calcgraph.core.source import Slice, Span
    from calcgraph.lang.tokens import Token

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
            self.fail(f"{what} is missing here", self.next, f"write {what} behind what stands here")
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
                code=codes.UNIT_PLACE,
            )
        if token.text == "->":
            hint = "keep the part in a cell of its own, with its unit"
            self.fail("`->` stands once, at the end of a formula", token, hint, codes.UNIT_PLACE)
        if before and before.kind == "number":
            self.behind_number(before, token)
        if (before and token.kind in {"name", "number"}) or token.text == "(":
            hint = f"write `{before.text if before else ''} * {token.text}`"
            if before and before.kind == "number" and token.kind == "name":
                hint += f", or `{before.text} [{token.text}]` where it is a unit"
            self.fail("an operator is missing here", token, hint)
        wanted = f", `{closing}` was expected" if closing else ""
        hint = f"write `{closing}`" if closing else "leave it out, or write what it works on"
        self.fail(f"`{token.text}` cannot stand here{wanted}", token, hint)

    def behind_number(self, before: Token, token: Token) -> None:
        """Report a number continued after a space, a comma or a second point."""
        if token.text == ",":
            after = self.tokens[self.position + 1]
            right = f"{before.text}_{after.text}" if after.kind == "number" else before.text
            hint = f"write {right}"
            self.fail("a comma stands in a number", token, hint, codes.NUMBER_FORM)
        if token.kind == "number" and token.text.startswith("."):
            hint = f"write {before.text}"
            self.fail("a number has one decimal point", token, hint, codes.NUMBER_FORM)
        if token.kind in {"number", "text"}:
            hint = f"write {before.text}_{token.text}" if token.kind == "number" else ""
            self.fail(f"`{token.text}` follows a number", token, hint, codes.NUMBER_FORM)

    def refuse_thousands(self) -> None:
        """Refuse `1,000` as two arguments: it reads as one number."""
        before, comma, after = self.tokens[self.position - 1 : self.position + 2]
        touches = before.end == comma.start and comma.end == after.start
        if touches and before.kind == after.kind == "number" and re.fullmatch(r"0\d\d", after.text):
            hint = f"write {before.text}_{after.text}, or a space behind the comma"
            message = "is this comma in a number, or between two?"
            self.fail(message, comma, hint, codes.NUMBER_FORM)

    def deeper(self) -> None:
        """Count a level of nesting."""
        self.depth += 1
        if self.depth > DEPTH:
            self.fail(
                f"formula is nested deeper than {DEPTH} levels",
                self.next,
                "split it into cells of their own",
                code=codes.TOO_BIG,
            )

    def fail(
        self, message: str, token: Token, hint: str = "", code: Code = codes.SYNTAX
    ) -> NoReturn:
        """Stop with a finding at a token."""
        end = max(token.end, token.start)
        if token.kind == "end" and self.position:
            token = self.tokens[self.position - 1]
            end = token.end
        raise Wrong(Diagnostic(code, message, Label(self.text.span(token.start, end)), hint))

    def span(self, token: Token) -> Span:
        """Return the source span of a token."""
        return self.text.span(token.start, token.end)

    def end_of_last(self) -> int:
        """Return the source offset after the last token read."""
        last = self.tokens[self.position - 1]
        return self.text.span(last.start, last.end).end
