"""Evaluate a plan: all of it, only the cells that a change reaches, or many cases at once."""

from calcgraph.evaluate.cases import evaluate_cases, sweep
from calcgraph.evaluate.run import Evaluation, compute_part, evaluate, recompute
from calcgraph.evaluate.values import restrict_to

__all__ = [
    "Evaluation",
    "compute_part",
    "evaluate",
    "evaluate_cases",
    "recompute",
    "restrict_to",
    "sweep",
]
