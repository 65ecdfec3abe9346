"""Shared vocabulary: source positions, diagnostics, units, types, dims and values."""
