"""The planner's layouts, beside a search written anew in plain Python."""

import math
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

import calcgraph as cg

SHEETS = Path(__file__).parents[2] / "sheets"
D, F, L, H, K, HD, V, S = 8192, 28_672, 80, 64, 8, 128, 128_256, 8192  # LLaMA 3 70B
PEAK, KERNELS, NODE_LINK, NETWORK, HBM_RATE = 989.4e12, 0.53, 450e9, 50e9, 3.35e12
USABLE, FIXED, BATCH = 85_520_809_984, 4 * 2**30, 4 * 2**20
PER_TOKEN = 6 * (L * (2 * D * H * HD + 2 * D * K * HD + 3 * D * F) + V * D) + 6 * L * S * H * HD


@dataclass(frozen=True)
class Layout:
    """A row of the planner with the distributed optimizer and selective recomputation."""

    tp: int
    pp: int
    cp: int
    mbs: int
    v: int
    gpus: int

    @property
    def dp(self) -> float:
        return self.gpus / (self.tp * self.pp * self.cp)

    @property
    def m(self) -> float:
        return BATCH / S / (self.dp * self.mbs)

    @property
    def is_possible(self) -> bool:
        divides = self.gpus % (self.tp * self.pp * self.cp) == 0 and self.m >= 1
        stage = L / self.pp if L % self.pp == 0 else (L + 2) / self.pp
        chunks = self.v == 1 or (self.m % self.pp == 0 and stage % self.v == 0)
        return divides and self.m % 1 == 0 and stage % 1 == 0 and chunks

    def params(self, stage: int) -> float:
        matrix = math.ceil(V / (128 * self.tp)) * 128 * self.tp * D
        edges = matrix * ((stage == 0) + (stage == self.pp - 1))
        layer = 2 * D * H * HD + 2 * D * K * HD + 3 * D * F
        norms = L / self.pp * 2 * D + D * (stage == self.pp - 1)
        return (L / self.pp * layer + edges) / self.tp + norms

    def memory(self, stage: int) -> float:
        static = self.params(stage) * (6 + 12 / (self.dp * self.cp))
        tokens = self.mbs * S / self.cp
        if self.pp == 1:
            loads = 1.0
        elif self.v > 1:
            loads = self.pp + (self.pp - 1) / self.v - 2 / self.v * stage
        else:
            loads = max(1, min(self.m, self.pp) - stage)
        kept = L / self.pp * loads * tokens * (12 * D + 4 * D * K / H + 6 * F) / self.tp
        padded = math.ceil(V / (128 * self.tp)) * 128 * self.tp
        logits = tokens * padded * 6 / self.tp if stage == self.pp - 1 else 0
        return static + kept + logits + FIXED

    @property
    def fits(self) -> bool:
        return max(self.memory(0), self.memory(self.pp - 1)) <= USABLE

    @property
    def step_time(self) -> float:
        compute = BATCH * PER_TOKEN / (self.gpus * PEAK) / KERNELS
        layers, tokens = L / self.pp * self.m, self.mbs * S
        sent = 16 * tokens / self.cp * D * (self.tp - 1) / self.tp * layers / NODE_LINK
        cp_link = NODE_LINK if self.tp * self.cp <= 8 else NETWORK
        keys = 12 * tokens * K * HD / self.tp * (self.cp - 1) / self.cp * layers / cp_link
        busy = (compute + sent + keys) * (1 + (self.pp - 1) / (self.v * self.m))
        shards = self.dp * self.cp
        near = min(shards, 8 / self.tp)
        link = NODE_LINK if near == shards else NETWORK * near
        data = 6 * self.params(0) * (shards - 1) / shards / link
        window = 2 / 3 * compute / self.m if self.pp == 1 else 0
        optimizer = 2 * self.params(0) * 12 / shards / HBM_RATE
        return busy + max(0, data - window) + optimizer


def layouts(gpus: int) -> list[Layout]:
    sizes = product(
        (1, 2, 4, 8), (1, 2, 4, 5, 8, 10, 16, 20), (1, 2, 4), (1, 2, 4), (1, 2, 4, 5, 8, 10)
    )
    rows = [Layout(*size, gpus) for size in sizes]
    rows = [row for row in rows if row.v == 1 or (row.pp > 1 and row.mbs == 1)]
    rows = [row for row in rows if row.pp * row.v <= 128]
    return [row for row in rows if row.is_possible and row.fits]


@pytest.fixture(scope="module")
def planner() -> cg.Book:
    return cg.open(SHEETS / "training" / "planner.yaml", root=SHEETS)


@pytest.mark.parametrize("gpus", [128, 512, 2048, 16_384])
def test_the_best_layout_is_that_of_a_search_in_plain_python(planner: cg.Book, gpus: int) -> None:
    best = min(layouts(gpus), key=lambda row: row.step_time)

    after = planner.set({"job.gpus": gpus, "recompute": "selective"})

    names = ("used_tp", "used_pp", "used_cp", "used_micro_batch", "used_virtual_stages")
    assert tuple(after[name] for name in names) == (best.tp, best.pp, best.cp, best.mbs, best.v)
    assert after["best_time"] == pytest.approx(best.step_time, rel=1e-9)
    memory = max(best.memory(0), best.memory(best.pp - 1))
    assert after["best_memory"] == pytest.approx(memory / 1e9, rel=1e-9)
    assert after["feasible"] == len(layouts(gpus))


def test_a_size_that_is_given_is_kept(planner: cg.Book) -> None:
    after = planner.set({"job.gpus": 512, "tp": 8, "cp": 1})

    assert (after["used_tp"], after["used_cp"]) == (8, 1)
    assert after["used_tp"] * after["used_pp"] * after["used_cp"] * after["used_dp"] == 512
    assert after["best_time"] > planner.set({"job.gpus": 512})["best_time"]


def test_a_size_outside_of_the_grid_is_tried_too(planner: cg.Book) -> None:
    after = planner.set({"job.gpus": 640, "job.batch": 640 * 8192, "tp": 8, "pp": 40})

    assert after["used_pp"] == 40
    assert after["found"] is True
