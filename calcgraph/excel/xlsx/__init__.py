"""Pages, styles and charts written as an .xlsx file."""
