"""Sub-model instances: which cells a variant computes anew, and from what."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.core.diagnostics import Code, Diagnostic, Label, did_you_mean
from calcgraph.graph.name_resolution import named_dims
from calcgraph.graph.names import CellTarget, ColumnTarget, TableTarget, Unresolved, resolve
from calcgraph.graph.nodes import Node
from calcgraph.sheet.declarations import CalcDecl, InputDecl

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from calcgraph.graph.names import ImportPath, Target, Variant
    from calcgraph.graph.nodes import Declared
    from calcgraph.language.ast import Expr
    from calcgraph.sheet.declarations import ImportDecl, Setting
    from calcgraph.sheet.imports import Sheets
    from calcgraph.sheet.yaml_reader import YamlScalar

    ResolveNames = Callable[[str, Expr, list[Diagnostic]], dict[int, Target]]


State: TypeAlias = "tuple[int, ImportPath]"
"""A cell, or the first of a recurrence, and the variants it is wanted in."""


MAX_INSTANCES = 50_000
"""Limit on the cells of variants; the planner needs 5,000."""


class TooManyInstances(Exception):
    """Raised when nested variants need too many cells; ``variant`` is one of them."""

    def __init__(self, variant: Variant) -> None:
        """Name the import."""
        super().__init__(variant)
        self.variant = variant


@dataclass(slots=True)
class SubmodelInstances:
    """Finds the instance of a cell in a variant of its sheet, and makes one if it differs.

    ``recurrences`` maps a cell to those it forms a recurrence with: they are instantiated together
    or not at all. ``name`` names a cell in variants. ``plain`` are the cells as their sheets
    declare them; ``nodes`` are the same with names resolved into variants, then the instances.
    """

    nodes: list[Node]
    plain: Sequence[Node]
    bindings: Mapping[Variant, dict[int, ParameterBinding]]
    recurrences: Mapping[int, tuple[int, ...]]
    name: Callable[[int, ImportPath], str]
    found: dict[tuple[int, ImportPath], int] = field(default_factory=dict)
    unfinished: list[int] = field(default_factory=list)

    def number(self, cell: int, within: ImportPath) -> int:
        """Find the instance of a cell within variants; make it if it differs."""
        if not within:
            return cell
        if (cell, within) not in self.found:
            self._decide_all((self._leader(cell), within))
        return self.found[cell, within]

    def finish(self) -> None:
        """Resolve what new instances read, which may make more of them."""
        while self.unfinished:
            number = self.unfinished.pop()
            node = self.nodes[number]
            self.nodes[number] = self.with_needs(node)

    def with_needs(self, node: Node) -> Node:
        """Resolve the names of a node to the instances in the variants they pass through."""
        targets = {at: self.in_instance(target, node.within) for at, target in node.targets.items()}
        now, prior = dict[int, None](), set[int]()
        for at, target in targets.items():
            if isinstance(target, CellTarget | ColumnTarget):
                if at in node.before:
                    prior.add(target.number)
                else:
                    now[target.number] = None
        return replace(
            node,
            targets=targets,
            needs=(
                *now,
                *sorted(prior - now.keys()),
                *([node.override_input] if node.override_input >= 0 else ()),
            ),
            previous_label_needs=frozenset(prior - now.keys()),
        )

    def in_instance(self, target: Target, within: ImportPath) -> Target:
        """Resolve a name to the instance in the variants it passes through."""
        if isinstance(target, CellTarget | ColumnTarget):
            return replace(
                target, number=self.number(target.number, (*within, *target.import_path))
            )
        return target

    def _leader(self, cell: int) -> int:
        return self.recurrences[cell][0] if cell in self.recurrences else cell

    def _members(self, leader: int) -> tuple[int, ...]:
        return self.recurrences.get(leader, (leader,))

    def _decide_all(self, wanted: State) -> None:
        """Resolve dependencies depth first, iteratively."""
        todo, open_ = [wanted], set[State]()
        while todo:
            state = todo[-1]
            if self._is_done(state):
                todo.pop()
                continue
            missing = [other for other in self._dependencies(*state) if not self._is_done(other)]
            fresh = [other for other in missing if other not in open_]
            if state not in open_ and fresh:
                open_.add(state)
                todo.extend(fresh)
                continue
            for other in missing:
                self._make(*other)  # a circle through the variant: the order will say so
            if not self._is_done(state):
                self._decide(*state)
            todo.pop()

    def _is_done(self, state: State) -> bool:
        return not state[1] or state in self.found

    def _dependencies(self, leader: int, within: ImportPath) -> Iterator[State]:
        """List what must be decided first: what is read, here and with one variant less."""
        for fewer in self._outer_instances(within):
            yield leader, fewer
        if self._binding(leader, within) is None:
            for instance in (within, *self._outer_instances(within)):
                for cell, import_path in self._reads(leader):
                    yield self._leader(cell), (*instance, *import_path)
            return
        binding = self._binding(leader, within)
        assert binding is not None, "only bound inputs are requested"
        for outer in (within[:-1], *self._outer_instances(within[:-1])):
            for cell, import_path in _cells(binding.targets):
                yield self._leader(cell), (*outer, *import_path)

    def _outer_instances(self, within: ImportPath) -> list[ImportPath]:
        return [(*within[:at], *within[at + 1 :]) for at in range(len(within) - 1, -1, -1)]

    def _binding(self, cell: int, within: ImportPath) -> ParameterBinding | None:
        return self.bindings[within[-1]].get(cell) if within else None

    def _reads(self, leader: int) -> list[tuple[int, ImportPath]]:
        """List what a cell, or a recurrence as a whole, reads."""
        members = self._members(leader)
        return [
            (number, import_path)
            for member in members
            for number, import_path in _cells(self.plain[member].targets)
            if import_path or number not in members
        ]

    def _decide(self, leader: int, within: ImportPath) -> None:
        binding = self._binding(leader, within)
        if binding is not None:
            for fewer in self._outer_instances(within[:-1]):
                if self._reads_the_same(_cells(binding.targets), within[:-1], fewer):
                    self.found[leader, within] = self.found[leader, (*fewer, within[-1])]
                    return
            self._make(leader, within)
            return
        reads = self._reads(leader)
        for fewer in self._outer_instances(within):
            if self._reads_the_same(reads, within, fewer):
                for member in self._members(leader):
                    self.found[member, within] = self.number(member, fewer)
                return
        self._make(leader, within)

    def _reads_the_same(
        self, reads: Sequence[tuple[int, ImportPath]], one: ImportPath, other: ImportPath
    ) -> bool:
        return all(
            self.number(cell, (*one, *import_path)) == self.number(cell, (*other, *import_path))
            for cell, import_path in reads
        )

    def _make(self, leader: int, within: ImportPath) -> None:
        """Make instances for a variant; what they read is resolved later."""
        if len(self.found) > MAX_INSTANCES:
            raise TooManyInstances(within[0])
        binding = self._binding(leader, within)
        for member in self._members(leader):
            node, number = self.plain[member], len(self.nodes)
            self.found[member, within] = number
            name = self.name(member, within)
            if binding is None:
                self.nodes.append(replace(node, number=number, name=name, within=within))
            else:
                self.nodes.extend(binding.nodes(number, name, within))
            self.unfinished.append(number)


def _cells(targets: Mapping[int, Target]) -> list[tuple[int, ImportPath]]:
    """List the cells that names refer to, each with the variants it is read through."""
    found = {
        (target.number, target.import_path): None
        for target in targets.values()
        if isinstance(target, CellTarget | ColumnTarget)
    }
    return list(found)


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
    place: YamlScalar
    targets: dict[int, Target] = field(default_factory=dict)

    def nodes(self, number: int, name: str, within: ImportPath) -> tuple[Node, ...]:
        """Make the cell that replaces the input; if nothing is bound, also one to override it."""
        if self.setting is not None:
            return (self.node(number, name, within),)
        decl = self.input.decl
        assert isinstance(decl, InputDecl), "only inputs are bound"
        own = Node(
            number, name, "calc", self.sheet, CalcDecl(decl.name, self.place, "", None, None),
            within=within[:-1], of=within, overrides=self.input.number, override_input=number + 1,
            targets=self.targets,
        )  # fmt: skip
        empty = replace(decl, value=None, key=self.place)
        switch = replace(
            own, number=number + 1, kind="input", decl=empty, override_input=-1, targets={}, of=()
        )
        return own, switch

    def node(self, number: int, name: str, within: ImportPath) -> Node:
        """Make the cell that replaces the input within variants."""
        decl = self.input.decl
        assert isinstance(decl, InputDecl), "only inputs are bound"
        made = Node(
            number, name, "input", self.sheet, decl, within=within[:-1], of=within,
            overrides=self.input.number,
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
    if isinstance(target, Unresolved):
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


@dataclass(frozen=True, slots=True)
class ImportPaths:
    """The shortest chain of import aliases from one sheet to another."""

    sheets: Sheets
    declared: Declared
    found: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)

    def name(self, cell: int, within: ImportPath) -> str:
        """Name a cell within variants: ``cand.step.memory``."""
        here, words = self.sheets.root, list[str]()
        for sheet, alias in within:
            words += [*self.import_path(here, sheet), alias]
            here = self.sheets.imports[sheet][alias]
        node = self.declared.nodes[cell]
        return ".".join((*words, *self.import_path(here, node.sheet), _own_name(node.name)))

    def import_path(self, start: str, end: str) -> tuple[str, ...]:
        """Find the shortest chain of aliases between two sheets; plain imports are preferred."""
        if start not in self.found:
            self.found[start] = self._import_paths(start)
        return self.found[start].get(end, self.sheets.paths[end])

    def _import_paths(self, start: str) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {start: ()}
        for is_plain in (True, False):
            waiting = list(found)
            while waiting:
                here = waiting.pop(0)
                for decl in self.sheets.sheets[here].imports:
                    to = self.sheets.imports[here].get(decl.alias)
                    if to is not None and to not in found and (not is_plain or not decl.settings):
                        found[to] = (*found[here], decl.alias)
                        waiting.append(to)
        return found


def _own_name(name: str) -> str:
    return name.rpartition(".")[2]
