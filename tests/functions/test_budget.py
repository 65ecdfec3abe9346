"""A cash budget over 36 months, each figure worked out again by plain loops over months."""

from datetime import date
from itertools import pairwise
from typing import Any

import pytest

from calcgraph.core.values import Series
from properties.pipeline import evaluated, value_of

BUDGET = """
units: {seat: count}
dims:
  month:   {from: 2026-01, to: 2028-12}
  vintage: {like: month}
  fy:      {from: 2025-10, to: 2028-10, step: year}
  quarter: {from: 2026-01, to: 2028-12, step: quarter}
inputs:
  opening: 30 kUSD
  start:   100 seat
  growth[month]: {unit: "%", fill: previous, values: {2026-01: 5%, 2026-07: 3%, 2027-01: 1%}}
  price:   90 USD/seat
  at_once: 40%
  delay:   2
  life:    24
  bought[month]: {unit: USD, fill: zero, values: {2026-01: 36000, 2026-10: 12000, 2028-06: 24000}}
  cost[month]: {unit: kUSD, fill: linear, values: {2026-02: 9, 2027-12: 4, 2028-06: 8}}
  rate:    30%
calc:
  customers[month]: = prev(customers, start) * (1 + growth) -> seat
  revenue[month]:   = customers * price -> USD
  collected[month]: = at_once * revenue + (1 - at_once) * lag(revenue, delay, 0) -> USD
  receivable[month]: = stock(0 [USD], revenue, collected) -> USD
  age[vintage, month]: = index(month) - index(vintage)
  written_off[vintage, month]: = if(age >= 0 and age < life, bought[vintage] / life, 0) -> USD
  depreciation[month]: = sum(written_off, vintage) -> USD
  book[month]:      = cumsum(bought - depreciation) -> USD
  profit[month]:    = revenue - cost - depreciation -> USD
  losses[month]:    = max(prev(losses, 0) - profit, 0) -> USD
  tax[month]:       = rate * max(profit - prev(losses, 0), 0) -> USD
  flow[month]:      = collected - cost - tax - bought -> USD
  cash[month]:      = prev(cash, opening) + flow -> USD
  lowest:           = min(cash) -> USD
  when:             = argmin(cash)
  broke:            = first_where(cash < 0)
  by_year[fy]:      = sum(if(within(month, fy), revenue, 0), month) -> USD
  months[fy]:       = count(within(month, fy), month)
  by_quarter[quarter]: = sum(if(within(month, quarter), tax, 0), month) -> USD
  half_year[month]: = rolling_sum(revenue, 6) -> USD
  worth:            = npv(1%, flow) -> USD
  discount[month]:  = 1.01 ^ (0 - index(month))
  by_factors:       = sum(flow * discount) -> USD
  earns:            = irr(flow) -> %
  at_its_rate:      = npv(earns, flow) -> USD
"""
MONTHS = [date(2026 + at // 12, at % 12 + 1, 1) for at in range(36)]
GROWTH = [0.05] * 6 + [0.03] * 6 + [0.01] * 24


def cost_at(day: date) -> float:
    given = [(date(2026, 2, 1), 9000.0), (date(2027, 12, 1), 4000.0), (date(2028, 6, 1), 8000.0)]
    if day <= given[0][0]:
        return 9000.0
    for (first, low), (last, high) in pairwise(given):
        if day <= last:
            return low + (high - low) * (day - first).days / (last - first).days
    return 8000.0


def by_hand() -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}

    def note(**figures: float) -> None:
        for name, figure in figures.items():
            found.setdefault(name, []).append(figure)

    bought = {0: 36000.0, 9: 12000.0, 29: 24000.0}
    customers, receivable, book, losses, cash = 100.0, 0.0, 0.0, 0.0, 30000.0
    for at, day in enumerate(MONTHS):
        customers *= 1 + GROWTH[at]
        revenue = customers * 90
        note(customers=customers, revenue=revenue)
        collected = 0.4 * revenue + (0.6 * found["revenue"][at - 2] if at >= 2 else 0)
        receivable += revenue - collected
        depreciation = sum(spent / 24 for when, spent in bought.items() if when <= at < when + 24)
        book += bought.get(at, 0) - depreciation
        profit = revenue - cost_at(day) - depreciation
        tax = 0.3 * max(profit - losses, 0)
        losses = max(losses - profit, 0)
        flow = collected - cost_at(day) - tax - bought.get(at, 0)
        cash += flow
        note(collected=collected, receivable=receivable, depreciation=depreciation, book=book)
        note(profit=profit, tax=tax, losses=losses, flow=flow, cash=cash)
        note(half_year=sum(found["revenue"][-6:]))
    return found


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    evaluation = evaluated(BUDGET)
    found: dict[str, Any] = {}
    for cell in evaluation.plan.model.cells:
        value = value_of(evaluation, cell.name) if cell.kind == "calc" else None
        found[cell.name] = list(value.data) if isinstance(value, Series) else value
    return found


@pytest.mark.parametrize("name", sorted(by_hand()))
def test_each_month_is_what_loops_give(name: str, figures: dict[str, Any]) -> None:
    assert figures[name] == pytest.approx(by_hand()[name], rel=1e-12, abs=1e-7)


def test_losses_are_carried_forward_before_tax_is_paid(figures: dict[str, Any]) -> None:
    first = next(at for at, tax in enumerate(figures["tax"]) if tax > 0)

    assert max(figures["losses"][:first]) > 0
    assert sum(figures["profit"][: first + 1]) > 0 > sum(figures["profit"][:first])
    assert figures["book"][-1] == pytest.approx(24000 - 7 * 1000)


def test_cash_is_lowest_and_first_below_zero_when_loops_say_so(figures: dict[str, Any]) -> None:
    cash = by_hand()["cash"]
    serials = [float((day - date(1899, 12, 30)).days) for day in MONTHS]

    assert figures["lowest"] == pytest.approx(min(cash))
    assert figures["when"] == serials[cash.index(min(cash))]
    assert figures["broke"] == serials[next(at for at, value in enumerate(cash) if value < 0)]


def test_years_of_business_begin_in_october(figures: dict[str, Any]) -> None:
    revenue, tax = by_hand()["revenue"], by_hand()["tax"]

    assert figures["months"] == [9, 12, 12, 3]
    years = [revenue[:9], revenue[9:21], revenue[21:33], revenue[33:]]
    assert figures["by_year"] == pytest.approx([sum(year) for year in years])
    quarters = [sum(tax[at : at + 3]) for at in range(0, 36, 3)]
    assert figures["by_quarter"] == pytest.approx(quarters)


def test_worth_is_the_sum_of_what_explicit_factors_discount(figures: dict[str, Any]) -> None:
    expected = sum(flow / 1.01**at for at, flow in enumerate(by_hand()["flow"]))

    assert figures["worth"] == pytest.approx(expected, rel=1e-12)
    assert figures["by_factors"] == pytest.approx(expected, rel=1e-12)
    assert figures["at_its_rate"] == pytest.approx(0, abs=1e-6)
    assert figures["earns"] > -1


@pytest.mark.parametrize(
    ("flows", "rate"),
    [
        ([-100, 110], 0.1),
        ([-100, 0, 121], 0.1),
        ([-100, 10, 10, 10, 110], 0.1),
        ([-3, 1, 1, 1], 0.0),
        ([-100, 50], -0.5),
        ([-1, 0, 0, 8], 1.0),
    ],
)
def test_the_rate_of_flows_whose_rate_is_known(flows: list[float], rate: float) -> None:
    axis = f"dims: {{year: {{from: 2026-01, to: {2025 + len(flows)}-01, step: year}}}}\n"
    given = f"inputs:\n  flow[year]: {{unit: USD, values: {flows}}}\n"

    found = evaluated(f"{axis}{given}calc:\n  r: = irr(flow)\n")

    assert value_of(found, "r") == pytest.approx(rate, abs=1e-12)
