"""A sheet and all it imports, each file once; reading files is left to the caller."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.sheet import codes
from calcgraph.sheet.declarations import ImportDecl, Sheet
from calcgraph.sheet.read import read_sheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from calcgraph.core.source import Source

FILES = 64
DEPTH = 8


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file cannot be imported."""

    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Sheets:
    """All sheets of a model by file; ``paths`` say by which aliases each is first reached."""

    root: str
    sheets: dict[str, Sheet] = field(default_factory=dict)
    imports: dict[str, dict[str, str]] = field(default_factory=dict)
    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)


def read_sheets(
    key: str, source: Source, open_import: Callable[[str, str], tuple[str, Source] | Unreadable]
) -> tuple[Sheets, list[Diagnostic]]:
    """Read a sheet and what it imports, breadth first.

    ``open_import(importing key, path)`` gives the key and text of another file, or why not.
    """
    sheet, findings = read_sheet(source)
    found = Sheets(key, {key: sheet}, {key: {}}, {key: ()})
    waiting = [key]
    while waiting:
        importer = waiting.pop(0)
        for decl in found.sheets[importer].imports:
            opened = _open(found, importer, decl, open_import)
            if isinstance(opened, Diagnostic):
                findings.append(opened)
                continue
            target, text = opened
            found.imports[importer][decl.alias] = target
            if target in found.sheets:
                continue
            found.sheets[target], more = read_sheet(text)
            findings.extend(more)
            found.imports[target] = {}
            found.paths[target] = (*found.paths[importer], decl.alias)
            waiting.append(target)
    return found, [*findings, *_circles(found)]


def _open(
    found: Sheets,
    importer: str,
    decl: ImportDecl,
    open_import: Callable[[str, str], tuple[str, Source] | Unreadable],
) -> tuple[str, Source] | Diagnostic:
    path = decl.path.text.text.strip()
    label = Label(decl.path.span)
    opened = open_import(importer, path)
    if isinstance(opened, Unreadable):
        return Diagnostic(codes.IMPORT, f"`{path}` {opened.message}", label, opened.hint)
    too_many = opened[0] not in found.sheets and len(found.sheets) >= FILES
    if too_many or len(found.paths[importer]) >= DEPTH:
        message = (
            f"more than {FILES} sheets" if too_many else f"imports nest deeper than {DEPTH} levels"
        )
        return Diagnostic(codes.LIMIT, message, label, "put what belongs together into one sheet")
    return opened


def _circles(found: Sheets) -> list[Diagnostic]:
    """Find imports that lead back to their own sheet."""
    state: dict[str, str] = {}
    findings: list[Diagnostic] = []

    def visit(key: str, trail: tuple[str, ...]) -> None:
        state[key] = "open"
        for decl in found.sheets[key].imports:
            target = found.imports[key].get(decl.alias)
            if target is None:
                continue
            if state.get(target) == "open":
                names = [
                    found.sheets[item].source.name
                    for item in (*trail[trail.index(target) :], target)
                ]
                message = f"sheets import each other in a circle: {' -> '.join(names)}"
                hint = "move what both need into a third sheet"
                findings.append(
                    Diagnostic(codes.IMPORT_CYCLE, message, Label(decl.path.span), hint)
                )
            elif target not in state:
                visit(target, (*trail, target))
        state[key] = "done"

    visit(found.root, (found.root,))
    return findings
