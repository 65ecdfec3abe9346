"""Where cells stand in a workbook: blocks, names, addresses."""
