"""Places of cells in a workbook: blocks, names, addresses."""
