"""Small random sheets as text: inputs with units, a table, formulas over what stands before."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import strategies as st

FAMILIES = {
    "byte": {"GB": 1_000.0, "MB": 1.0},
    "money": {"kUSD": 1_000.0, "USD": 1.0},
    "1": {"1": 1.0},
}
COLUMN = {"byte": "size", "money": "price", "1": "share"}
KEYS = ("a", "b", "c")


@dataclass(frozen=True)
class Line:
    """A cell: its family, and its text; ``unit`` is the one it is kept in, if it says so."""

    is_input: bool
    family: str
    text: str
    unit: str = ""


@dataclass(frozen=True)
class RandomSheet:
    """Cells ``c0 c1 …`` in the order in which they may use each other, and three rows."""

    lines: tuple[Line, ...]
    rows: tuple[tuple[str, ...], ...]

    def text(self, order: list[int] | None = None, names: dict[int, str] | None = None) -> str:
        """Write the sheet, its cells in any order and under any names."""
        called = {at: (names or {}).get(at, f"c{at}") for at in range(len(self.lines))}
        inputs, calcs = [], []
        for at in order or range(len(self.lines)):
            line = self.lines[at]
            if line.is_input:
                unit = f", unit: {line.unit}" if line.unit else ""
                inputs.append(f"  {called[at]}: {{value: {line.text}{unit}}}")
            else:
                arrow = f" -> {line.unit}" if line.unit else ""
                filled = line.text.format(*called.values())
                calcs.append(f"  {called[at]}: '= {filled}{arrow}'")
        rows = [
            f"      {key}: [{', '.join(row)}]" for key, row in zip(KEYS, self.rows, strict=True)
        ]
        columns = "tables:\n  t:\n    columns: {size: MB, price: USD, share: 1}\n    rows:"
        return "\n".join(["inputs:", *inputs, columns, *rows, "calc:", *calcs, ""])

    def kept_in(self, at: int, unit: str) -> RandomSheet:
        """Keep one cell in another unit."""
        changed = replace(self.lines[at], unit=unit)
        return replace(self, lines=(*self.lines[:at], changed, *self.lines[at + 1 :]))


EIGHTHS = st.integers(0, 40).map(lambda n: f"{n / 8:g}")


@dataclass(frozen=True)
class Grammar:
    """Draws formulas; a smooth one holds nothing that magnifies the last digit of a double."""

    draw: st.DrawFn
    families: list[str]
    smooth: bool = False

    def formula(self, family: str, depth: int) -> str:
        """Draw a formula of a family."""
        pick = self.draw(st.integers(0, 12 if depth else 3))
        a = self.leaf(family) if pick < 4 else self.formula(family, depth - 1)
        match pick:
            case 0 | 1 | 2 | 3:
                return a
            case 4:
                mark = "+" if self.smooth else self.draw(st.sampled_from("+-"))
                return f"({a} {mark} {self.formula(family, depth - 1)})"
            case 5:
                return f"({self.formula('1', depth - 1)} * {a})"
            case 6:
                return f"({a} / {self.formula('1', depth - 1)})"
            case 7:
                least = self.draw(st.sampled_from(["min", "max"]))
                return f"{least}({a}, {self.formula(family, depth - 1)})"
            case 8:
                return f"if({self.truth(depth - 1)}, {a}, {self.formula(family, depth - 1)})"
            case 9:
                return f"iferror({a}, {self.formula(family, depth - 1)})"
            case 10 if family == "1":
                return f"({self.formula('byte', depth - 1)} / {self.formula('byte', depth - 1)})"
            case 11 if family == "1" and not self.smooth:
                return f"round({a}, {self.draw(st.integers(-1, 2))})"
            case _:
                return f"abs({a})" if self.smooth else f"(-{a})"

    def leaf(self, family: str) -> str:
        """Draw a cell, a constant, or an entry or total of the table."""
        cells = [f"{{{at}}}" for at, known in enumerate(self.families) if known == family]
        unit = self.draw(st.sampled_from(sorted(FAMILIES[family])))
        number = self.draw(EIGHTHS)
        column = f"t.{COLUMN[family]}"
        entry = f't["{self.draw(st.sampled_from(KEYS))}"].{COLUMN[family]}'
        known = [number if unit == "1" else f"{number} [{unit}]", entry, f"sum({column})"]
        rare = [f"mean({column})", f"first({column})", "na()"]
        return self.draw(st.sampled_from([*known, *rare, *cells, *cells, *cells]))

    def truth(self, depth: int) -> str:
        """Draw a condition."""
        family = self.draw(st.sampled_from(sorted(FAMILIES)))
        a, b = self.formula(family, depth - 1 if depth > 0 else 0), self.leaf(family)
        if self.smooth:
            return f"isblank({a})"
        mark = self.draw(st.sampled_from(["<", "<=", ">", "==", "!="]))
        plain = f"{a} {mark} {b}"
        return self.draw(st.sampled_from([plain, plain, f"not ({plain})", f"isblank({b})"]))


@st.composite
def sheets(draw: st.DrawFn, *, smooth: bool = False) -> RandomSheet:
    families: list[str] = []
    lines: list[Line] = []
    for at in range(draw(st.integers(5, 9))):
        family = draw(st.sampled_from(sorted(FAMILIES)))
        unit = draw(st.sampled_from(sorted(FAMILIES[family])))
        if at < 3:
            number = draw(st.sampled_from(["null", "0"]) | EIGHTHS | EIGHTHS)
            lines.append(Line(True, family, number, unit))  # noqa: FBT003
        else:
            text = Grammar(draw, families, smooth).formula(family, 2)
            keeps = True if "na()" in text else draw(st.booleans())
            lines.append(Line(False, family, text, unit if keeps else ""))  # noqa: FBT003
        families.append(family)
    entry = st.sampled_from(["null"]) | EIGHTHS | EIGHTHS | EIGHTHS
    rows = tuple(tuple(draw(entry) for _ in COLUMN) for _ in KEYS)
    return RandomSheet(tuple(lines), rows)
