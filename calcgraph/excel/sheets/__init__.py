"""The sheets of a workbook, one kind a module."""
