"""A spelling that is not accepted is refused with the right one."""

import pytest

from calcgraph.units import UnitBook, UnitProblem, make_unit_book

TEMPERATURE = "has an offset"
LOGARITHM = "logarithmic"
COUNT = "units: {"

HINTS = {
    # data
    "B": "write `byte`; billions go right behind the number, as in 70B",
    "Gb": "write `Gbit` for bits or `GB` for bytes",
    "mb": "write `Mbit` for bits or `MB` for bytes",
    "Kb": "write `kbit` for bits or `kB` for bytes",
    "KB": "write `kB` for 1000 byte or `KiB` for 1024 byte",
    "gb": "write `Gbit` for bits or `GB` for bytes",
    "gib": "write `Gibit` for bits or `GiB` for bytes",
    "Mbps": "write `Mbit/s` for bits a second",
    "Gbps": "write `Gbit/s` for bits a second",
    "mbps": "write `Mbit/s` for bits or `MB/s` for bytes",
    "gbps": "write `Gbit/s` for bits or `GB/s` for bytes",
    "GBps": "write `GB/s`",
    "GBs": "write `GB`",
    "Gbyte": "write `GB`",
    "gigabytes": "write `GB`",
    "kibibyte": "write `KiB`",
    "bits": "write `bit`",
    "terabit": "write `Tbit`",
    # compute
    "FLOPS": "write `FLOP/s` for a rate or `FLOP` for a number of operations",
    "TFLOPS": "write `TFLOP/s` for a rate or `TFLOP` for a number of operations",
    "TFLOPs": "write `TFLOP` for a number of operations or `TFLOP/s` for a rate",
    "tflops": "write `TFLOP/s` for a rate or `TFLOP` for a number of operations",
    "FLOPs": "write `FLOP` for a number of operations or `FLOP/s` for a rate",
    "flop": "write `FLOP`",
    "tokens": "write `token`",
    "Gtokens": "write `Gtoken`",
    "Btoken": "write `Gtoken`",
    "Bparams": "write `Gparam`",
    "params": "write `param`",
    "samples": "`seq`",
    # time
    "h": "write `hour`",
    "hr": "write `hour`",
    "hrs": "write `hour`",
    "hours": "write `hour`",
    "sec": "write `s`",
    "secs": "write `s`",
    "seconds": "write `s`",
    "mins": "write `min`",
    "days": "write `day`",
    "Day": "write `day`",
    "months": "write `month`",
    "years": "write `year`",
    "yr": "write `year`",
    "µs": "write `us`",
    "milliseconds": "write `ms`",
    # counts
    "GPU": "write `gpu`",
    "GPUs": "write `gpu`",
    "gpus": "write `gpu`",
    "nodes": "write `node`",
    "chip": "`gpu`",
    "count": COUNT,
    "x": COUNT,
    "percent": "write `%`",
    # money
    "$": "write `USD`",
    "€": "write `EUR`",
    "£": "write `GBP`",
    "¥": "write `JPY` for yen or `CNY` for yuan",
    "usd": "write `USD`",
    "dollars": "write `USD`",
    "M$": "write `MUSD`",
    "$M": "write `MUSD`",
    "BUSD": "write `GUSD`",
    "KUSD": "write `kUSD`",
    "musd": "write `MUSD`",
    # physics
    "kwh": "write `kWh`",
    "KWH": "write `kWh`",
    "kilowatts": "write `kW`",
    "kilogram": "write `kg`",
    "tons": "write `t`",
    "m2": "write `m^2`",
    "m²": "write `m^2`",
    "celsius": TEMPERATURE,
    "degC": TEMPERATURE,
    "°C": TEMPERATURE,
    "C": TEMPERATURE,
    "degF": TEMPERATURE,
    "dB": LOGARITHM,
    "rpm": COUNT,
    "cycle": COUNT,
    "Hz": "`1/s`",
    "GHz": "`1/s`",
    # compounds
    "GPU-h": "write `gpu*hour`",
    "GPU-hours": "write `gpu*hour`",
    "kW-month": "write `kW*month`",
    # nothing like it
    "tokem": "did you mean `token`?",
    "furlong": COUNT,
}


@pytest.mark.parametrize("word", HINTS)
def test_a_wrong_spelling_is_refused_with_the_right_one(book: UnitBook, word: str) -> None:
    problem = book.unit(word)

    assert isinstance(problem, UnitProblem)
    assert (problem.kind, problem.start, problem.end) == ("unknown", 0, len(word))
    assert problem.message == f"unknown or refused unit `{word}`"
    assert HINTS[word] in problem.hint


@pytest.mark.parametrize(("text", "start", "word"), [("USD/gpu/h", 8, "h"), ("400Gb / s", 0, "")])
def test_the_problem_points_at_the_word(book: UnitBook, text: str, start: int, word: str) -> None:
    problem = book.unit(text)

    assert isinstance(problem, UnitProblem)
    assert problem.start == start
    assert not word or text[problem.start : problem.end] == word


def test_a_strangers_word_is_printed_short_and_without_control_characters(book: UnitBook) -> None:
    problem = book.unit("\x1b[31m" + "g" * 5000)

    assert isinstance(problem, UnitProblem)
    assert problem.message.isprintable()
    assert len(problem.message) < 80


def test_own_units_are_suggested_too(book: UnitBook) -> None:
    made, _ = make_unit_book(book.vocabulary, {}, {"rack": "count"})

    problem = made.unit("Racks")

    assert isinstance(problem, UnitProblem)
    assert problem.hint == "write `rack`"
