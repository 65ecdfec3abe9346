"""Value types: a number with a unit, a truth, a text or key, or a date."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from calcgraph.core.dimension import PURE, Unit


class Kind(Enum):
    """The kinds of values; ``ANY`` is the kind of ``na()``, which fits everywhere."""

    NUMBER = "number"
    TRUTH = "truth"
    TEXT = "text"
    DATE = "date"
    ANY = "not applicable"


@dataclass(frozen=True, slots=True)
class Type:
    """A kind, with the unit of a number, the table of a key, and the dims it varies over."""

    kind: Kind
    unit: Unit = PURE
    table: str = ""
    dims: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Describe the type to a user: ``USD/gpu/hour``, ``a pure number``, ``a text``."""
        if self.kind is Kind.NUMBER:
            if self.unit.is_pure:
                return "a pure number"
            return str(self.unit)
        if self.table:
            return f"a key of `{self.table}`"
        return {"truth": "true or false", "date": "a date"}.get(
            self.kind.value, f"a {self.kind.value}"
        )


NUMBER = Type(Kind.NUMBER)
TRUTH = Type(Kind.TRUTH)
TEXT = Type(Kind.TEXT)
DATE = Type(Kind.DATE)
ANY = Type(Kind.ANY)
