"""The unit check, which is the lowering step, and all other checks; one check a file."""
