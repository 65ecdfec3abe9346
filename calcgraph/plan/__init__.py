"""A checked model to generated Python: the only place of the project that compiles code."""

from calcgraph.plan.plan import Plan, compile_part, make_plan

__all__ = ["Plan", "compile_part", "make_plan"]
