"""Random nested formulas over every row of the function table, as the text of one sheet.

What a function takes is read from its row, so that a new row is tried without being named here;
only what the language spells in a way of its own stands below.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from calcgraph.core.values import DATE, NUMBER, TEXT, TRUTH, Kind, Type
from calcgraph.functions import ROWS
from calcgraph.functions.spec import Function, Operand, Signature
from differential.formulas_head import HEAD

NUMBERS = (
    "whole half third below large small nothing little 0 1 -1 0.5 3 7 0.1 1e-3 2.675 1_000 12.5% "
    'table[pick].share table["a"].worth table[argmax(table.worth)].worth table[pick].spare'
)
# No text is empty: in a workbook that is what not applicable is.
LEAVES = {
    Kind.NUMBER: (*NUMBERS.split(), "pay / 2 [USD]", "na()"),
    Kind.TRUTH: ("yes", "no", "true", "false", "table[pick].used", "whole > 3"),
    Kind.TEXT: (
        '"a"',
        '"A"',
        '"x, \\"y\\" & <z>"',
        '"é–~*?"',
        "word",
        "pick",
        "table[pick].name",
        '"{when}"',
    ),
    Kind.DATE: ("day0", "date(2024, 2, 29)", "date(1999, 12, 31)", "table[pick].seen"),
}
TIMES = ("span", "wait", "2 [day]", "1.5 [hour]", "0 [s]", "20 [min]", "0.7 [week]")
STEPS = ("1 [hour]", "30 [min]", "0.1 [day]")
OPERATORS = {"+", "-", "*", "/", "^", "==", "!=", "<", "<=", ">", ">=", "and", "or"}
COLUMNS = {
    "table.share": NUMBER,
    "table.spare": NUMBER,
    "table.worth": NUMBER,
    "table.used": TRUTH,
    "table.name": TEXT,
    "table.seen": DATE,
}
LONGEST = 120
SERIES_ONLY = {"irr", "npv"}
"""Tried by their examples: over figures that are no flows they have no value, or no one value."""
ASCENDING = ("table.share",)


class Formulas:
    """Writes formulas; the same seed writes the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - tests are no secret
        self.by_kind: dict[Kind, list[Callable[[int], str]]] = {kind: [] for kind in LEAVES}
        self.leaves = {kind: list(leaves) for kind, leaves in LEAVES.items()}
        for row in ROWS:
            for kind, write in self.calls(row):
                if kind in self.by_kind:
                    self.by_kind[kind].append(write)
        self.by_kind[Kind.NUMBER] += [
            *(self.ratio_of_times, self.days_between, self.switch_number) * 2,
            self.caught,
        ]
        self.by_kind[Kind.TRUTH] += [self.same_text, self.blank, self.times_compared]
        self.by_kind[Kind.TEXT] += [self.text, self.text, self.switch_text, self.if_text]
        self.by_kind[Kind.DATE] += [self.moved, self.moved, self.if_date, self.month_start]

    def any(self, kind: Kind, depth: int) -> str:
        """Write a formula of a kind, nested no deeper than ``depth``."""
        if depth <= 0 or self.random.random() < 0.1:
            return self.random.choice(self.leaves[kind])
        return self.random.choice(self.by_kind[kind])(depth - 1)

    def short(self, kind: Kind, depth: int) -> str:
        """Write a formula whose Excel text, a few times longer, Excel still takes."""
        while len(found := self.any(kind, depth)) > LONGEST:
            pass
        return found

    def number(self, depth: int) -> str:
        return self.any(Kind.NUMBER, depth)

    def draw(self, draw: str, depth: int) -> str:
        """Write an argument as a row wants it drawn."""
        pick = self.random.choice
        match draw:
            case "positive":
                return pick((f"(abs({self.number(depth)}) + 0.5)", "half", "2", "0.25"))
            case "share":
                return pick(("0.1", "0.5", "little"))
            case "whole":
                return pick(("0", "1", "2", "12"))
            case "digits":
                return pick(("-2", "-1", "0", "1", "2", "3"))
            case _:
                kind = {"truth": Kind.TRUTH, "text": Kind.TEXT, "date": Kind.DATE}
                return self.any(kind.get(draw, Kind.NUMBER), depth)

    def calls(self, row: Function) -> Iterator[tuple[Kind, Callable[[int], str]]]:
        """Give the ways to call a row, with the kind that comes out."""
        if row.hidden and row.name != "neg":
            return
        if row.draws:
            kinds = {"truth": TRUTH, "text": TEXT, "date": DATE}
            signature = row.units([Operand(kinds.get(draw, NUMBER)) for draw in row.draws])
            assert isinstance(signature, Signature), f"{row.name} takes what it wants drawn"
            yield signature.result.kind, lambda depth: self.drawn(row, depth)
        elif not row.params:
            signature = row.units([])
            assert isinstance(signature, Signature), f"{row.name} takes nothing"
            yield signature.result.kind, lambda _: f"{row.name}()"
        if row.takes_series and row.name not in SERIES_ONLY:
            yield from self.series_calls(row)

    def drawn(self, row: Function, depth: int) -> str:
        """Call a row with arguments as it wants them; what may be left out sometimes is."""
        args = [self.draw(draw, depth) for draw in row.draws]
        if row.least < len(args) and row.most is not None and self.random.random() < 0.3:
            args = args[: row.least]
        if row.name == "pmt":  # over no periods there is no instalment
            args[1] = self.random.choice(("1", "12", "360"))
        if row.params[0] == "separator":
            args[0] = self.random.choice(('", "', '""', '"-"'))
        if row.name in OPERATORS:
            return f"({args[0]} {row.name} {args[1]})"
        if row.name == "neg":
            return f"(-({args[0]}))"
        if row.name == "not":
            return f"(not ({args[0]}))"
        return f"{row.name}({', '.join(args)})"

    def series_calls(self, row: Function) -> Iterator[tuple[Kind, Callable[[int], str]]]:
        """Offer columns to a row that takes a series: one way to call it for each kind it gives."""
        series = {text: replace(kind, dims=("table",)) for text, kind in COLUMNS.items()}
        offers: list[dict[str, Type]] = [series] * (len(row.params) if row.most else 1)
        if len(offers) > 1:
            offers[:2] = [{"": NUMBER}, {text: series[text] for text in ASCENDING}]
        taken: dict[Kind, list[tuple[str, ...]]] = {}
        for texts in product(*offers):
            operands = [
                Operand(offer[text], text) for offer, text in zip(offers, texts, strict=True)
            ]
            found = row.units(operands)
            if isinstance(found, Signature):
                taken.setdefault(found.result.kind, []).append(texts)
        for kind, choices in taken.items():
            yield kind, lambda depth, choices=choices: self.over(row, choices, depth)

    def over(self, row: Function, choices: list[tuple[str, ...]], depth: int) -> str:
        args = [text or self.number(depth) for text in self.random.choice(choices)]
        return f"{row.name}({', '.join(args)})"

    # What the language spells in a way of its own.

    def time(self, depth: int) -> str:
        pick = self.random.choice
        if depth <= 0:
            return pick(TIMES)
        rounding = pick(("round", "roundup", "rounddown", "floor", "ceil", "mod"))
        return pick(
            (
                f"({self.time(depth - 1)} {pick('+-')} {self.time(depth - 1)})",
                f"{rounding}({self.time(depth - 1)}, {pick(STEPS)})",
                f"min({self.time(depth - 1)}, {self.time(0)}, abs({self.time(depth - 1)}))",
                f"({self.time(depth - 1)} * {self.draw('share', 0)})",
                f"if({self.any(Kind.TRUTH, depth - 1)}, {self.time(depth - 1)}, {self.time(0)})",
            )
        )

    def ratio_of_times(self, depth: int) -> str:
        return f"({self.time(depth)} / {self.random.choice(STEPS)})"

    def times_compared(self, depth: int) -> str:
        mark = self.random.choice(("<", "<=", "==", "!=", ">"))
        return f"({self.time(depth)} {mark} {self.time(depth)})"

    def days_between(self, depth: int) -> str:
        return f"(({self.any(Kind.DATE, depth)} - {self.any(Kind.DATE, depth)}) / 1 [hour])"

    def moved(self, depth: int) -> str:
        return f"({self.any(Kind.DATE, depth)} {self.random.choice('+-')} {self.time(depth)})"

    def same_text(self, depth: int) -> str:
        mark = self.random.choice(("==", "!="))
        return f"({self.any(Kind.TEXT, depth)} {mark} {self.any(Kind.TEXT, depth)})"

    def blank(self, depth: int) -> str:
        return f"isblank({self.any(self.random.choice(list(LEAVES)), depth)})"

    def if_text(self, depth: int) -> str:
        other = self.random.choice((self.any(Kind.TEXT, depth), "na()"))
        return f"if({self.any(Kind.TRUTH, depth)}, {self.any(Kind.TEXT, depth)}, {other})"

    def if_date(self, depth: int) -> str:
        other = self.random.choice((self.any(Kind.DATE, depth), "na()"))
        return f"if({self.any(Kind.TRUTH, depth)}, {self.any(Kind.DATE, depth)}, {other})"

    def month_start(self, _: int) -> str:
        """Write a day of computed parts; a short one, for Excel has to say its parts often."""
        day = self.random.choice(self.leaves[Kind.DATE])
        return f"date(year({day}), month({day}), 1)"

    def caught(self, depth: int) -> str:
        """Write what fails, often, and is caught."""
        first, second = self.number(depth), self.number(depth)
        wrong = self.random.choice(
            (f"{first} / (half - 2.5)", f"ln({first})", f"sqrt({first})", f"({first}) ^ -1")
        )
        return f"iferror({wrong}, {second})"

    def switch_number(self, depth: int) -> str:
        values = [self.number(depth) for _ in range(3)]
        tail = f", {values[2]}" if self.random.random() < 0.7 else ""
        return f"switch({self.number(depth)}, 3, {values[0]}, 2.5, {values[1]}{tail})"

    def switch_text(self, depth: int) -> str:
        values = [self.any(Kind.TEXT, depth) for _ in range(3)]
        return f'switch(word, "Plain", {values[0]}, "plain", {values[1]}, {values[2]})'

    def text(self, depth: int) -> str:
        pick = self.random.choice
        number = self.without_texts(self.number, depth) + pick(
            ("", ", 0", ", 1", ", 3", " -> %, 1")
        )
        unit = pick((" -> hour", " -> day", " -> min", "")) + pick(("", ", 2"))
        time = self.without_texts(self.time, depth) + unit
        kind = pick((Kind.TRUTH, Kind.DATE))
        other = self.without_texts(lambda depth: self.any(kind, depth), depth)
        shown = pick((number, time, other))
        return f'"{pick(("", "of ", "a & <b>; "))}{{{shown}}}{pick(("", " or {word}"))}"'

    def without_texts(self, write: Callable[[int], str], depth: int) -> str:
        """Write what may stand in a text: a formula without texts of its own."""
        while '"' in (found := write(depth)):
            depth = max(depth - self.random.randrange(2), 0)
        return found


def sheet_text(seed: int, count: int) -> str:
    """Write a sheet: the examples of all rows, then ``count`` random formulas, and checks."""
    formulas = Formulas(seed)
    lines = [HEAD, "  Examples:\n"]
    examples = [example.formula for row in ROWS for example in row.examples]
    lines += [f"    e{i}: {{formula: {quoted(text)}}}\n" for i, text in enumerate(examples)]
    lines.append("  Random:\n")
    checks = ["checks:\n"]
    for index in range(count):
        kind = formulas.random.choices(list(LEAVES), (6, 2, 3, 1))[0]
        text = formulas.short(kind, 2 + index % 3)
        lines.append(f"    x{index}: {{formula: {quoted(text)}}}\n")
        formulas.leaves[kind].append(f"x{index}")
        if index % 8 == 0:
            a, b = formulas.short(Kind.NUMBER, 2), formulas.short(Kind.NUMBER, 2)
            compared = f"{a} {'=!'[index % 16 // 8]}= {b}"
            shown = formulas.without_texts(formulas.number, 1)
            checks.append(
                f"  - {{name: check {index}, severity: warning, assert: {quoted(compared)},"
                f" message: 'is {{{shown}, 1}}'}}\n"
            )
    return "".join([*lines, *checks])


def quoted(formula: str) -> str:
    """Write a formula as a YAML text in single quotes."""
    text = formula.replace("'", "''")
    return f"'= {text}'"
