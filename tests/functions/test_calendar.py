"""Periods of the calendar against Python's own, and schedules and searches against loops."""

import math
from datetime import date, timedelta
from itertools import product
from typing import Any

import pytest

from calcgraph.core.values import Series
from properties.pipeline import evaluated, value_of

EPOCH = date(1899, 12, 30)


def found(text: str, *names: str) -> list[Any]:
    evaluation = evaluated(text)
    values = [value_of(evaluation, name) for name in names]
    return [list(value.data) if isinstance(value, Series) else value for value in values]


def next_start(day: date, months: int) -> date:
    at = day.year * 12 + day.month - 1 + months
    return date(at // 12, at % 12 + 1, 1)


@pytest.mark.parametrize(
    ("first", "last", "step", "months"),
    [
        ("1900-03", "1904-12", "month", 1),
        ("1999-12", "2000-03", "month", 1),
        ("2023-11", "2028-03", "month", 1),
        ("2099-12", "2100-12", "month", 1),
        ("2023-02", "2029-01", "quarter", 3),
        ("2023-03", "2032-03", "year", 12),
        ("2023-02", "2032-02", "year", 12),
    ],
)
def test_periods_are_as_long_as_in_the_calendar(
    first: str, last: str, step: str, months: int
) -> None:
    axis = f"dims: {{p: {{from: {first}, to: {last}, step: {step}}}}}\n"
    days, starts, parts = found(
        f"{axis}calc:\n  d[p]: = duration(p) -> day\n  s[p]: = p\n"
        "  y[p]: = 100 * year(p) + month(p)\n",
        *("d", "s", "y"),
    )

    expected = [date.fromisoformat(f"{first}-01")]
    while next_start(expected[-1], months) <= date.fromisoformat(f"{last}-01"):
        expected.append(next_start(expected[-1], months))
    ends = [next_start(day, months) for day in expected]
    assert days == [float((end - day).days) for day, end in zip(expected, ends, strict=True)]
    assert starts == [float((day - EPOCH).days) for day in expected]
    assert parts == [float(100 * day.year + day.month) for day in expected]


def test_days_go_over_the_end_of_a_leap_february() -> None:
    text = (
        "dims:\n  d: {from: 2027-12-30, to: 2028-03-02, step: day}\n"
        "  m: {from: 2027-12, to: 2028-03}\n"
        "calc:\n  n[m]: = count(within(d, m), d)\n  at[d]: = 100 * month(d) + day(d)\n"
        "  long: = sum(duration(d)) -> day\n"
    )

    counts, at, long = found(text, "n", "at", "long")

    every = [date(2027, 12, 30) + timedelta(days) for days in range(64)]
    assert counts == [2, 31, 29, 2]
    assert at == [100 * day.month + day.day for day in every]
    assert long == 64


def test_a_period_lies_in_the_one_in_which_it_begins() -> None:
    """A quarter from February to April begins in the first of two years from April on."""
    text = (
        "dims:\n  q: {from: 2026-02, to: 2027-04, step: quarter}\n"
        "  fy: {from: 2025-04, to: 2026-04, step: year}\n"
        "calc:\n  n[q, fy]: = if(within(q, fy), 1, 0)\n"
    )

    (inside,) = found(text, "n")

    # February and May 2026, August, November, February 2027; no year holds any after March 2027.
    assert inside == [1, 0, 0, 1, 0, 1, 0, 1, 0, 1]


SCHEDULE = """
dims: {step: {count: 200}}
inputs:
  peak: 3e-4
  low: 10%
  warmup: 20
  steady: 150
calc:
  rises[step]: = peak * (step + 1) / warmup
  share[step]: = (step - warmup) / (200 - warmup)
  falls[step]: = peak * (low + (1 - low) * (1 + cos(pi() * share)) / 2)
  cosine[step]: = if(step < warmup, rises, falls)
  ends[step]: = peak * (200 - step) / (200 - steady)
  wsd[step]: "= ifs(step < warmup, rises, step < steady, peak, ends)"
  mean_rate: = mean(cosine)
  best: = argmax(wsd)
  total: = sum(wsd)
"""


def test_rates_of_learning_are_what_closed_formulas_give() -> None:
    cosine, wsd, mean_rate, best, total = found(
        SCHEDULE, "cosine", "wsd", "mean_rate", "best", "total"
    )

    expected = [3e-4 * (at + 1) / 20 for at in range(20)]
    expected += [3e-5 + 2.7e-4 * (1 + math.cos(math.pi * at / 180)) / 2 for at in range(180)]
    assert cosine == pytest.approx(expected, rel=1e-12)
    # cos runs evenly over half a turn: its sum over 180 steps is 1, all but the last end's -1.
    assert mean_rate * 200 == pytest.approx(3e-4 * 10.5 + 180 * 1.65e-4 + 1.35e-4, rel=1e-12)
    assert wsd[19] == wsd[149] == pytest.approx(3e-4, rel=1e-12)
    assert wsd[199] == pytest.approx(3e-4 / 50, rel=1e-12)
    assert best == 19
    assert total == pytest.approx(3e-4 * (10.5 + 130 + 25.5), rel=1e-12)


def test_a_search_over_a_grid_finds_what_loops_find() -> None:
    text = """
dims:
  plan:
    grid: {tp: [1, 2, 4, 8], pp: [1, 2, 4, 8, 16], mbs: [1, 2, 4], keep: [none, half, full]}
    where: = tp * pp <= 64 and (mbs < 4 or keep != "full")
calc:
  held[plan]:   '= switch(plan.keep, "none", 2, "half", 6, "full", 11)'
  again[plan]:  '= switch(plan.keep, "none", 1.3, "half", 1.1, 1)'
  memory[plan]: = 160 / (plan.tp * plan.pp) + plan.mbs * held
  time[plan]:   = (1 + plan.pp / 8) * (1 + plan.tp / 16) / plan.mbs ^ 0.5 * again
  score[plan]:  = if(memory <= 40, time, na())
  place[plan]:  = rank(score, memory)
  best:         = argmin(place)
  second:       = first_where(place == 2)
  fits:         = count(score)
  by_mbs:       = max(if(plan.mbs == 2, score, na()))
  its_pp:       = plan[best].pp
"""
    kept = {"none": (2, 1.3), "half": (6, 1.1), "full": (11, 1)}
    rows = []
    for tp, pp, mbs, keep in product([1, 2, 4, 8], [1, 2, 4, 8, 16], [1, 2, 4], kept):
        if tp * pp <= 64 and not (mbs == 4 and keep == "full"):
            memory = 160 / (tp * pp) + mbs * kept[keep][0]
            time = (1 + pp / 8) * (1 + tp / 16) / mbs**0.5 * kept[keep][1]
            rows.append((time, memory, len(rows), f"{tp}/{pp}/{mbs}/{keep}", mbs, pp))
    fitting = sorted(row for row in rows if row[1] <= 40)

    score, place, best, second, fits, by_mbs, its_pp = found(
        text, "score", "place", "best", "second", "fits", "by_mbs", "its_pp"
    )

    assert len(score) == len(rows)
    assert (best, second) == (fitting[0][3], fitting[1][3])
    assert fits == len(fitting)
    assert its_pp == fitting[0][5]
    assert by_mbs == pytest.approx(max(row[0] for row in fitting if row[4] == 2))
    assert [place[row[2]] for row in fitting] == list(range(1, len(fitting) + 1))
    assert place.count(None) == len(rows) - len(fitting)
