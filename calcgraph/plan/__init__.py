"""A checked model to generated Python: the only place of the project that compiles code."""

from calcgraph.plan.plan import Plan, make_plan

__all__ = ["Plan", "make_plan"]
