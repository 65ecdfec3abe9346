"""Evaluate a plan: all of it, only the cells that a change reaches, or many cases at once."""

from calcgraph.evaluate.cases import evaluate_cases, sweep
from calcgraph.evaluate.run import Evaluation, compute_part, evaluate, recompute
from calcgraph.evaluate.values import kept

__all__ = [
    "Evaluation",
    "compute_part",
    "evaluate",
    "evaluate_cases",
    "kept",
    "recompute",
    "sweep",
]
