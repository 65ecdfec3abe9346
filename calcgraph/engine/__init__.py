"""Compile a checked model to Python: the only package that compiles code."""

from calcgraph.engine.cases import evaluate_cases, sweep
from calcgraph.engine.evaluation import Evaluation, compute_part, evaluate, recompute
from calcgraph.engine.plan import Plan, compile_part, make_plan
from calcgraph.engine.value_stores import restrict_to

__all__ = ["Plan", "compile_part", "make_plan"]


__all__ = [
    "Evaluation",
    "compute_part",
    "evaluate",
    "evaluate_cases",
    "recompute",
    "restrict_to",
    "sweep",
]
