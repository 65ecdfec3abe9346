"""A plan to values: whole, or only what a change reaches."""

from calcgraph.evaluate.run import Evaluation, compute_part, evaluate, recompute

__all__ = ["Evaluation", "compute_part", "evaluate", "recompute"]
