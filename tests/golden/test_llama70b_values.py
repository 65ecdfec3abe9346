"""What is estimated of LLaMA 3 70B, from sources of its own: model cards and plain Python."""

import math
from pathlib import Path

import pytest

import calcgraph as cg

ROOT = Path(__file__).parents[2]
P_70B = 70_553_706_496
TOKENS, PEAK, MFU, PRICE = 15e12, 989.4e12, 0.40, 3.99
DAY = 86_400


@pytest.fixture(scope="module")
def book() -> cg.Book:
    return cg.open(ROOT / "sheets/llama70b.yaml")


def days(params: float, gpus: float, mfu: float = MFU, peak: float = PEAK) -> float:
    """6 P T FLOPs at the rate of so many GPUs, in days."""
    return 6 * params * TOKENS / (gpus * peak * mfu) / DAY


# The counts of the published checkpoints: the sum of all tensors' sizes, as Hugging Face shows it.
@pytest.mark.parametrize(
    ("model", "params"),
    [("llama3_8b", 8_030_261_248), ("llama3_70b", P_70B), ("llama3_405b", 405_853_388_800)],
)
def test_parameters_are_those_of_the_published_checkpoints(
    book: cg.Book, model: str, params: int
) -> None:
    assert book.set(model=model)["params"] == params


def test_parameters_of_70b_follow_from_its_configuration(book: cg.Book) -> None:
    layers, d, f, heads, kv, width, vocab = 80, 8192, 28_672, 64, 8, 128, 128_256
    attention = d * heads * width + 2 * d * kv * width + heads * width * d
    total = layers * (attention + 3 * d * f + 2 * d) + 2 * vocab * d + d

    assert total == P_70B
    assert book["params"] == total
    assert book["ffn_share"] == pytest.approx(layers * 3 * d * f / total, rel=1e-12)


@pytest.mark.parametrize("gpus", [256, 512, 1024, 16_000])
def test_days_follow_from_6pt_over_the_clusters_rate(book: cg.Book, gpus: int) -> None:
    assert book.set(gpus=gpus)["train_time"] == pytest.approx(days(P_70B, gpus), rel=1e-12)


def test_512_h100_at_40_percent_take_about_363_days(book: cg.Book) -> None:
    assert days(P_70B, 512) == pytest.approx(363, abs=0.5)
    assert book.set(gpus=512)["train_time"] == pytest.approx(363, abs=0.5)


def test_hours_and_cost_at_one_utilisation_do_not_depend_on_the_number_of_gpus(
    book: cg.Book,
) -> None:
    hours = 6 * P_70B * TOKENS / (PEAK * MFU) / 3600

    for gpus in (512, 16_000):
        after = book.set(gpus=gpus)
        assert after["assumed_gpu_hours"] == pytest.approx(hours, rel=1e-12)
        assert after["assumed_cost"] == pytest.approx(hours * PRICE / 1e6, rel=1e-12)  # MUSD


def test_fewest_gpus_are_271(book: cg.Book) -> None:
    states = (2 + 8) * P_70B  # BF16 weights, two FP32 moments
    checkpoints = 2 * 8192 * 4 * 80 * 4e6  # 4 of d_model BF16 numbers a layer and token

    assert math.ceil((states + checkpoints) / 80e9) == 271
    assert book["min_gpus"] == 271


def test_a_tpu_pod_takes_the_days_of_the_scaling_book(book: cg.Book) -> None:
    pod = book.set(chip="tpu_v5p", gpus=8960, nominal_params=70e9)

    assert pod["train_time"] == pytest.approx(days(70e9, 8960, peak=459e12), rel=1e-12)
    assert pod["train_time"] == pytest.approx(44, abs=0.5)  # "about 44 days", part 6


def test_scenario_and_settings_compose_in_plain_python(book: cg.Book) -> None:
    after = book.scenario("blackwell", "billed").set(gpus=4096)

    assert after["train_time"] == pytest.approx(days(P_70B, 4096, 0.255, 2250e12), rel=1e-12)
    hours = after["train_time"] * 24 * 4096
    assert after["assumed_cost"] == pytest.approx(hours * 6.69 / 1e6, rel=1e-12)


def test_sheet_has_what_its_issue_asks_for(book: cg.Book) -> None:
    own = [name for name in book if "." not in name]

    assert len(own) >= 60
    assert len(book.expectations) + len(book.model.cases) >= 25
    assert [figure for figure in book.expectations if figure.fails] == []
    assert [check for check in book.checks if check.fails] == []
