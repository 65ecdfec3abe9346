"""The head of a sheet of random formulas: the inputs, tables and series they speak of."""

HEAD = """\
calcgraph: 1
title: Random formulas
conventions: {year: 365 day, month: year/12}
dims:
  month: {from: 2026-01, to: 2026-06}
  quarter: {from: 2026-01, to: 2026-06, step: quarter}
tables:
  table:
    columns: {price: USD, share: 1, spare: 1, used: truth, name: text, seen: date, worth: 1}
    rows:
      a: [2, 0.1, null, true, one, 2026-01-31, -3.25]
      b: [4, 0.2, 5.5, true, two, 2026-03-01, 12]
      c: [6, 0.3, -7, false, Two, 2026-12-31, 1000.125]
inputs:
  Numbers:
    whole: 12
    half: 2.5
    third: 0.3333333333333333
    below: -17.25
    large: 123_456.789
    small: 0.000_321
    nothing: {value: null, unit: 1}
    little: {value: 0.75, unit: 1, min: 0, max: 1}
  Others:
    pick: {value: b, choices: table}
    when: {value: 2026-03, choices: month}
    word: {value: plain, choices: [plain, Plain, other]}
    yes: true
    no: false
    day0: 2026-01-31
    span: 36 hour
    wait: 90 min
    pay: {value: 12.5, unit: USD}
    flow[month]: {unit: USD, values: [-100, 10, 10, 10, 10, 110]}
calc:
"""
