"""The words every other part speaks: places in text, findings, units and values."""
