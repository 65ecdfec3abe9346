"""Draws formulas over dims: each with the dims that it surely varies over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from properties.labels import Axis, Line

Drawn = tuple[str, frozenset[str]]
"""A formula's text, and the dims it varies over."""
ALONG = ("month", "stage", "region", "plan", "tab", "vintage", "area")


@dataclass(frozen=True)
class SeriesGrammar:
    """Draws formulas from the cells that stand before."""

    draw: st.DrawFn
    axes: Mapping[str, Axis]
    lines: Mapping[str, Line]
    kinds: Mapping[str, str]

    def choice(self, *options: str) -> str:
        return options[self.number_of(options)]

    def number_of(self, options: Sequence[object]) -> int:
        """Draw a position: Hypothesis would write all options out, and formulas are long."""
        return self.draw(st.integers(0, len(options) - 1))

    def cell(self, name: str, dims: tuple[str, ...]) -> tuple[str, str]:
        """Draw a whole cell, which may need itself at the label before."""
        scope = frozenset(dims)
        pick = self.draw(st.integers(0, 9))
        if pick == 0:
            return self.truth(scope, 2)[0], "truth"
        if pick < 3 and dims:
            dim = self.choice(*dims)
            rest = scope - {dim}
            start, grows = self.number(rest, 1)[0], self.number(scope, 2)[0]
            factor = self.choice("0.5 * ", "", "-")
            return f"{factor}prev({name}, {start}, {dim}) + {grows}", "number"
        return self.number(scope, 3)[0], "number"

    def number(self, scope: frozenset[str], depth: int) -> Drawn:
        pick = self.draw(st.integers(0, 15 if depth > 0 else 1))
        if pick < 3:
            return self.leaf(scope)
        if pick < 7:
            return self.joined("({} " + self.choice(*"+-*/") + " {})", scope, depth)
        match pick:
            case 7:
                return self.joined(self.choice("min({}, {})", "max({}, 1 * {})"), scope, depth)
            case 8:
                condition, dims = self.truth(scope, depth - 1)
                text, more = self.joined(f"if({condition}, {{}}, {{}})", scope, depth)
                return text, dims | more
            case 9:
                return self.joined("iferror({}, {})", scope, depth)
            case 10 | 11 | 12:
                return self.aggregation(scope, depth)
            case 13:
                return self.entry(scope, depth)
            case _:
                return self.along(scope, depth)

    def joined(self, form: str, scope: frozenset[str], depth: int) -> Drawn:
        a, first = self.number(scope, depth - 1)
        b, second = self.number(scope, depth - 1)
        return form.format(a, b), first | second

    def leaf(self, scope: frozenset[str]) -> Drawn:
        """Draw a cell, what a label is, or a constant."""
        known = [
            (name, frozenset(line.dims))
            for name, line in self.lines.items()
            if self.kinds[name] == "number" and scope.issuperset(line.dims)
        ]
        known += [(f"index({dim})", frozenset({dim})) for dim in sorted(scope)]
        if "stage" in scope:
            known.append(("(stage + 1)", frozenset({"stage"})))
        if "month" in scope:
            known.append(("(duration(month) / 1 [day])", frozenset({"month"})))
        number = self.draw(st.integers(0, 24)) / 8
        known += [(f"{number:g}", frozenset()), ("na()", frozenset())]
        return known[self.number_of(known)]

    def varying(self, scope: frozenset[str], dim: str, depth: int) -> Drawn:
        """Draw a formula that surely varies over a dim."""
        text, dims = self.number(scope | {dim}, depth)
        return (text, dims) if dim in dims else (f"({text} + index({dim}))", dims | {dim})

    def aggregation(self, scope: frozenset[str], depth: int) -> Drawn:
        dim = self.choice(*(name for name in ALONG if name not in scope))
        if self.draw(st.integers(0, 3)) == 0:
            return self.of_flags(scope, dim, depth)
        if self.draw(st.integers(0, 5)) == 0:
            return self.of_steps(scope, depth)
        text, dims = self.varying(scope, dim, depth - 1)
        name = self.choice("sum", "mean", "min", "max", "count", "first", "last", "product")
        if self.draw(st.integers(0, 3)) == 0 and name in {"sum", "min", "max", "count"}:
            return f"{name}({text})", frozenset()
        return f"{name}({text}, {dim})", dims - {dim}

    def of_flags(self, scope: frozenset[str], dim: str, depth: int) -> Drawn:
        text, dims = self.truth(scope | {dim}, depth - 1)
        if dim not in dims:
            text, dims = f"(index({dim}) > 0 or {text})", dims | {dim}
        if self.draw(st.booleans()):
            return f"count({text}, {dim})", dims - {dim}
        return f"if({self.choice('any', 'all')}({text}, {dim}), 1, 2)", dims - {dim}

    def of_steps(self, scope: frozenset[str], depth: int) -> Drawn:
        x, dims = self.number(scope - {"tab"}, depth - 1)
        if self.draw(st.booleans()) and "tab" not in scope:
            values, more = self.varying(scope, "tab", depth - 1)
            steps = self.choice("tab.step", "tab.step", "tab.u")
            return f"lookup({x}, {steps}, {values}, tab)", dims | (more - {"tab"})
        if "month" in scope:
            return x, dims
        flow, more = self.varying(scope, "month", depth - 1)
        return f"npv({self.choice('0.1', '-0.5', '1', x)}, {flow}, month)", more - {"month"}

    def entry(self, scope: frozenset[str], depth: int) -> Drawn:
        """Draw one entry of a cell: some of its dims are fixed by keys."""
        known = [
            (name, line.dims)
            for name, line in self.lines.items()
            if line.dims
            and self.kinds[name] == "number"
            and len({self.axes[dim].root for dim in line.dims}) == len(line.dims)
        ]
        name, own = known[self.number_of(known)]
        extra = frozenset({self.choice(*own)})
        fixed = [dim for dim in own if dim not in scope or dim in extra]
        keys = [self.key(dim, scope, depth) for dim in fixed]
        dims = frozenset(own).difference(fixed).union(*(dims for _, dims in keys))
        base, _, column = name.partition(".")
        text = f"{base}[{', '.join(key for key, _ in keys)}]"
        return text + (f".{column}" if column else ""), dims

    def key(self, dim: str, scope: frozenset[str], depth: int) -> Drawn:
        axis = self.axes[dim]
        others = [n for n, other in self.axes.items() if other.root == axis.root and n in scope]
        pick = self.draw(st.integers(0, 3))
        if pick == 0 and others:
            other = self.choice(*others)
            return other, frozenset({other})
        if pick == 1 and axis.kind == "count":
            inner, dims = self.number(scope, 0)
            return f"(1 * {inner})".replace("na()", "0"), dims  # `na()` is a key of any dim
        if pick < 3 and dim not in scope:
            inner, dims = self.varying(scope, dim, depth - 1)
            name = self.choice("argmin", "argmax", "first_where")
            test = f"{inner} > 1" if name == "first_where" else inner
            return f"{name}({test}, {dim})", dims - {dim}
        return self.choice(*axis.written), frozenset()

    def along(self, scope: frozenset[str], depth: int) -> Drawn:
        """Draw what goes along a dim of the scope."""
        dims = [dim for dim in ALONG if dim in scope]
        if not dims:
            return self.leaf(scope)
        dim = self.choice(*dims)
        x, varies = self.varying(scope, dim, depth - 1)
        other = self.number(scope, depth - 2)[0]
        number = self.choice("1", "2", "3")
        forms = (
            f"prev({x}, {other}, {dim})",
            f"cumsum({x}, {dim})",
            f"rolling_sum({x}, {number}, {dim})",
            f"rolling_sum({x}, {other}, {dim})",
            f"lag({x}, {self.choice('', '-')}{number}, {other}, {dim})",
            f"lag({x}, {other}, 0, {dim})",
            f"rank({x}, {dim})",
            f"rank(round({x}), {other}, {dim})",
            f"stock({x}, {other}, {dim})",
            f"stock({other}, {x}, {self.number(scope, 0)[0]}, {dim})",
        )
        return f"(0 + {self.choice(*forms)})", varies

    def truth(self, scope: frozenset[str], depth: int) -> Drawn:
        if "region" in scope and self.draw(st.integers(0, 5)) == 0:
            return 'region == "us"', frozenset({"region"})
        if "plan" in scope and self.draw(st.integers(0, 5)) == 0:
            return 'plan.b != "x"', frozenset({"plan"})
        if "month" in scope and self.draw(st.integers(0, 4)) == 0:
            text = "first_where(within(month, quarter), quarter) == date(2025, 11, 1)"
            return text, frozenset({"month"})
        a, dims = self.number(scope, depth - 1)
        b, more = self.number(scope, 0)
        mark = self.choice("<", "<=", ">", ">=", "==", "!=")
        plain = f"{a} {mark} {b}"
        match self.draw(st.integers(0, 7)):
            case 0:
                return f"isblank({a})", dims
            case 1:
                return f"not ({plain})", dims | more
            case 2:
                return f"({plain} {self.choice('and', 'or')} isblank({b}))", dims | more
            case _:
                return plain, dims | more
