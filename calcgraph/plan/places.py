"""Write index arithmetic: where the values at the current labels are in a series."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.model import Model


def strides(model: Model, cell: int) -> tuple[int, ...]:
    """Give how far apart neighbours lie along each dim of a cell."""
    sizes = [model.dim(name).size for name in model.cells[cell].type.dims]
    return tuple(prod(sizes[at + 1 :]) for at in range(len(sizes)))


def weights(model: Model, cell: int, dims: Sequence[str]) -> dict[str, int]:
    """Return how many values a step along each current dim skips in a cell read at ``dims``."""
    found: dict[str, int] = {}
    for name, stride in zip(dims, strides(model, cell), strict=True):
        found[name] = found.get(name, 0) + stride
    return found


def place(steps: Mapping[str, int], names: Mapping[str, str], constant: int = 0) -> str:
    """Write a flat index: ``i0 * 36 + i1``."""
    terms = [term(names[name], step) for name, step in steps.items() if step]
    text = " + ".join(terms)
    if not text:
        return str(constant)
    return text if not constant else f"{text} {'-' if constant < 0 else '+'} {abs(constant)}"


def term(text: str, step: int) -> str:
    """Write a term of a flat index."""
    return text if step == 1 else f"{text} * {step}"


def line(
    entries: str, steps: Mapping[str, int], over: Mapping[str, int], names: Mapping[str, str]
) -> str:
    """Write the values of a cell along dims ``over``; other dims are at the current label."""
    outer = {name: step for name, step in steps.items() if name not in over}
    count = prod(over.values())
    if not count:
        return "()"
    apart = steps.get(list(over)[-1], 0)
    if apart and _is_even(steps, over, apart):
        if apart == 1 and not outer:
            return entries
        return f"{entries}{span(place(outer, names), count, apart)}"
    inner = {name: f"j{at}" for at, name in enumerate(over)}
    loops = " ".join(f"for {inner[name]} in range({size})" for name, size in over.items())
    return f"[{entries}[{place(steps, {**names, **inner})}] {loops}]"


def span(first: str, count: int, apart: int) -> str:
    """Write the slice of values a fixed distance apart."""
    length = apart * (count - 1) + 1
    if first == "0":
        return f"[:{length}]" if apart == 1 else f"[:{length}:{apart}]"
    return (
        f"[{first} : {first} + {length}]"
        if apart == 1
        else (f"[{first} : {first} + {length} : {apart}]")
    )


def _is_even(steps: Mapping[str, int], over: Mapping[str, int], apart: int) -> bool:
    """Whether values along the dims are a fixed distance apart, as along one dim."""
    expected = apart
    for name, size in reversed(list(over.items())):
        if steps.get(name, 0) != expected:
            return False
        expected *= size
    return True
