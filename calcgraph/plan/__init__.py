"""Compile a checked model to Python: the only package that compiles code."""

from calcgraph.plan.plan import Plan, compile_part, make_plan

__all__ = ["Plan", "compile_part", "make_plan"]
