"""A small sheet for tests of files, with an input of each kind, a table and scenarios."""

SMALL = """title: Small
tables:
  chips:
    columns: {price: USD, seen: date, fast: truth, maker: text}
    rows: {a: [2, 2026-01-31, true, x], b: [null, null, false, y]}
inputs:
  gpus: {value: 8, min: 1, max: 99}
  chip: {value: a, choices: chips}
  since: 2026-03-01
  opt: {value: null, unit: 1}
  yes: true
calc:
  cost: = gpus * chips[chip].price -> USD
scenarios:
  big: {gpus: 16}
  rich: {extends: big, "chips[a].price": 5 USD, opt: 3}
  none: {opt: null}
"""
