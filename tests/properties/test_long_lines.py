"""Lines of 100,000 labels: nothing recurses, and a failure in the middle stays where it is."""

from calcgraph.core.values import Failure, Series, Value
from calcgraph.engine import Evaluation, recompute
from calcgraph.model import Change
from properties.pipeline import cell_of, evaluated, value_of

SIZE = 100_000
LONG = """
dims:
  day: {from: 1901-01-01, to: 2174-10-15, step: day}
  n: {count: 100_000}
inputs:
  half: 0.5
  bad: -1
calc:
  decays[n]:   = prev(decays, 0) * half + 1 -> 1
  position[day]: = prev(position, 0) + duration(day) / 1 [day] -> 1
  given[n]:    = if(n == bad, 1 / 0, n)
  total[n]:    = cumsum(given)
  window[n]:   = rolling_sum(given, 3)
  before[n]:   = lag(given, 2, 0)
  climbs[n]:   = prev(climbs, 0) + given -> 1
  turned[n]:   = rank(-n)
  days:        = count(position)
  the_end:     = last(position)
"""


def line(evaluation: Evaluation, name: str) -> list[object]:
    value: Value = value_of(evaluation, name)
    assert isinstance(value, Series)
    return list(value.data)


def test_a_hundred_thousand_labels_are_what_closed_formulas_give() -> None:
    evaluation = evaluated(LONG)

    assert line(evaluation, "decays")[:3] == [1, 1.5, 1.75]
    assert line(evaluation, "decays")[-1] == 2
    assert value_of(evaluation, "the_end") == value_of(evaluation, "days") == SIZE
    sums = [float(at * (at + 1) // 2) for at in range(SIZE)]
    assert line(evaluation, "total") == line(evaluation, "climbs") == sums
    assert line(evaluation, "window")[2:] == [3.0 * at - 3 for at in range(2, SIZE)]
    assert line(evaluation, "before")[2:] == [float(at) for at in range(SIZE - 2)]
    assert line(evaluation, "turned") == [float(SIZE - at) for at in range(SIZE)]


def test_a_failure_in_the_middle_reaches_only_what_needs_it() -> None:
    size, middle = 10_000, 4_000
    evaluation = evaluated(LONG.replace("100_000", f"{size}"))
    bad = cell_of(evaluation, "bad").number

    edited = recompute(evaluation, [Change(bad, None, float(middle))])

    def failing(name: str) -> list[int]:
        values = line(edited, name)
        return [at for at, value in enumerate(values) if isinstance(value, Failure)]

    assert failing("given") == [middle]
    assert failing("before") == [middle + 2]
    assert failing("window") == [middle, middle + 1, middle + 2]
    assert failing("total") == failing("climbs") == list(range(middle, size))
    again = {
        cell_of(edited, name).number for name in ("given", "total", "window", "before", "climbs")
    }
    named = {n for n in edited.computed if edited.plan.model.cells[n].kind == "calc"}
    assert named == again
