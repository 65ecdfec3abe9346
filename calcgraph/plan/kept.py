"""Serialise a plan with its compiled code, and load it without checking or compiling again.

Private format; never read bytes written by another version. Pickle and marshal run what they read,
so only files in a directory of the user's own may come here.
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
    """Serialise a plan with its model and another object; ``None`` if the trees are too deep."""
    codes = [_code(chunk) for chunk in plan.chunk_codes]
    bare = replace(plan, chunk_codes=(), compiled=CompiledCode())
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _Reducers({**copyreg.dispatch_table, Function: _by_name})
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


class _Reducers(dict[type, Any]):
    """Reducers by class: a dataclass is pickled as its constructor and fields.

    The default for dataclasses takes three times as long to load.
    """

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Any, ...]]:
        """Make the reducer of a class; raise ``KeyError`` to leave it to pickle."""
        if not is_dataclass(kind) or "__reduce__" in vars(kind):
            raise KeyError(kind)
        names = [part.name for part in fields(kind)]
        if not names or not all(part.init and not part.kw_only for part in fields(kind)):
            raise KeyError(kind)
        take = attrgetter(*names)
        self[kind] = reducer = (
            (lambda whole: (kind, take(whole)))
            if len(names) > 1
            else (lambda whole: (kind, (take(whole),)))
        )
        return reducer


def _by_name(row: Function) -> tuple[Any, tuple[str]]:
    return _row, (row.name,)


def _row(name: str) -> Function:
    return FUNCTIONS[name]
