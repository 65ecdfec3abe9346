"""Excel formulas: model trees translated and printed."""
