"""What a cell of a workbook holds, and when two opinions of it agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RELATIVE = 1e-12


@dataclass(frozen=True, slots=True)
class Wrong:
    """An error value: ``#DIV/0!``."""

    text: str


Value: TypeAlias = float | bool | str | Wrong | None
Place: TypeAlias = tuple[str, str]
"""A sheet and an address: ``("Inputs", "B5")``."""
Values: TypeAlias = dict[Place, Value]


def agree(a: Value, b: Value, slack: float = 0.0) -> bool:
    """Whether two opinions are one.

    Numbers agree to 1e-12 of the larger, or within ``slack``. An error agrees with any other:
    engines differ in its kind. A truth agrees with 1 and 0, for LibreOffice may not tell. Nothing
    agrees with an empty text.
    """
    if isinstance(a, Wrong) or isinstance(b, Wrong):
        return isinstance(a, Wrong) and isinstance(b, Wrong)
    if isinstance(a, str | None) or isinstance(b, str | None):
        return (a or "") == (b or "") if _texts(a, b) else False
    return abs(a - b) <= max(RELATIVE * max(abs(a), abs(b)), slack)


def _texts(a: Value, b: Value) -> bool:
    return isinstance(a, str | None) and isinstance(b, str | None)


def differences(
    expected: Mapping[Place, Value],
    actual: Mapping[Place, Value],
    slack: Mapping[Place, float] | None = None,
) -> dict[Place, tuple[Value, Value]]:
    """Give each place of ``expected`` at which ``actual`` is of another opinion, with both."""
    allowed = slack or {}
    return {
        place: (value, actual.get(place))
        for place, value in expected.items()
        if not agree(value, actual.get(place), allowed.get(place, 0.0))
    }


def told(found: Mapping[Place, tuple[Value, ...]], formulas: Mapping[Place, str]) -> str:
    """Tell of differences, the shortest twenty formulas: what was expected, then other opinions."""
    shortest = sorted(found, key=lambda place: len(formulas.get(place, "")))[:20]
    lines: Iterable[str] = (
        f"{'!'.join(place)}: {', not '.join(map(repr, found[place]))}"
        f": {formulas.get(place, '')[:300]}"
        for place in shortest
    )
    return f"{len(found)} differences\n" + "\n".join(lines)
