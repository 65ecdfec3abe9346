"""A plan and what belongs to it as bytes, and back: nothing is checked, written or compiled anew.

The bytes are for the program that made them, and for nobody else: pickle and marshal believe what
they read, so only what lay in a place of our own may come here.
"""

from __future__ import annotations

import copyreg
import io
import marshal
import pickle
from dataclasses import fields, is_dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from calcgraph.functions import FUNCTIONS
from calcgraph.functions.spec import Function
from calcgraph.plan.plan import CompiledCode, chunk_of_code

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

    from calcgraph.plan.plan import Plan


def plan_bytes(plan: Plan, beside: object) -> bytes | None:
    """Write a plan with its model, and something beside it; none where trees are too deep."""
    codes = [_code(chunk) for chunk in plan.chunk_codes]
    bare = replace(plan, chunk_codes=(), compiled=CompiledCode())
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _Ways({**copyreg.dispatch_table, Function: _by_name})
    try:
        pickler.dump((bare, codes, beside))
    except RecursionError:
        return None
    return buffer.getvalue()


def plan_from(content: bytes) -> tuple[Plan, Any]:
    """Read a plan and what was put beside it; the bytes are ours, and of this very program."""
    bare, codes, beside = pickle.loads(content)  # noqa: S301 - the caller knows whose they are
    chunks = tuple(
        chunk_of_code(marshal.loads(code), bare.constants, has_arrays=has_arrays)  # noqa: S302
        for code, has_arrays in codes
    )
    return replace(bare, chunk_codes=chunks), beside


def _code(chunk: Any) -> tuple[bytes, bool]:  # noqa: ANN401 - a function, of which mypy knows no code
    code: CodeType = chunk.__code__
    return marshal.dumps(code), "np" in chunk.__globals__


class _Ways(dict[type, Any]):
    """How objects of a class are written: what is frozen with what it is made of.

    The way of dataclasses themselves takes three times as long to be read.
    """

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Any, ...]]:
        """Find the way of a class at its first object; ``KeyError`` leaves it to pickle."""
        if not is_dataclass(kind) or "__reduce__" in vars(kind):
            raise KeyError(kind)
        names = [part.name for part in fields(kind)]
        if not names or not all(part.init and not part.kw_only for part in fields(kind)):
            raise KeyError(kind)
        take = attrgetter(*names)
        self[kind] = way = (
            (lambda whole: (kind, take(whole)))
            if len(names) > 1
            else (lambda whole: (kind, (take(whole),)))
        )
        return way


def _by_name(row: Function) -> tuple[Any, tuple[str]]:
    return _row, (row.name,)


def _row(name: str) -> Function:
    return FUNCTIONS[name]
