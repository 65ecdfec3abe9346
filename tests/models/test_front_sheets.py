"""What a user asks a front sheet: its names are there, and its answers hang together."""

import math
from pathlib import Path

import pytest

import calcgraph as cg

SHEETS = Path(__file__).parents[2] / "sheets"
SIZES = ("tp", "pp", "cp", "dp", "micro_batch", "virtual_stages", "schedule")
NAMES = [
    "best_plan", "bubble_fraction", "bubble_relative", "checkpoint_bytes", "checkpoint_interval",
    "activation_memory", "cost", "decision", "energy", "goodput", "gpu_hours", "headroom",
    "megatron_flags", "memory_per_gpu", "micro_batches", "mtbf", "predicted_mfu", "static_memory",
    "step_time",
]  # fmt: skip
PEAK, PRICE = 989.4e12, 3.99
SCORES = 6 * 80 * 8192 * 64 * 128  # FLOPs a token in causal attention of LLaMA 3 70B
MATMUL = 70_553_706_496 - 128_256 * 8192 - 161 * 8192  # no looking up, no norms


@pytest.fixture(scope="module")
def book() -> cg.Book:
    return cg.open(SHEETS / "llama70b.yaml", root=SHEETS)


@pytest.fixture(scope="module")
def on_512(book: cg.Book) -> cg.Book:
    return book.set(gpus=512)


@pytest.mark.parametrize("model", ["llama8b", "llama70b", "llama405b"])
def test_front_sheets_have_the_same_plain_names(model: str) -> None:
    book = cg.open(SHEETS / f"{model}.yaml", root=SHEETS)

    assert [book[name] for name in SIZES] == [None] * len(SIZES)
    assert [name for name in NAMES if book[name] is None] == []
    assert [name for name in SIZES if book[f"used_{name}"] is None] == []


def test_other_gpus_are_planned_anew(book: cg.Book, on_512: cg.Book) -> None:
    changed = [name for name in NAMES if on_512[name] != book[name]]

    assert set(NAMES) - set(changed) == {"checkpoint_bytes"}  # hangs on the model alone
    assert math.prod(on_512[f"used_{name}"] for name in SIZES[:4]) == 512
    assert f"--tensor-model-parallel-size {on_512['used_tp']:.0f} " in on_512["megatron_flags"]


def test_answers_follow_from_each_other(on_512: cg.Book) -> None:
    get = {name: on_512[name] for name in (*NAMES, "wall_time", "run_time", "planned_batch")}
    pp, v = on_512["used_pp"], on_512["used_virtual_stages"]
    m = get["planned_batch"] / on_512["used_dp"] / on_512["used_micro_batch"]
    tokens = get["planned_batch"] * 8192
    useful = (6 * MATMUL + SCORES) * tokens / (512 * PEAK * get["step_time"])

    assert get["micro_batches"] == m
    assert get["bubble_fraction"] == pytest.approx((pp - 1) / (m * v + pp - 1))
    assert get["bubble_relative"] == pytest.approx((pp - 1) / (m * v))
    assert get["predicted_mfu"] == pytest.approx(useful)
    assert get["run_time"] == pytest.approx(15e12 / tokens * get["step_time"] / 86_400, rel=1e-6)
    assert get["wall_time"] == pytest.approx(get["run_time"] / get["goodput"])
    assert get["gpu_hours"] == pytest.approx(512 * 24 * get["wall_time"])
    assert on_512["compute_cost"] == pytest.approx(get["gpu_hours"] * PRICE / 1e6)
    assert on_512["compute_cost"] < get["cost"] < 1.01 * on_512["compute_cost"]
    assert get["energy"] == pytest.approx(get["gpu_hours"] * 0.7 * 1.5 * 1.1 / 1e3)  # 700 W, in MWh
    assert get["headroom"] == pytest.approx(on_512["usable_memory"] - get["memory_per_gpu"])
    assert get["checkpoint_bytes"] == pytest.approx(14 * 70_553_706_496 / 1e12)


def test_sizes_that_are_given_are_kept(book: cg.Book) -> None:
    given = {"tp": 8, "pp": 4, "cp": 1, "dp": 16, "micro_batch": 1, "virtual_stages": 5}
    after = book.set({"gpus": 512, **given, "schedule": "interleaved"})

    assert {name: after[f"used_{name}"] for name in given} == given
    assert after["best_plan"] == "TP8 PP4 CP1 DP16 b1 v5, selective, zero1"
    assert [check.name for check in after.checks if check.fails] == []


def test_a_layout_that_does_not_fit_fails_a_check(book: cg.Book) -> None:
    after = book.set(gpus=128, tp=8, pp=1, dp=16)

    assert after["headroom"] == pytest.approx(-1.6, rel=0.05)  # 85.5 - 87.1 GB, audit
    assert [check.name for check in after.checks if check.fails] == ["layout fits in memory"]
