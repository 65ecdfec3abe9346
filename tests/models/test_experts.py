"""Memory and sending of a model with experts and latent attention, beside plain arithmetic."""

from pathlib import Path

import pytest

import calcgraph as cg

SHEETS = Path(__file__).parents[2] / "sheets"
L, D, H, F, V, S = 61, 7168, 128, 18_432, 129_280, 4096  # DeepSeek-V3
HD, ROPE, Q_RANK, KV_RANK = 128, 64, 1536, 512
EXPERTS, ACTIVE, WIDTH, DENSE_LAYERS = 256, 8, 2048, 3
GPUS, TP, EP = 2048, 4, 64
SHARDS = GPUS // TP

QUERIES = D * Q_RANK + Q_RANK + Q_RANK * H * (HD + ROPE)
KEYS = D * (KV_RANK + ROPE) + KV_RANK + KV_RANK * H * 2 * HD
ATTENTION = QUERIES + KEYS + H * HD * D
SHARED = D * EXPERTS + 3 * D * WIDTH
ROUTED = (L - DENSE_LAYERS) * EXPERTS * 3 * D * WIDTH
SPLIT = L * ATTENTION + DENSE_LAYERS * 3 * D * F + (L - DENSE_LAYERS) * SHARED
PADDED = -(-V // (128 * TP)) * 128 * TP
DENSE = (SPLIT + 2 * PADDED * D) / TP + L * 2 * D + D  # norms are on every rank
ROUTED_HERE = ROUTED / TP / EP


@pytest.fixture(scope="module")
def comm() -> cg.Book:
    book = cg.open(SHEETS / "training" / "comm.yaml", root=SHEETS)
    batch = GPUS // TP * S
    job = {"job.model": "deepseek_v3", "job.gpus": GPUS, "job.seq_len": S, "job.batch": batch}
    return book.set({**job, "layout.tp": TP, "layout.pp": 1, "layout.cp": 1, "layout.ep": EP})


def test_states_of_experts_are_shared_by_those_who_hold_them(comm: cg.Book) -> None:
    states = 12 * (DENSE / SHARDS + ROUTED_HERE / (SHARDS / EP))

    assert comm["rank.params_here"] == pytest.approx((DENSE + ROUTED_HERE) / 1e6, rel=1e-9)
    assert comm["rank.states"] == pytest.approx(states / 1e9, rel=1e-9)


def test_fsdp_divides_experts_over_as_many_ranks(comm: cg.Book) -> None:
    after = comm.set({"layout.sharding": "zero3"})

    weights = 2 * (DENSE / SHARDS + ROUTED_HERE / (SHARDS / EP))
    assert after["rank.weights"] == pytest.approx(weights / 1e9, rel=1e-9)


def test_activations_count_every_expert_visited_and_the_latent_heads(comm: cg.Book) -> None:
    met = DENSE_LAYERS * F + (L - DENSE_LAYERS) * (ACTIVE + 1) * WIDTH
    copies = (L - DENSE_LAYERS) * ACTIVE * D
    heads = L * H * (2 * (HD + ROPE) + 2 * HD)
    kept = S * (8 * D * L + 2 * heads + 6 * met + 2 * copies) / TP

    assert comm["rank.kept_layers"] == pytest.approx(kept / 1e9, rel=1e-9)


def test_experts_are_summed_by_those_who_hold_the_same(comm: cg.Book) -> None:
    summed = DENSE * (1 - 1 / SHARDS) + ROUTED_HERE * (1 - EP / SHARDS)
    sent = 8 * S * D * ACTIVE * (EP - 1) / EP / TP * (L - DENSE_LAYERS)

    assert comm["dp_bytes"] == pytest.approx(6 * summed / 1e9, rel=1e-9)
    assert comm["ep_bytes"] == pytest.approx(sent / 1e9, rel=1e-9)


def test_attention_scores_are_as_wide_as_queries_and_values() -> None:
    book = cg.open(SHEETS / "training" / "flops_time.yaml", root=SHEETS)

    after = book.set({"job.model": "deepseek_v3", "job.seq_len": S})

    scores = 6 * L * S * H * (HD + ROPE + HD) / 2
    assert after["attention"] == pytest.approx(scores / 1e9, rel=1e-9)
