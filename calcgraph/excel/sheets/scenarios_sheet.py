"""The page of scenarios: what each overrides, what is in effect, and the column the model reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.descriptions import label_of
from calcgraph.core.values import Series
from calcgraph.excel.layout.blocks import NOWHERE, block_reference, spread
from calcgraph.excel.layout.given_entries import given_value, is_filled
from calcgraph.excel.sheets.builder import cached, entry_text, key_width, unit_text
from calcgraph.excel.sheets.inputs_sheet import column_rule, input_rule
from calcgraph.excel.xlsx.pages import XlsxCell, letters, ref
from calcgraph.excel.xlsx.styles import input_format
from calcgraph.model import BASE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.values import Scalar, Value
    from calcgraph.engine import Evaluation
    from calcgraph.excel.sheets.builder import Builder, Request
    from calcgraph.excel.xlsx.pages import Page
    from calcgraph.model import Cell, Change
    from calcgraph.sheet.declarations import ScenarioDecl

FIRST = 5
EMPTY = "n/a"
OverrideKey = tuple[int, int | None]


def touched(request: Request) -> list[OverrideKey]:
    """List what some scenario changes: inputs, and entries of tables, in the order of the model."""
    found = {(c.cell, c.row) for s in request.model.scenarios.values() for c in s.changes}
    return sorted(found, key=lambda target: (target[0], -1 if target[1] is None else target[1]))


def own_changes(request: Request) -> dict[str, dict[OverrideKey, Scalar]]:
    """Return what each scenario itself changes; settings win over the active scenario."""
    decls = _decls(request)
    found: dict[str, dict[OverrideKey, Scalar]] = {}
    for name, scenario in request.model.scenarios.items():
        parent = _parent(decls[name])
        inherited = len(request.model.scenarios[parent].changes) if parent else 0
        found[name] = {(c.cell, c.row): c.value for c in scenario.changes[inherited:]}
    if request.scenario in found:
        targets = touched(request)
        for change in request.settings:
            if (change.cell, change.row) in targets and _reaches(request, change):
                found[request.scenario][change.cell, change.row] = change.value
    return found


def _reaches(request: Request, change: Change) -> bool:
    """Whether the active scenario would hide what was set."""
    changes = request.model.scenarios[request.scenario].changes
    return any((c.cell, c.row) == (change.cell, change.row) for c in changes)


def _parent(decl: ScenarioDecl) -> str:
    """Name the scenario that one starts from; empty for the model as written."""
    return decl.extends.text.text.strip() if decl.extends is not None else ""


def _decls(request: Request) -> dict[str, ScenarioDecl]:
    sheets = request.model.graph.sheets
    return {decl.name: decl for decl in sheets.sheets[sheets.root].scenarios}


def add_scenarios(builder: Builder) -> None:
    """Write overrides, what is in effect, and the live column."""
    request = builder.request
    targets = touched(request)
    if not request.model.scenarios:
        return
    names = [BASE, *request.model.scenarios]
    page = _page(builder, names, targets)
    parents = _parents(request, names)
    page.put(5, 1, XlsxCell("starts from", style="purpose"))
    for at, name in enumerate(names, FIRST):
        page.put(5, at, XlsxCell(parents.get(name, "–"), style="purpose", align="right"))
    page.row = 6
    own = own_changes(request)
    builder.section(page, "Overrides", 4 + len(names))
    overrides = page.row
    for target in targets:
        _override_row(builder, page, target, names, own)
    for at, name in enumerate(names[1:], FIRST + 1):
        if targets:
            builder.name(page, f"cg.scenario.{name}", overrides, at, page.row - 1)
    builder.section(page, "In effect", 4 + len(names))
    for at, target in enumerate(targets):
        _effect_row(builder, page, target, names, (overrides + at, parents, own))
    _notes(builder, page, names)


def _page(builder: Builder, names: list[str], targets: Sequence[OverrideKey]) -> Page:
    """Start the page: a column for each scenario, and one for the case in force."""
    request = builder.request
    purpose = "What each scenario changes; blank: as in the scenario it starts from."
    keys = max(
        key_width(builder),
        *(len(override_text(builder, target)[2]) + 2.0 for target in targets),
        14,
    )
    widths = (40, 17, 15, keys, *(16,) * len(names))
    page = builder.page("Scenarios", "Scenarios", purpose, widths)
    page.freeze = "E6"
    heads = ("Assumption", "Live", "Unit", "Key", *names)
    builder.heads(page, heads, "lrul" + "r" * len(names))
    page.put(
        4,
        2,
        XlsxCell(f"Live: {request.scenario}", f'"Live: "&{ref("cg.scenario")}', "header right"),
    )
    builder.places["cg.scenario_names"] = (
        f"{page.at(4, 5, sheet=True)}:{page.at(4, 4 + len(names))}"
    )
    return page


def _parents(request: Request, names: list[str]) -> dict[str, str]:
    decls = _decls(request)
    return {name: _parent(decls[name]) or BASE for name in names[1:]}


def override_text(builder: Builder, target: OverrideKey) -> tuple[Cell, str, str]:
    """Return the cell, its label and its address in the model."""
    cell = builder.request.model.cells[target[0]]
    if target[1] is None:
        return cell, label_of(builder.request.model, cell), cell.name
    if cell.kind == "input":
        read = entry_text(builder.request.model, cell.type.dims, target[1])
        label = f"{read}: {label_of(builder.request.model, cell)}"
        return cell, label, f"{cell.name}[{read}]"
    table, column = cell.name.rpartition(".")[::2]
    key = builder.request.model.table(table).labels[target[1]]
    return cell, f"{key}: {label_of(builder.request.model, cell)}", f"{table}[{key}].{column}"


def _value(evaluation: Evaluation, target: OverrideKey) -> Value:
    value = evaluation.values[target[0]]
    if target[1] is None:
        return value
    if evaluation.plan.model.cells[target[0]].given is not None:
        return given_value(evaluation, target[0], target[1])
    assert isinstance(value, Series), "only what has labels has entries"
    return value.data[target[1]]


def _may_be_na(cell: Cell, target: OverrideKey) -> bool:
    """Whether an input or entry may be left empty, as a gap of a series that is filled may."""
    return cell.may_be_na or (target[1] is not None and is_filled(cell.fill))


def _base_reference(builder: Builder, target: OverrideKey) -> str:
    """Refer to what an input or entry is without a scenario."""
    name = ref(builder.spelling.base[target[0]])
    given = builder.spelling.given.get(target[0])
    if given is not None and target[1] is not None:
        down, across = spread(builder.request.model, given, target[1])
        return block_reference(NOWHERE, given.number, f"#{down}", f"#{across}")
    return name if target[1] is None else f"INDEX({name},{target[1] + 1})"


def _shape(
    value: Value, target: OverrideKey, cell: Cell, own: dict[str, dict[OverrideKey, Scalar]]
) -> str:
    """Choose the format of an input by its value, or by the first override where it has none."""
    overrides = (changes.get(target) for changes in own.values())
    sample = value if value is not None else next((v for v in overrides if v is not None), None)
    return input_format(sample, cell.type)


def _override_row(
    builder: Builder,
    page: Page,
    target: OverrideKey,
    names: list[str],
    own: dict[str, dict[OverrideKey, Scalar]],
) -> None:
    cell, label, key = override_text(builder, target)
    row = page.row
    base = _value(builder.request.before, target)
    shape = _shape(base, target, cell, own)
    page.put(row, 1, XlsxCell(label))
    page.put(row, 2, XlsxCell(style="calc"))
    page.put(row, 3, XlsxCell(unit_text(cell.type) or None, style="unit"))
    page.put(row, 4, XlsxCell(key, style="key"))
    reference, may_be_na = _base_reference(builder, target), _may_be_na(cell, target)
    guarded = f'IF({reference}="","",{reference})' if may_be_na else reference
    page.put(row, FIRST, XlsxCell(cached(base), guarded, "link", shape))
    for at, name in enumerate(names[1:], FIRST + 1):
        value = own[name].get(target)
        if target in own[name] and value is None:
            value = EMPTY
        page.put(row, at, XlsxCell(value, style="input", format=shape))
        accept = input_rule if target[1] is None else column_rule
        rule = None if may_be_na else accept(builder, cell, f"{letters(at)}{row}")
        if rule:
            page.rules.append(rule)
    page.row += 1


def _effect_row(
    builder: Builder,
    page: Page,
    target: OverrideKey,
    names: list[str],
    above: tuple[int, dict[str, str], dict[str, dict[OverrideKey, Scalar]]],
) -> None:
    request = builder.request
    cell, label, key = override_text(builder, target)
    override, parents, own = above
    row, last = page.row, letters(FIRST + len(names) - 1)
    live = _value(request.now, target)
    shape = _shape(live, target, cell, own)
    page.put(row, 1, XlsxCell(label))
    picked = f"INDEX(E{row}:{last}{row},{ref('cg.scenario_number')})"
    page.put(row, 2, XlsxCell(cached(live), picked, "calc", shape))
    page.put(row, 3, XlsxCell(unit_text(cell.type) or None, style="unit"))
    page.put(row, 4, XlsxCell(key, style="key"))
    for at, name in enumerate(names, FIRST):
        value = _in_effect(request, target, name, own)
        if name == BASE:
            formula = f"E{override}"
            if _may_be_na(cell, target):
                formula = f'IF(E{override}="","",E{override})'
        else:
            mine = f"{letters(at)}{override}"
            inherited = f"{letters(FIRST + names.index(parents[name]))}{row}"
            is_na = _may_be_na(cell, target)
            chosen = f'IF({mine}="{EMPTY}","",{mine})' if is_na else mine
            formula = f"IF(ISBLANK({mine}),{inherited},{chosen})"
        page.put(row, at, XlsxCell(cached(value), formula, "calc", shape))
    if target[1] is None:
        name = builder.spelling.cells[cell.number]
        builder.name(page, name, row, 2)
        builder.list(name, "live input", (unit_text(cell.type), "scenarios", "", ""))
    else:
        builder.places[f"cg.live.{target[0]}.{target[1]}"] = page.at(row, 2, sheet=True)
    page.row += 1


def _in_effect(
    request: Request, target: OverrideKey, name: str, own: dict[str, dict[OverrideKey, Scalar]]
) -> Value:
    """Follow a scenario to where a value comes from."""
    decls = _decls(request)
    while name != BASE:
        if target in own[name]:
            return own[name][target]
        name = _parent(decls[name]) or BASE
    return _value(request.before, target)


def _notes(builder: Builder, page: Page, names: list[str]) -> None:
    """Write each scenario's note, and name the row for the front page."""
    page.put(page.row, 1, XlsxCell("note", style="purpose"))
    notes = ["the model as written"]
    notes += [builder.request.model.scenarios[name].note or "–" for name in names[1:]]
    for at, note in enumerate(notes, FIRST):
        page.put(page.row, at, XlsxCell(note, style="note"))
    builder.grow(page, *((note, at, 9) for at, note in enumerate(notes, FIRST)))
    last = page.at(page.row, 4 + len(names))
    builder.places["cg.scenario_notes"] = f"{page.at(page.row, FIRST, sheet=True)}:{last}"
