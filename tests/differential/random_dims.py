"""Random sheets whose cells vary over dims: every way to read a cell from another."""

from __future__ import annotations

import random
from pathlib import Path

from calcgraph.book import Book, SheetError, open_book

HEAD = """calcgraph: 1
title: Random
dims:
  month: {from: 2026-01, to: 2026-05}
  half: {from: 2025-12, to: 2026-03, step: quarter}
  region: [us, eu, asia]
  stage: {count: 4}
  plan: {grid: {a: [1, 2], b: [x, y, z], c: [0.5]}}
tables:
  chips:
    columns: {peak: 1, price: 1, big: truth}
    rows: {k1: [3.5, 2, true], k2: [-1.25, null, false], k3: [0.5, 7, true], k4: [0, 1, true],
      k5: [1.5, null, false], k6: [-2, 0.125, false], k7: [3.5, -4, true]}
inputs:
  n0: 2.5
  n1: -1.75
  n2: {value: null, unit: 1}
  whole: {value: 2, choices: [0, 1, 2, 3]}
  flag: true
  there: {value: eu, choices: [us, eu, asia]}
  chip: {value: k3, choices: chips}
  s0[month]: {unit: 1, values: {2026-01: 3, 2026-02: -1, 2026-03: 4.5, 2026-04: 1, 2026-05: -5}}
  s1[month]: {unit: 1, fill: blank, values: {2026-02: 2, 2026-04: 9}}
  s2[region]: {unit: 1, fill: blank, values: {us: 4, asia: 0.25}}
  s3[region, month]: {unit: 1, fill: previous,
    values: {us: {2026-01: 1, 2026-03: 3}, eu: {2026-01: 2}, asia: {2026-02: 5}}}
  s4[plan]: {unit: 1, fill: zero, values: {"1/x/0.5": 2, "2/z/0.5": -3}}
  s5[stage, plan]: {unit: 1, fill: zero, values: {0: {"1/y/0.5": 4}, 2: {"2/x/0.5": -1.5}}}
  s6[stage]: {unit: 1, fill: linear, values: {0: 1, 3: 10}}
calc:
"""
DIMS = ("month", "half", "region", "stage", "plan", "chips")
KEYS = {
    "month": ["2026-01", "2026-04"],
    "half": ["2026-03"],
    "region": ['"us"', '"asia"', "there"],
    "stage": ["0", "3", "whole"],
    "plan": ['"1/x/0.5"', '"2/z/0.5"'],
    "chips": ['"k1"', "chip"],
}
KNOWN = {
    "n0": (), "n1": (), "n2": (), "whole": (), "s0": ("month",), "s1": ("month",),
    "s2": ("region",), "s3": ("region", "month"), "s4": ("plan",), "s5": ("stage", "plan"),
    "s6": ("stage",), "chips.peak": ("chips",), "chips.price": ("chips",), "plan.a": ("plan",),
    "plan.c": ("plan",),
}  # fmt: skip
FOLDS = ("sum", "min", "max", "mean", "count", "first", "last")
SCANS = ("cumsum({x}, {d})", "rolling_sum({x}, {n}, {d})", "lag({x}, {n} - 1, {y}, {d})",
         "rank({x}, {y}, {d})", "stock({y}, {x}, {d})", "prev({x}, {y}, {d})")  # fmt: skip


class Maker:
    """Makes formulas of numbers from the cells there are."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - tests are no secret
        self.cells: dict[str, tuple[str, ...]] = dict(KNOWN)

    def dims(self) -> tuple[str, ...]:
        count = self.rng.choice([0, 1, 1, 1, 2, 2, 2, 3])
        return tuple(self.rng.sample(DIMS, count))

    def formula(self, dims: tuple[str, ...], depth: int = 3) -> str:
        """Write a formula that varies over no more than these dims."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.15:
            return self.leaf(dims)
        again = [self.formula(dims, depth - 1) for _ in range(2)]
        match rng.randrange(9):
            case 0 | 1:
                return f"({again[0]} {rng.choice('+-*')} {again[1]})"
            case 2:
                return f"if({again[0]} < {again[1]}, {self.leaf(dims)}, {again[1]})"
            case 3:
                return f"if(isblank({again[0]}), {self.leaf(dims)}, {again[0]})"
            case 4:
                return f"max({again[0]}, {again[1]})"
            case 5 | 6:
                return self.fold(dims, depth - 1)
            case 7 if dims:
                return self.scan(dims)
            case _:
                return self.picked(dims)

    def leaf(self, dims: tuple[str, ...]) -> str:
        """Read a cell, a label, or write a number."""
        fitting = [name for name, own in self.cells.items() if set(own) <= set(dims)]
        along = [name for name in fitting if self.cells[name]]
        if along and self.rng.random() < 0.7:
            return self.rng.choice(along)
        if dims and self.rng.random() < 0.25:
            return f"index({self.rng.choice(dims)})"
        return self.rng.choice([*fitting, "1.5", "-2", "0.25"])

    def fold(self, dims: tuple[str, ...], depth: int) -> str:
        """Aggregate along dims that go."""
        rng = self.rng
        others = [dim for dim in DIMS if dim not in dims]
        gone = tuple(rng.sample(others, rng.choice([1, 1, 2])))
        inner = (*dims, *gone)
        bearing = [name for name, own in self.cells.items() if set(own) & set(gone)]
        usable = [name for name in bearing if set(self.cells[name]) <= set(inner)]
        x = rng.choice(usable) if usable else self.formula(inner, 0)
        if rng.random() < 0.4:
            x = f"({x} + {self.formula(inner, min(depth, 1))})"
        name = rng.choice(FOLDS)
        if rng.random() < 0.2 and len(gone) == 1:
            choice = [
                "count({x} > {y}, {d})",
                "if(any({x} > {y}, {d}), 1, 0)",
                "npv(3%, {x}, {d})",
                "if(all({x} < {y}, {d}), 2, 3)",
            ]
            text = rng.choice(choice)
            return text.format(x=x, y=self.leaf(dims), d=gone[0])
        return f"{name}({x}, {', '.join(gone)})"

    def scan(self, dims: tuple[str, ...]) -> str:
        """Run along one dim."""
        along = self.rng.choice(dims)
        usable = [n for n, own in self.cells.items() if along in own and set(own) <= set(dims)]
        x = self.rng.choice(usable) if usable else f"index({along})"
        n = self.rng.choice(["2", "whole", "1"])
        n = "(whole + 1)" if n == "whole" else n
        return self.rng.choice(SCANS).format(x=x, y=self.leaf(dims), n=n, d=along)

    def picked(self, dims: tuple[str, ...]) -> str:
        """Read an entry by keys, some of them the current ones."""
        names = [name for name, own in self.cells.items() if own]
        name = self.rng.choice(names)
        keys: list[str] = []
        for dim in self.cells[name]:
            own = dim in dims and self.rng.random() < 0.5
            keys.append(dim if own else self.rng.choice(KEYS[dim]))
            if dim in {"plan", "chips"} and self.rng.random() < 0.3:
                keys[-1] = f"argmax({'s4' if dim == 'plan' else 'chips.price'})"
        table, _, column = name.partition(".")
        return f"{table}[{', '.join(keys)}].{column}" if column else f"{name}[{', '.join(keys)}]"


def random_book(seed: int, folder: Path, count: int = 30) -> Book:
    """Make a sheet cell by cell; a formula that is refused is left out."""
    maker, text = Maker(seed), HEAD
    path = folder / f"random{seed}.yaml"
    for at in range(count):
        dims = maker.dims()
        name = f"c{at}"
        shown = f"{name}[{', '.join(dims)}]" if dims else name
        line = f"  {shown}: '= {maker.formula(dims)} -> 1'\n"
        path.write_text(text + line, encoding="utf-8")
        try:
            open_book(path)
        except SheetError:
            continue
        text += line
        maker.cells[name] = dims
    path.write_text(text, encoding="utf-8")
    return open_book(path)
