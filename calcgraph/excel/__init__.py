"""A book to a workbook whose every derived number is a live formula; only this knows openpyxl."""

from calcgraph.excel.export import ExportError, workbook_bytes
from calcgraph.excel.layout.defined_names import excel_name

__all__ = ["ExportError", "excel_name", "workbook_bytes"]
