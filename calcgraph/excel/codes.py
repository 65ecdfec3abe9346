"""Why a sheet has no workbook: what Excel, or patience, does not take."""

from __future__ import annotations

from calcgraph.core.diagnostic import Code

TOO_MANY = Code(
    "CG601",
    "workbook would have too many formulas",
    "Each label of a cell along dims is a formula of its own in a workbook. More than 400,000 of "
    "them take minutes to open and to compute. The sheet itself runs all the same: leave dims, or "
    "labels, out of the sheet that is exported, or read the results as CSV.",
)
TOO_LARGE = Code(
    "CG602",
    "cell has more labels than a workbook has room for",
    "A sheet of Excel has 1,048,576 rows and 16,384 columns. A dim along which a cell reads the "
    "label before, or which a formula needs in a line, goes across where the cell varies over "
    "another dim too.",
)
FORMULA_SIZE = Code(
    "CG603",
    "formula is too large for Excel",
    "Excel takes 8,192 characters, 64 levels of nesting and 255 arguments in a formula, and texts "
    "of 255 characters within it. Parts of it can be cells with names of their own.",
)
NOT_TAKEN = Code(
    "CG604",
    "Excel would not take what a cell holds",
    "Excel takes 32,767 characters in a cell. Whatever else breaks a rule of its files is refused "
    "as well, before the workbook is written, for Excel would say no more than that it is damaged.",
)
