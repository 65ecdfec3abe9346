"""Labels are found without going through all of them, and one written otherwise is told."""

from typing import Never

import pytest

from calcgraph.core.source import Slice, Source
from calcgraph.core.values import Dim
from calcgraph.sheet.yaml_reader import YamlScalar
from calcgraph.typecheck.series_inputs import find_label, unknown_label


class Unsearched(tuple[str, ...]):
    """Labels that nobody may search from the first on."""

    __slots__ = ()

    def index(self, *_: object) -> Never:
        raise AssertionError

    def __contains__(self, _: object) -> Never:
        raise AssertionError


MONTHS = Unsearched(f"2026-{month:02}" for month in range(1, 13))
MONTH = Dim("month", "time", tuple(map(float, range(12))), MONTHS, {}, (), "month")


def test_a_label_is_found_by_its_text() -> None:
    assert [find_label(MONTH, text) for text in MONTHS] == list(range(12))
    assert find_label(MONTH, "2026-03-01") == 2
    assert find_label(MONTH, "2026-13") is None


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("2026-3", "did you mean `2026-03`?"),
        ("03/2026", "did you mean `2026-03`?"),
        ("2026/03", "did you mean `2026-03`?"),
        ("2026-03-15", "did you mean `2026-03`?"),
        ("2027-03", "it goes from 2026-01 to 2026-12"),
        ("March", "it goes from 2026-01 to 2026-12"),
    ],
)
def test_a_month_written_otherwise_is_told(written: str, hint: str) -> None:
    text = Slice(Source("sheet", written), written, 0)

    found = unknown_label(MONTH, YamlScalar(text, text.whole))

    assert (found.message, found.hint) == (f"`month` has no label `{written}`", hint)
