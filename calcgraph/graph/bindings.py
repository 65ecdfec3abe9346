"""What variants set: parameters of a sub-model, bound to values or formulas of its importer."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.core.nearest import did_you_mean
from calcgraph.graph.cells import Node
from calcgraph.graph.dims import named_dims
from calcgraph.graph.names import CellTarget, LostTarget, TableTarget, resolve
from calcgraph.sheet.declarations import CalcDecl, InputDecl

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from calcgraph.graph.cells import Declared
    from calcgraph.graph.names import ImportPath, Target, Variant
    from calcgraph.lang.expr import Expr
    from calcgraph.sheet.declarations import ImportDecl, Setting
    from calcgraph.sheet.imports import Sheets
    from calcgraph.sheet.yaml_tree import Scalar

    ResolveNames = Callable[[str, Expr, list[Diagnostic]], dict[int, Target]]

NOT_BINDABLE = Code(
    "CG317",
    "variant sets what is no input",
    "`set` of an import names inputs of the sheet, or of what it imports: `gpus`, `job.gpus`.",
)


@dataclass(frozen=True, slots=True)
class ParameterBinding:
    """A sub-model parameter and the value or formula bound to it.

    ``dims`` are the hidden dims of an import with ``over``. Without a ``setting`` the input keeps
    its value, but may be set for this variant alone.
    """

    input: Node
    setting: Setting | None
    sheet: str
    dims: tuple[str, ...]
    place: Scalar
    targets: dict[int, Target] = field(default_factory=dict)

    def nodes(self, number: int, name: str, within: ImportPath) -> tuple[Node, ...]:
        """Make the cell that replaces the input; if nothing is bound, also one to override it."""
        if self.setting is not None:
            return (self.node(number, name, within),)
        decl = self.input.decl
        assert isinstance(decl, InputDecl), "only inputs are bound"
        own = Node(
            number, name, "calc", self.sheet, CalcDecl(decl.name, self.place, "", None, None),
            within=within[:-1], of=within, binds=self.input.number, switch=number + 1,
            targets=self.targets,
        )  # fmt: skip
        empty = replace(decl, value=None, key=self.place)
        switch = replace(
            own, number=number + 1, kind="input", decl=empty, switch=-1, targets={}, of=()
        )
        return own, switch

    def node(self, number: int, name: str, within: ImportPath) -> Node:
        """Make the cell that replaces the input within variants."""
        decl = self.input.decl
        assert isinstance(decl, InputDecl), "only inputs are bound"
        made = Node(
            number, name, "input", self.sheet, decl, within=within[:-1], of=within,
            binds=self.input.number,
        )  # fmt: skip
        setting = self.setting
        assert setting is not None, "something is set"
        if setting.formula is None:
            return replace(made, decl=replace(decl, value=setting.value, key=setting.address))
        calc = CalcDecl(decl.name, setting.address, "", setting.formula, setting.value)
        return replace(made, kind="calc", decl=calc, dims=self.dims, targets=self.targets)


def read_bindings(
    sheets: Sheets, declared: Declared, resolve_names: ResolveNames, findings: list[Diagnostic]
) -> dict[Variant, dict[int, ParameterBinding]]:
    """Find the inputs that each variant sets."""
    found: dict[Variant, dict[int, ParameterBinding]] = {}
    for key, sheet in sheets.sheets.items():
        for decl in sheet.imports:
            to = sheets.imports[key].get(decl.alias)
            if decl.settings and to is not None and not sheets.sheets[to].unread:
                dims = named_dims(declared, key, decl.over, findings)
                found[key, decl.alias] = _bound(
                    declared, key, to, decl, dims, resolve_names, findings
                )
    return found


def _bound(  # noqa: PLR0913, PLR0917 - one loop over what a variant sets
    declared: Declared,
    key: str,
    to: str,
    decl: ImportDecl,
    dims: tuple[str, ...],
    resolve_names: ResolveNames,
    findings: list[Diagnostic],
) -> dict[int, ParameterBinding]:
    bound: dict[int, ParameterBinding] = {}
    for setting in decl.settings:
        number = _input_at(declared, to, setting, findings)
        if number is None:
            continue
        if number in bound:
            first = Label(bound[number].place.span, "first here")
            message = f"`{setting.address.text.text}` is set twice"
            label = Label(setting.address.span)
            findings.append(Diagnostic(NOT_BINDABLE, message, label, "leave one out", (first,)))
            continue
        targets = resolve_names(key, setting.formula.expr, findings) if setting.formula else {}
        node = declared.nodes[number]
        bound[number] = ParameterBinding(node, setting, key, dims, setting.address, targets)
    return bound


def open_binding(
    declared: Declared, sheets: Sheets, cell: int, variant: Variant
) -> ParameterBinding:
    """Bind an input that a variant does not set, so that it can be set for that variant alone."""
    sheet, alias = variant
    place = next(decl.key for decl in sheets.sheets[sheet].imports if decl.alias == alias)
    return ParameterBinding(declared.nodes[cell], None, sheet, (), place, {-1: CellTarget(cell)})


def unread_bindings(
    bindings: Mapping[Variant, Mapping[int, ParameterBinding]],
    found: Collection[tuple[int, ImportPath]],
) -> list[tuple[int, ImportPath]]:
    """List what variants set although nothing reads it: its unit must match all the same."""
    read = {(cell, within[-1]) for cell, within in found if within}
    return [
        (cell, (variant,))
        for variant, bound in bindings.items()
        for cell, binding in bound.items()
        if binding.setting is not None and (cell, variant) not in read
    ]


def _input_at(
    declared: Declared, to: str, setting: Setting, findings: list[Diagnostic]
) -> int | None:
    """Find the input that a setting names, as seen from the variant's sheet."""
    text = setting.address.text.text.strip()
    target = resolve(declared.scopes, declared.tables, to, text.split("."))
    if isinstance(target, LostTarget):
        return None
    message, hint = f"`{text}` is not an input of this sheet", ""
    if isinstance(target, CellTarget):
        node = declared.nodes[target.number]
        if target.import_path:
            message = f"`{text}` lies in a variant of its own"
            hint = "set what that variant reads, or set it where the variant is imported"
        elif node.kind != "input":
            message, hint = f"`{text}` is calculated and cannot be set", "name an input"
        elif node.dims:
            message, hint = f"`{text}` is a series", "a variant sets single values"
        else:
            return target.number
    elif target is None and "[" in text:
        message = f"`{text}` is an entry, which a variant cannot set"
        hint = "set the input that chooses the row"
    else:
        known = _inputs_below(declared, to)
        is_table = isinstance(target, TableTarget)
        hint = "name an input" if is_table else did_you_mean(text, known, "name one of its inputs")
    findings.append(Diagnostic(NOT_BINDABLE, message, Label(setting.address.span), hint))
    return None


def _inputs_below(declared: Declared, sheet: str) -> list[str]:
    """List the inputs that a sheet can name: its own and those of its imports."""
    found: list[str] = []
    for name, target in declared.scopes[sheet].items():
        inner = getattr(target, "key", None)
        if isinstance(target, CellTarget) and declared.nodes[target.number].kind == "input":
            found.append(name)
        elif inner is not None:
            found += [
                f"{name}.{other}"
                for other, cell in declared.scopes[inner].items()
                if isinstance(cell, CellTarget) and declared.nodes[cell.number].kind == "input"
            ]
    return found
