"""Values that need all of a line: running sums, windows, ranks, as formulas one cell each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.excel.applied import failing_with
from calcgraph.excel.blocks import cell_mark
from calcgraph.excel.formula import excel_piece
from calcgraph.excel.pieces import ATOM, JOINED, Piece, guarded, own, wrapped
from calcgraph.excel.tidy import without_needless
from calcgraph.model import Const, Load, free_dims

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.excel.blocks import Entry
    from calcgraph.excel.here import Here
    from calcgraph.model import Op, Scan


def cumsum(here: Here, op: Scan) -> Piece:
    """Add to the cell before; where some may be not applicable, all from the first on."""
    flow = excel_piece(op.args[0], here)
    if not flow.tests:
        return Piece(f"{_before(here)}+{wrapped(flow, ATOM)}", 0)
    line = here.line(op.args[0], (op.dim,))
    summed = f"SUM(INDEX({line},1):INDEX({line},{here.reach.position(op.dim)}))"
    return own(f'IF({flow.text}="","",{summed})')


def stock(here: Here, op: Scan) -> Piece:
    """Add what comes to the balance before, and take off what goes."""
    before = _before(here)
    text = before
    for sign, flow in zip("+-", op.args[1:], strict=False):
        piece = excel_piece(flow, here)
        one = wrapped(piece, ATOM)
        text += f'{sign}IF({one}="",0,{one})' if piece.tests else f"{sign}{one}"
    may_be_na = bool(op.may_be_na and op.may_be_na[0])
    return own(f'IF({before}="","",{text})') if may_be_na else Piece(text, 0)


def rolling_sum(here: Here, op: Scan) -> Piece:
    """Add up the last labels: the first and the last of them by position."""
    line, position = here.line(op.args[0], (op.dim,)), here.reach.position(op.dim)
    count = excel_piece(op.args[1], here)
    first = f"MAX(1,{position}-{wrapped(count, ATOM)}+1)"
    text = _whole(op.args[1], count, f"SUM(INDEX({line},{first}):INDEX({line},{position}))", 1)
    summed = Piece(text, tests=count.tests)
    return own(guarded(summed).text) if count.tests else summed


def lag(here: Here, op: Scan) -> Piece:
    """Find the entry some labels before, or what stands for it where there is none."""
    series, count, outside = op.args
    line, position = here.line(series, (op.dim,)), here.reach.position(op.dim)
    shift, other = excel_piece(count, here), guarded(excel_piece(outside, here))
    source = f"{position}-{wrapped(shift, ATOM)}"
    size = here.model.dim(op.dim).size
    found = f"INDEX({line},{source})"
    if _may_be_na(here, series):
        found = f'IF({found}="","",{found})'
    test = f"OR({source}<1,{source}>{size})"
    text = _whole(count, shift, f"IF({test},{other.text},{found})", None)
    piece = Piece(text, tests=shift.tests)
    is_na = _may_be_na(here, series) or _may_be_na(here, outside) or bool(shift.tests)
    return own(guarded(piece).text) if is_na else piece


def rank(here: Here, op: Scan) -> Piece:
    """Count what is less, at 12 digits; of equals those with a lower tie, then those before."""
    mine, line = _rounded(here, op.args[0], op.dim)
    assert here.block is not None, "a rank stands in a line"
    which = "COLUMN" if here.block.frame.column == op.dim else "ROW"
    order = f"({which}({line})<{which}({mine}))"
    read = [line] if here.may_fail(op.args[0]) else []
    for tie in reversed(op.args[1:]):
        if op.dim not in free_dims(tie):
            read += [excel_piece(tie, here).text] if here.may_fail(tie) else []
            continue
        own_tie, ties = _rounded(here, tie, op.dim)
        read += [ties] if here.may_fail(tie) else []
        order = f"(({ties}<{own_tie})+({ties}={own_tie})*{order})"
    ties = f"IF(COUNTIF({line},{mine})=1,0,SUMPRODUCT(({line}={mine})*{order}))"
    counted = failing_with(read, f'1+COUNTIF({line},"<"&{mine})+{ties}')
    if _may_be_na(here, op.args[0]):
        return own(f'IF({mine}="","",{counted})')
    return Piece(counted, ATOM if read else 0)


SCANS: dict[str, Callable[[Here, Scan], Piece]] = {
    "cumsum": cumsum,
    "stock": stock,
    "rolling_sum": rolling_sum,
    "lag": lag,
    "rank": rank,
}


def running_start(op: Scan) -> Op | None:
    """Give what stands before the first label of a cell that goes on from the one before."""
    return {"cumsum": Const(0.0), "stock": op.args[0]}.get(op.function.name)


def _before(here: Here) -> str:
    """Refer to the cell before the current one, in the same block."""
    assert here.block is not None, "a running value stands in a line"
    number, is_across = here.block.number, bool(here.block.frame.column)
    rows, column = ("=", "=-1") if is_across else ("=-1", "#0")
    return cell_mark(number, number, rows, column)


def _whole(op: Op, count: Piece, text: str, least: int | None) -> str:
    """Let a number of labels that is not whole, or too small, be an error, as it is here."""
    if isinstance(op, Const):
        return text
    test = f"{wrapped(count, JOINED)}=INT({count.text})"
    if least is not None:
        test = f"AND({test},{wrapped(count, JOINED)}>={least})"
    return f"IF({test},{text},NA())"


def _may_be_na(here: Here, op: Op) -> bool:
    return here.spelling.may_be_na(op)


def _rounded(here: Here, op: Op, dim: str) -> tuple[str, str]:
    """Give what a rank compares, and its line: rounded in cells of their own, typed in as it is."""
    assert here.block is not None, "a rank stands in a line"
    is_across, is_exact = here.block.frame.column == dim, False
    if isinstance(op, Load):
        cell = here.model.cells[op.cell]
        is_number = cell.type.kind is Kind.NUMBER
        is_exact = cell.kind in {"axis", "input", "column"} or not is_number
        if is_exact and (here.spelling.block(op.cell).frame.column == dim) == is_across:
            return excel_piece(op, here).text, here.line(op, (dim,))
    block = here.spelling.helper(here, here.dims, dim, ("round", op, here.dims, dim))
    if not block.text:
        one = excel_piece(op, here.within(block)).text
        rounded = one if is_exact else f"IF({one}=0,0,ROUND({one},11-INT(LOG10(ABS({one})))))"
        text = f'IF({one}="","",{rounded})' if _may_be_na(here, op) else rounded
        block.op, block.text, block.derive = op, without_needless(text), _seen
        block.label = "to rank by" if is_exact else "rounded to 12 digits, to rank by"
    number = here.block.number
    mine = cell_mark(number, block.number, "=", "=" if block.frame.column else "#0")
    is_across = bool(block.frame.column)
    line = cell_mark(number, block.number, "=" if is_across else "*", "*" if is_across else "#0")
    return mine, line


def _seen(values: Sequence[Entry]) -> Sequence[Entry]:
    """Round as the helper does."""
    from calcgraph.functions.lines import seen

    return [seen(value) if isinstance(value, float) else value for value in values]
