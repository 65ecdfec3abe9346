"""Findings to text: the message, its place, the source line with a marker, and the hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Severity
from calcgraph.language.tokens import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calcgraph.core.diagnostics import Diagnostic, Label

WIDTH = 110
RED, YELLOW, BLUE, BOLD, PLAIN = "\x1b[31;1m", "\x1b[33;1m", "\x1b[34;1m", "\x1b[1m", "\x1b[0m"


def diagnostics_text(findings: Iterable[Diagnostic], *, color: bool = False) -> str:
    """Write all findings, in the order of files and lines, with a count at the end."""
    listed = list(findings)
    seen: dict[int, int] = {}  # settings are sources of the same name: keep their order
    for found in listed:
        seen.setdefault(id(found.label.span.source), len(seen))
    ordered = sorted(
        listed,
        key=lambda found: (
            found.label.span.source.name,
            seen[id(found.label.span.source)],
            found.label.span.start,
        ),
    )
    blocks = [_block(found, color=color) for found in ordered]
    errors = sum(found.is_error for found in ordered)
    warnings = len(ordered) - errors
    parts = [_count(errors, "error")] if errors else []
    parts += [_count(warnings, "warning")] if warnings else []
    return "\n\n".join([*blocks, ", ".join(parts)]) + "\n" if blocks else ""


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _block(found: Diagnostic, *, color: bool) -> str:
    is_error = found.code.severity is Severity.ERROR
    head = f"{found.code.severity.value}[{found.code.id}]"
    if color:
        head = f"{RED if is_error else YELLOW}{head}{PLAIN}"
    message = printable(found.message)
    lines = [f"{head}: {BOLD}{message}{PLAIN}" if color else f"{head}: {message}"]
    margin = max(len(str(_line(label))) for label in (found.label, *found.others))
    lines += _place(found.label, margin, "-->", color=color)
    for other in found.others:
        if other.text:
            lines += _place(other, margin, ":::", color=color)
    if found.hint:
        lines.append(hint_line(found.hint, margin))
    return "\n".join(lines)


def hint_line(hint: str, margin: int = 1) -> str:
    """Write a hint below a message, ``margin`` columns wide for line numbers."""
    return f"{' ' * margin} = hint: {printable(hint)}"


def _line(label: Label) -> int:
    return label.span.source.position(label.span.start)[0]


def _place(label: Label, margin: int, arrow: str, *, color: bool) -> list[str]:
    span = label.span
    line, column = span.source.position(span.start)
    text = span.source.line(line)
    length = max(min(span.end, span.start + len(text) - column + 1) - span.start, 1)
    cut = _window(column, len(text))
    shown = printable(text[cut : cut + WIDTH].replace("\t", " "))
    before = printable(text[cut : column - 1].replace("\t", " "))
    marked = printable(text[column - 1 : column - 1 + length].replace("\t", " "))
    marks = "^" * max(min(len(marked), WIDTH - len(before)), 1)
    if color:
        marks = f"{BLUE}{marks}{PLAIN}"
    space = " " * margin
    tail = f" {printable(label.text)}" if label.text else ""
    return [
        f"{space}{arrow} {printable(span.place)}",
        f"{line:>{margin}} | {shown}".rstrip(),
        f"{space} | {' ' * len(before)}{marks}{tail}",
    ]


def _window(column: int, length: int) -> int:
    """Return the first column to show of a line that is too long to show in full."""
    if length <= WIDTH or column < WIDTH - 20:
        return 0
    return column - WIDTH // 2
