"""What functions mean where one example a row does not say it."""

import pytest

from calcgraph.core.values import Failure, Value
from properties.pipeline import evaluated, formula, value_of

TABLE = """
tables:
  t:
    columns: {x: USD, y: 1, used: truth, level: 1, back: 1}
    rows:
      a: [null, 2, true, null, 3]
      b: [3, 2, null, 1, 2]
      c: [1, 9, false, 2, 1]
      d: [1, 9, true, null, 0]
"""


def value(text: str) -> Value:
    return value_of(evaluated(f"{TABLE}calc:\n  v: {formula(text)}\n"), "v")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("count(t.used)", 2),
        ("count(t.x)", 3),
        ("any(t.used)", True),
        ("all(t.used)", False),
        ("sum(t.x) / 1 [USD]", 5),
        ("mean(t.x) / 1 [USD]", 5 / 3),
        ("first(t.x) / 1 [USD]", 3),
        ("last(t.level)", 2),
        ("min(t.x) / 1 [USD]", 1),
        ("argmin(t.x)", "c"),
        ("argmax(t.y)", "c"),
        ("argmin(t.y)", "a"),
        ("lookup(1.5, t.level, t.y)", 2),
        ("lookup(0.1 + 0.2 + 0.7, t.level, t.y)", 2),
        ("lookup(99, t.level, t.y)", 9),
        ("lookup(0, t.level, t.y)", None),
        ("min(1, na(), 3)", 1),
        ("max(na(), na())", None),
        ('join(na(), "a", "b")', "ab"),
        ("if(na() > 1, 1, 2)", None),
        ("ifs(false, 1, na() > 1, 2, 3)", None),
        ("iferror(na(), 1)", None),
        ("switch(2, 1, 10, 2, 20, 30)", 20),
        ("switch(na(), 1, 10, 2, 20, 30)", None),
        ("round(1.005, 2)", 1.01),
        ("round(-0.5)", -1),
        ("round(1234.5, -2)", 1200),
        ("round(5e300, -400)", 0),
        ("mod(-1, 3)", 2),
        ("mod(1, -3)", -2),
        ("mod(0.3, 0.1)", 0),
        ("floor(2.3 / 0.1)", 23),
        ("ceil(-0.5)", 0),
        ("1 / 3 * 3 == 1", True),
        ("1e14 + 1 == 1e14", False),
        ("1e16 + 2 == 1e16", True),
        ("date(2026, 3, 1) - 1 [day] == date(2026, 2, 28)", True),
        ("day(date(2026, 3, 1) + 36 [hour])", 2),
    ],
)
def test_a_function_means(text: str, expected: object) -> None:
    assert value(text) == (pytest.approx(expected) if isinstance(expected, float) else expected)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1 / 0", "div0"),
        ("mod(1, 0)", "div0"),
        ("floor(1, 0)", "div0"),
        ("0 ^ -1", "div0"),
        ("0 ^ 0", "domain"),
        ("(-8) ^ 0.5", "domain"),
        ("ln(-1)", "domain"),
        ("log10(0)", "domain"),
        ("sqrt(-1)", "domain"),
        ("exp(1000)", "overflow"),
        ("1e300 * 1e300", "overflow"),
        ("2 ^ 5000", "overflow"),
        ("lookup(1, t.back, t.y)", "domain"),
        ("year(date(9999, 12, 31) + 1 [day])", "domain"),
        ("date(1900, 3, 1) - 1e9 [day] == date(2026, 1, 1)", "domain"),
        ("t[if(1 < 2, argmin(t.x), na())].x / 0", "div0"),
    ],
)
def test_a_number_that_has_no_value_fails_with_its_reason(text: str, kind: str) -> None:
    found = value(text)

    assert isinstance(found, Failure)
    assert found.kind == kind


ALONG = """
dims:
  month: {from: 2026-01, to: 2026-03}
  region: [us, eu]
inputs:
  flow[region, month]:
    unit: USD
    values:
      us: {2026-01: 1, 2026-02: 2, 2026-03: 3}
      eu: {2026-01: 10, 2026-02: 20, 2026-03: 30}
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sum(cumsum(flow)) / 1 [USD]", 10 + 100),
        ("max(sum(flow, month)) / 1 [USD]", 60),
        ("min(npv(100%, flow, month)) / 1 [USD]", 1 + 2 / 2 + 3 / 4),
        ("argmax(sum(flow, region))", 46082),
        ("argmax(sum(flow, month))", "eu"),
        ("first_where(sum(flow, region) > 20 [USD])", 46054),
        ("sum(rank(flow, region))", 3 * (1 + 2)),
        ("sum(last(stock(5 [USD], flow, flow / 2), month)) / 1 [USD]", 5 + 3 + 5 + 30),
        ("sum(rolling_sum(flow, 2)) / 1 [USD]", (1 + 3 + 5) * 11),
        ("sum(lag(flow, -1, 0)) / 1 [USD]", (2 + 3) * 11),
        ("sum(prev(flow, 7 [USD])) / 1 [USD]", 7 + 1 + 2 + 7 + 10 + 20),
        ("sum(lookup(index(month) + 1, t.level, t.y))", 2 + 9 + 9),
        ("sum(min(flow, 15 [USD])) / 1 [USD]", 1 + 2 + 3 + 10 + 15 + 15),
        ("last(rank(t.x, t.back))", 1),
        ('join("-", if(t.y > 5, "much", na()), t)', "much-much"),
        ("sum(duration(month) * index(month)) / 1 [day]", 28 + 2 * 31),
        ("min(pmt(0, index(month) + 1, 6 [USD])) / 1 [USD]", -6),
    ],
)
def test_a_function_along_dims_means(text: str, expected: object) -> None:
    found = value_of(evaluated(f"{ALONG}{TABLE}calc:\n  v: {formula(text)}\n"), "v")

    assert found == (pytest.approx(expected) if isinstance(expected, float) else expected)
