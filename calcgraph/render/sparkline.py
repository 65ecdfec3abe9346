"""A picture of a series in one line of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[object], width: int = 12) -> str:
    """Draw numbers as bars from the least to the most; a gap where there is none.

    More values than ``width`` are thinned out evenly, the first and the last one stay. Values that
    are all alike have no shape, and give no picture.
    """
    shown = [values[at] for at in _places(len(values), width)]
    numbers = [value for value in shown if isinstance(value, float)]
    if len(numbers) < 3 or max(numbers) == min(numbers):  # noqa: PLR2004 - two have no shape
        return ""
    least, most = min(numbers), max(numbers)
    step = most / len(BARS) - least / len(BARS)
    return "".join(_bar(value, least, step) for value in shown)


def _bar(value: object, least: float, step: float) -> str:
    if not isinstance(value, float):
        return " "
    at = int((value - least) / step) if step else 0
    return BARS[min(at, len(BARS) - 1)]


def _places(count: int, width: int) -> list[int]:
    if count <= width:
        return list(range(count))
    return [round(at * (count - 1) / (width - 1)) for at in range(width)]
