"""YAML text to the declarations of a sheet, each with its place."""
